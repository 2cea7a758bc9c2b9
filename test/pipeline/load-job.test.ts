import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { loadJob } from "../../src/pipeline/source/load-job.ts";
import { show } from "../job/make-manifest.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-load-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TEAM = readFileSync("jobs/team-contacts.yaml", "utf8").replace(
  "../samples/team.csv",
  path.resolve("samples/team.csv"),
);

/** What loading a manifest with mistakes says, its place left out. */
async function mistakesIn(text: string): Promise<string[]> {
  const file = path.join(folder, "job.yaml");
  writeFileSync(file, text);
  const error: unknown = await loadJob(file, { env: {} }).catch((caught: unknown) => caught);
  if (!(error instanceof AppError)) throw new Error("loading should have failed");
  return error.problems.map((problem) => show(problem).replace(/^\S+ /u, ""));
}

describe("a manifest with mistakes", () => {
  it("is compared with the header: undeclared columns are no mistake", async () => {
    expect(await mistakesIn(TEAM.replace("type: vCard", "type: vCart"))).toEqual([
      'code.type must be one of Link, Text, vCard, GS1, got "vCart" (did you mean "vCard"?)',
    ]);
  });

  it("also reports columns that the header lacks", async () => {
    const text = TEAM.replace("type: vCard", "type: vCart").replace("{{ Firma }}", "{{ Frima }}");
    expect(await mistakesIn(text)).toEqual([
      expect.stringContaining("code.type must be"),
      expect.stringMatching(/company_name must name a column .* "Frima" \(did you mean "Firma"\?/u),
    ]);
  });

  it("takes a type of code for what it is where a kind is wanted", async () => {
    expect(await mistakesIn(TEAM.replace("kind: codes", "kind: vCart"))).toEqual([
      expect.stringMatching(
        /^kind must be one of .*got "vCart" \(vCard is a type of code: write "kind: codes", and "type: vCard" under code\)$/u,
      ),
    ]);
  });

  it("of an unknown kind is checked against no rule of a kind", async () => {
    const text = TEAM.replace("kind: codes", "kind: banana").replace("type: vCard  ", "# ");
    expect(await mistakesIn(text)).toEqual([expect.stringContaining('got "banana"')]);
  });

  it("reports a spreadsheet that can't be read, and not its columns", async () => {
    const text = TEAM.replace("type: vCard", "type: vCart").replace("team.csv", "tame.csv");
    // Sorted by file: which of the two comes first depends on where the folders lie.
    const mistakes = await mistakesIn(text);
    const source = mistakes.findIndex((mistake) => mistake.includes("tame.csv"));
    expect([mistakes[1 - source], mistakes[source]]).toEqual([
      expect.stringContaining("code.type must be"),
      expect.stringContaining("tame.csv"),
    ]);
    expect(mistakes).toHaveLength(2);
  });
});
