/** docs/security.md claims tests: each must exist under its name. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

const root = new URL("../", import.meta.url);
const read = (file: string): string => readFileSync(fileURLToPath(new URL(file, root)), "utf8");

/** `file`: "name", "name" -> pairs of file and name. */
function readProofs(markdown: string): [file: string, name: string][] {
  return [...markdown.matchAll(/`(test\/[\w./-]+)`: ((?:"[^"]+"(?:, )?)+)/gu)].flatMap(
    ([, file = "", names = ""]) =>
      [...names.matchAll(/"([^"]+)"/gu)].map(([, name = ""]): [string, string] => [file, name]),
  );
}

const proofs = readProofs(read("docs/security.md"));

it("names proofs at all", () => {
  expect(proofs.length).toBeGreaterThan(20);
});

it.each(proofs)("%s has the test %s", (file, name) => {
  expect(existsSync(fileURLToPath(new URL(file, root)))).toBe(true);
  expect(read(file)).toContain(`"${name}"`);
});
