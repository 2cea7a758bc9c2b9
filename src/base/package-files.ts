/**
 * Where the package's own files lie. Built, many modules share one file, so no module may count from its
 * own place.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** True where modules are read as they are written, as in tests. */
export const isSource = import.meta.url.endsWith(".ts");

function findRoot(from: URL): URL {
  if (existsSync(new URL("package.json", from))) return from;
  const above = new URL("..", from);
  if (above.href === from.href) throw new Error("the package must hold its package.json, got none");
  return findRoot(above);
}

const ROOT = findRoot(new URL(".", import.meta.url));

/** A file or folder of the package: `templates/labels/`. */
export const packageUrl = (file: string): URL => new URL(file, ROOT);

/** The same as a path. */
export const packagePath = (file: string): string => fileURLToPath(packageUrl(file));

/** What a thread or a process begins with, `verify/proof-worker.js`: it runs JavaScript, so always the built one. */
export const builtUrl = (module: string): URL => packageUrl(`dist/${module}`);

interface OwnPackage {
  /** `0.1.0`. */
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** `package.json`. */
export const ownPackage = createRequire(import.meta.url)(packagePath("package.json")) as OwnPackage;
