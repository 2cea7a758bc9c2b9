/** Runs every benchmark, one after the other, each in a process of its own. `npm run bench [name]`. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && name !== "all.ts")
  .filter((name) => wanted.length === 0 || wanted.includes(name.replace(/\.ts$/u, "")));

for (const name of names) {
  console.log(`\n# ${name}`);
  const { status } = spawnSync(process.execPath, ["--import", "tsx", `${folder}${name}`], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
