/**
 * Where the package's own files are. In the build, many modules share one file, so a module can't use
 * its own path.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** True when modules run from the sources, as in tests. */
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

/**
 * The built file that a thread or process starts with, such as `verify/proof/proof-worker.js`: always the
 * built one, since it must be JavaScript.
 */
export const builtUrl = (module: string): URL => packageUrl(`dist/${module}`);

interface OwnPackage {
  /** `0.1.0`. */
  readonly version: string;
  readonly engines: { readonly node: string };
}

export const ownPackage = createRequire(import.meta.url)(packagePath("package.json")) as OwnPackage;
