/** Where hosted forms, pages and PDFs are found, after their service got another address. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import type { CliContext } from "../../src/cli/context.ts";
import { everyPair } from "../help/every-pair.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";

const open: Remote[] = [];
afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

const KINDS: Readonly<Record<string, string>> = {
  forms: 'form: { title: "{{ n }}", fields: [{ field_type: text, label: Name }] }',
  pages: 'page: { title: "{{ n }}", links: [{ url: "https://a.example/{{ n }}" }] }',
  pdfs: 'pdf: { file: "{{ n }}.pdf" }',
};
const PATHS: Readonly<Record<string, string>> = { forms: "form", pages: "page", pdfs: "media" };

const rows = (...names: readonly string[]): string => ["n", ...names, ""].join("\n");

function makeHosted(kind: string): JobFolder {
  const files = makeJobFolder(
    rows("a", "b", "c"),
    `version: 1
name: hosted
kind: ${kind}
source: { file: ../rows.csv, key: [n] }
${KINDS[kind]}
output: { dir: ../out, files: [svg], index: [csv], zip: true }
`,
  );
  for (const name of ["a", "b", "c"]) {
    cpSync("samples/jam-label.pdf", path.join(path.dirname(files.manifest), `${name}.pdf`));
  }
  return files;
}

const destinationsIn = ({ out }: JobFolder, list = "index.csv"): string[] => {
  const [header = "", ...lines] = readFileSync(path.join(out, list), "utf8").trim().split("\n");
  const at = header.split(",").indexOf("destination");
  return lines.map((line) => line.split(",")[at] ?? "");
};

/** Addresses of `kind` that begin with `origin`, and with nothing else. */
const hostedAt = (origin: string, kind: string): unknown =>
  expect.stringMatching(new RegExp(`^${origin.replaceAll(".", "\\.")}/${PATHS[kind]}/[^/]`, "u"));

const REHEARSAL = "http://127.0.0.1:9";
const HOME = "https://home.example";
const OTHER = "https://other.example/qr";
const MOVES = [
  [REHEARSAL, HOME],
  [HOME, OTHER],
  [OTHER, "https://other.example"],
] as const;
const CASES = everyPair(
  Object.keys(KINDS).flatMap((kind) =>
    MOVES.flatMap(([from, to]) => [
      [kind, `${from} ${to}`, "remote"] as const,
      ...(from === REHEARSAL ? [] : [[kind, `${from} ${to}`, "embedded"] as const]),
    ]),
  ),
).map(([kind, move, where]) => [kind, ...(move.split(" ") as [string, string]), where] as const);
const casesOf = (where: string) => CASES.filter((one) => one[3] === where);

/** One row is gone when the address moves: its code is asked for no more. */
async function compareLists(
  files: JobFolder,
  kind: string,
  move: { readonly from: string; readonly to: string; readonly as: Partial<CliContext> },
): Promise<void> {
  expect(destinationsIn(files)).toEqual(Array(3).fill(hostedAt(move.from, kind)));
  writeFileSync(files.csv, rows("a", "b"));
  const change = ["--change-public-url", move.to];
  const more = move.from === REHEARSAL ? [] : change;
  const moved = await runInProcess(["run", files.manifest, ...more], move.as);
  expect(moved.code, moved.err).toBe(0);
  for (const _time of [1, 2]) {
    expect(destinationsIn(files)).toEqual(Array(2).fill(hostedAt(move.to, kind)));
    expect(destinationsIn(files, "vanished-rows.csv")).toEqual([hostedAt(move.to, kind)]);
    expect((await runInProcess(["run", files.manifest], move.as)).code).toBe(0);
  }
}

describe("the index names hosted things where they are now", () => {
  it.each(casesOf("remote"))(
    "%s of a remote server that moves from %s to %s",
    async (kind, from, to) => {
      const files = makeHosted(kind);
      const at = { MAKEREADY_BASE_URL: "https://api.example/api/v2" };
      const openAt = async (origin: string): Promise<Partial<CliContext>> => {
        await open.pop()?.close();
        const remote = await openRemote(files.data, origin);
        open.push(remote);
        return { transport: remote.transport, env: { ...remote.env, ...at } };
      };
      expect((await runInProcess(["run", files.manifest], await openAt(from))).code).toBe(0);
      await compareLists(files, kind, { from, to, as: await openAt(to) });
    },
  );

  it.each(casesOf("embedded"))(
    "%s of the embedded service that moves from %s to %s",
    async (kind, from, to) => {
      const files = makeHosted(kind);
      const first = await runInProcess(["run", files.manifest, "--public-url", from]);
      expect(first.code, first.err).toBe(0);
      await compareLists(files, kind, { from, to, as: {} });
    },
  );
});
