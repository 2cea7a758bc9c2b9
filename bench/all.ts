/**
 * Runs every benchmark, or those named, one after the other, each in its own process. Numbers are
 * passed on: `npm run bench -- rows 1000`.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const isNumber = (text: string): boolean => /^[0-9]/u.test(text);
const numbers = process.argv.slice(2).filter(isNumber);
const wanted = process.argv.slice(2).filter((text) => !isNumber(text));
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && name !== "all.ts")
  .filter((name) => wanted.length === 0 || wanted.includes(name.replace(/\.ts$/u, "")));

for (const name of names) {
  console.log(`\n# ${name}`);
  const command = ["--import", "tsx", `${folder}${name}`, ...numbers];
  const { status } = spawnSync(process.execPath, command, { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
