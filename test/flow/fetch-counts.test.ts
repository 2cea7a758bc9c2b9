/** Files that are missing, since a run was killed or they were taken away: the plan names them, and counts their reads. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { everyPair } from "../help/every-pair.ts";
import { runInProcess } from "./in-process.ts";
import { madeOnce, makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";
import { lineOf, runJson } from "./seed.ts";

const open: Remote[] = [];
afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

const ROWS = "n,url\n1,https://a.example/1\n2,https://a.example/2\n3,https://a.example/3\n";

const THINGS: Readonly<Record<string, string>> = {
  codes: 'code: { dynamic: true, qr_data: "{{ url }}", display_name: "{{ n }}" }',
  static: 'code: { dynamic: false, qr_data: "{{ url }}", display_name: "{{ n }}" }',
  links: 'link: { link: "{{ url }}", display_name: "{{ n }}" }',
  pages: 'page: { title: "{{ n }}", links: [{ url: "{{ url }}", title: Menu }] }',
  forms: 'form: { title: "{{ n }}", fields: [{ field_type: text, label: Name }] }',
};

const toManifest = (thing: string, files: string): string => `version: 1
name: flow
kind: ${thing === "static" ? "codes" : thing}
source: { file: ../rows.csv, key: [n] }
${THINGS[thing]}
output: { dir: ../out, files: [${files}], index: [csv] }
`;

function change({ out }: JobFolder, ...statements: string[]): void {
  const db = openSqlite(path.join(out, "state.db"));
  for (const statement of statements) db.run(statement);
  db.close();
}

const FIRST_TWO = "row_key IN ('1', '2')";
const CUT = "UPDATE meta SET value = '' WHERE key = 'last_result'";
const UNSEAL = "DELETE FROM meta WHERE key = 'seal'";

/** What is left of a job -> how that comes to be. */
const losses: Readonly<Record<string, (files: JobFolder) => void>> = {
  "a run was killed while files came": (files) =>
    change(files, CUT, UNSEAL, `UPDATE rows SET artwork = NULL WHERE ${FIRST_TWO}`),
  "a run was killed while codes moved to another address": (files) =>
    change(
      files,
      CUT,
      UNSEAL,
      `DELETE FROM pictures WHERE ${FIRST_TWO}`,
      `UPDATE rows SET short_link = NULL, artwork = NULL WHERE ${FIRST_TWO}`,
    ),
  "files did not come": (files) =>
    change(
      files,
      UNSEAL,
      `UPDATE rows SET artwork = NULL, error = '{"message":"gone"}' WHERE ${FIRST_TWO}`,
    ),
  "files were taken away": ({ out }) =>
    rmSync(path.join(out, "artwork"), { recursive: true, force: true }),
};

type Place = Pick<Remote, "env"> & Partial<Pick<Remote, "transport">>;

async function openPlace(files: JobFolder, isRemote: boolean): Promise<Place> {
  if (!isRemote) return { env: { MAKEREADY_PUBLIC_URL: "https://go.example.com" } };
  const remote = await openRemote(files.data, "https://codes.example");
  open.push(remote);
  return remote;
}

async function ask(step: string, files: JobFolder, place: Place) {
  const ran = await runJson([step, files.manifest], place);
  expect([ran.code, ran.err]).toEqual([0, ""]);
  return ran;
}

/** Jobs without files have links only to lose. */
const lossesOf = (list: string): string[] =>
  Object.keys(losses).filter((loss) => list !== "" || loss.endsWith("another address"));

const cases = ["here", "on a remote server"].flatMap((where) =>
  Object.keys(THINGS).flatMap((thing) =>
    ["svg", "svg, png", ""].flatMap((list) =>
      lossesOf(list).map((loss) => [thing, list, where, loss] as const),
    ),
  ),
);

/** Made once here: the server of a remote one is open while it is used. */
const madeHere = madeOnce(async (manifest: string) => {
  const files = makeJobFolder(ROWS, manifest);
  await ask("run", files, await openPlace(files, false));
  return files;
});

async function makeDone(manifest: string, where: string) {
  if (where === "here") {
    const files = await madeHere(manifest);
    return { files, place: await openPlace(files, false) };
  }
  const files = makeJobFolder(ROWS, manifest);
  const place = await openPlace(files, true);
  await ask("run", files, place);
  return { files, place };
}

it.each(everyPair(cases))(
  "the plan of %s with the files [%s] %s counts the reads of the run: %s",
  async (thing, list, where, loss) => {
    const { files, place } = await makeDone(toManifest(thing, list), where);
    losses[loss]?.(files);
    const plan = lineOf(await ask("plan", files, place), "plan");
    const ran = await ask("run", files, place);
    const { reads, writes } = lineOf(ran, "summary");
    expect({ reads: plan["reads"], writes }).toEqual({ reads, writes: 0 });
    expect(lineOf(ran, "plan")["reads"]).toBe(reads);
    expect(plan["readsAtMost"]).toBeUndefined();
    const again = lineOf(await ask("plan", files, place), "plan");
    const wanted = { refetches: 0, reads: where === "here" ? 0 : again["reads"] };
    expect(again).toMatchObject(wanted);
  },
);

it("a changed row whose files are missing takes no more reads than the plan says at most", async () => {
  const { files, place } = await makeDone(toManifest("codes", "svg, png"), "here");
  losses["a run was killed while files came"]?.(files);
  writeFileSync(files.csv, ROWS.replace("example/1", "example/one"));
  const plan = lineOf(await ask("plan", files, place), "plan");
  expect(plan).toMatchObject({ reads: 3, readsAtMost: true });
  const ran = lineOf(await ask("run", files, place), "summary");
  expect(Number(ran["reads"])).toBeLessThanOrEqual(3);
});

it.each([
  ["a run was killed while files came", "svg, png", "the files of 2 codes are missing"],
  ["a run was killed while codes moved to another address", "", "the short links of 2 codes"],
  ["files were taken away", "svg", "a run makes the pictures of 3 codes anew: they are not all"],
])("the plan says what is fetched where %s", async (loss, list, says) => {
  const { files, place } = await makeDone(toManifest("codes", list), "here");
  losses[loss]?.(files);
  const { out } = await runInProcess(["plan", files.manifest], place);
  expect(out).toContain(says);
  expect(out).toContain("→ to do this: ");
  const { refetches } = lineOf(await ask("plan", files, place), "plan");
  // Drawings are known.
  expect(refetches).toBe(list === "svg, png" ? 2 : 0);
});
