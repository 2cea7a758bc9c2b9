/**
 * `npm run bundle`: from the sources to what Node and browsers run, in `dist/`. Modules that are
 * loaded together share a file, since each file costs about a millisecond at the start; modules that
 * commands load on demand stay separate. `npm run declarations` makes the declarations.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

import { build, type BuildOptions } from "esbuild";

const OUT = "dist";

interface Entries {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly scripts: { readonly start: string };
}

/** The modules named in `package.json`: the program, `npm start` and the library. */
function namedModules(): string[] {
  const { bin, exports, scripts } = JSON.parse(readFileSync("package.json", "utf8")) as Entries;
  const library = Object.values(exports).flatMap((one) =>
    typeof one === "string" ? [] : one.default,
  );
  const start = scripts.start.replace("node ", "");
  return [...Object.values(bin), start, ...library]
    .map((file) => path.relative(OUT, file).replace(/\.js$/u, ".ts"))
    .map((module) => `src/${module}`);
}

const shared = {
  bundle: true,
  splitting: true,
  format: "esm",
  metafile: true,
  logLevel: "warning",
} as const satisfies BuildOptions;

const program = await build({
  ...shared,
  entryPoints: [...namedModules(), "src/**/*-worker.ts"],
  outbase: "src",
  outdir: OUT,
  chunkNames: "chunks/[name]-[hash]",
  platform: "node",
  target: "node20.19",
  packages: "external",
});
const islands = await build({
  ...shared,
  entryPoints: ["src/desk/islands/*.tsx"],
  outdir: `${OUT}/desk/islands`,
  target: "es2022",
  minify: true,
  jsx: "automatic",
  jsxImportSource: "preact",
});

/** Removes files of earlier builds, so that they don't get into a package. */
const made = new Set(
  [program, islands].flatMap(({ metafile }) =>
    Object.keys(metafile.outputs).map((file) => path.normalize(file)),
  ),
);
for (const entry of readdirSync(OUT, { recursive: true, withFileTypes: true })) {
  const file = path.join(entry.parentPath, entry.name);
  if (entry.isFile() && file.endsWith(".js") && !made.has(file)) rmSync(file);
}
