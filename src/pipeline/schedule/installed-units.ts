/** Units that lie in a folder already, and whose they are. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** Name without its ending -> the manifests that it runs; empty where that can't be seen. */
export type InstalledUnits = ReadonlyMap<string, readonly string[]>;

const UNIT = /^(makeready-.+)\.(?:service|timer)$/u;
/** The manifest of a service that this program wrote. */
const MANIFEST = /^ExecStart=.*"--once" "((?:[^"\\]|\\.)*)"/mu;

/** An argument of ExecStart as it was before it was quoted. */
const unquote = (text: string): string =>
  text
    .replaceAll(/\\(.)/gu, (_, one: string) => (one === "n" ? "\n" : one))
    .replaceAll("%%", "%")
    .replaceAll("$$", "$");

async function readManifest(folder: string, name: string): Promise<string> {
  const text = await readFile(path.join(folder, `${name}.service`), "utf8").catch(() => "");
  return unquote(MANIFEST.exec(text)?.[1] ?? "");
}

/** Units of this program in these folders; one that isn't there has none. */
export async function readInstalled(folders: readonly string[]): Promise<InstalledUnits> {
  const found = new Map<string, string[]>();
  for (const folder of folders) {
    const files = await readdir(folder).catch((): string[] => []);
    const names = new Set(files.flatMap((file) => UNIT.exec(file)?.[1] ?? []));
    for (const name of names) {
      found.set(name, [...(found.get(name) ?? []), await readManifest(folder, name)]);
    }
  }
  return found;
}
