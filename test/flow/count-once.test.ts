/** Each row of a run is counted once: in its summary, its report, its list of failures and `status`. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, expect, it } from "vitest";

import { systemClock, type Clock } from "../../src/base/time/clock.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import type { WireRequest } from "../../src/client/wire.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";
import { lineOf, runJson } from "./seed.ts";

const open: Remote[] = [];
afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

const COUNTS = ["created", "adopted", "changed", "unchanged", "left", "failed", "bad"] as const;
type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

const toManifest = (kind: string, thing: string): string => `version: 1
name: ${kind}
kind: ${kind}
source: { file: ../rows.csv, key: [n], columns: { url: { type: url } } }
${thing}
output: { dir: ../out, files: [svg], index: [csv] }
`;

/** Rows `a`, `b` and `c`, and a bad one. */
const rows = (word: string): string => `n,url
a,https://a.example/${word}-a
b,https://a.example/${word}-b
c,https://a.example/${word}-c
d,no
`;

/** Time passes where somebody waits for it, and nobody does. */
let waitedMs = 0;
const clock: Clock = {
  nowMs: () => systemClock.nowMs() + waitedMs,
  monotonicMs: () => systemClock.monotonicMs() + waitedMs,
  sleep: (ms) => {
    waitedMs += ms;
    return Promise.resolve();
  },
};

interface Shop extends JobFolder {
  /** Undefined: the embedded service. */
  readonly remote: Remote | undefined;
  /** Requests that are answered with 400 and not seen by the server, as `METHOD /path body`. */
  refused: RegExp | undefined;
}

async function openShop(manifest: string, isRemote = true): Promise<Shop> {
  const files: JobFolder & Pick<Shop, "refused"> = {
    ...makeJobFolder(rows("first"), manifest),
    refused: undefined,
  };
  if (!isRemote) return Object.assign(files, { remote: undefined });
  const isRefused = ({ method, url, body }: WireRequest): boolean =>
    files.refused?.test(`${method} ${new URL(url).pathname} ${body}`) ?? false;
  const remote = await openRemote(files.data, "https://codes.example", (request) =>
    isRefused(request) ? 400 : undefined,
  );
  open.push(remote);
  return Object.assign(files, { remote });
}

function changeState({ out }: Shop, sql: string): void {
  const db = openSqlite(path.join(out, "state.db"));
  db.run(sql);
  db.close();
}

/** Figures of the report, by their names. */
function readFigures({ out }: Shop): Record<string, number> {
  const html = readFileSync(path.join(out, "report.html"), "utf8");
  const figures = html.matchAll(/<dt>([a-z ]+)<\/dt>\s*<dd[^>]*>(\d+)<\/dd>/gu);
  return Object.fromEntries([...figures].map(([, name = "", value]) => [name, Number(value)]));
}

/** Runs the job; all that tells its counts must tell the same, and they add up to its rows. */
async function run(shop: Shop): Promise<Counts> {
  const { manifest, remote } = shop;
  const place = remote === undefined ? { clock: systemClock } : { ...remote, clock };
  const ran = await runJson(["run", manifest, "--yes"], place);
  const told = lineOf(ran, "summary");
  const counts = Object.fromEntries(COUNTS.map((name) => [name, told[name]])) as Counts;
  const sum = COUNTS.reduce((all, name) => all + counts[name], 0);
  expect(sum, JSON.stringify(told)).toBe(told["rows"]);
  const { created, adopted, changed, unchanged, left, failed, bad } = counts;
  expect(readFigures(shop)).toMatchObject({
    rows: sum,
    created,
    ...(adopted > 0 && { "found on the server": adopted }),
    updated: changed,
    unchanged,
    failed: failed + bad,
    ...(left > 0 && { "left to do": left }),
  });
  const status = lineOf(await runJson(["status", manifest], { clock }), "summary");
  expect(status).toMatchObject({
    rows: { done: sum - bad },
    halfway: failed,
    unfinished: left,
    bad,
  });
  return counts;
}

const NONE: Counts = {
  created: 0,
  adopted: 0,
  changed: 0,
  unchanged: 0,
  left: 0,
  failed: 0,
  bad: 1,
};

const CODE = 'dynamic: true, qr_data: "{{ url }}", display_name: "{{ n }}"';
const PLAIN = toManifest("codes", `code: { ${CODE} }`);
const TAGGED = toManifest("codes", `code: { ${CODE}, tags: ["tag {{ n }}"] }`);
const LATER = 'code: { folder: "F {{ n }}", display_name: "code {{ n }}" }';
const FORMS = toManifest(
  "forms",
  'form: { title: "{{ n }}", slug: "slug-{{ n }}", fields: [{ field_type: text, label: Name }] }',
);

/** What is made, and the later call of row `b`. */
const LATER_CALLS: Readonly<Record<string, readonly [manifest: string, call: RegExp]>> = {
  "a tag": [TAGGED, /\/tags\/add\/ .*"tag b"/u],
  "a folder": [
    toManifest("pages", `page: { title: "{{ n }}", links: [{ url: "{{ url }}" }] }\n${LATER}`),
    /^PATCH .*"code b"/u,
  ],
  "the form's fields": [FORMS, /\/save\/ .*"title":"b"/u],
  "the form's publication": [FORMS, /\/publish\/ .*"slug-b"/u],
};

it.each(Object.entries(LATER_CALLS))(
  "a row that is made and then refused %s failed, until a run finishes it",
  async (_what, [manifest, call]) => {
    const shop = await openShop(manifest);
    shop.refused = call;
    expect(await run(shop)).toEqual({ ...NONE, created: 2, failed: 1 });
    // Its files come now: that they are there is no answer to the call.
    expect(await run(shop)).toEqual({ ...NONE, unchanged: 2, failed: 1 });
    expect(await run(shop)).toEqual({ ...NONE, unchanged: 2, failed: 1 });
    shop.refused = undefined;
    expect(await run(shop)).toEqual({ ...NONE, changed: 1, unchanged: 2 });
  },
);

/** As a run leaves it that was killed after its creates had left. */
const KILLED_IN_CREATE = "UPDATE rows SET state = 'sending', remote_id = NULL, artwork = NULL";

it("a row that is found on the server and then refused its change failed", async () => {
  const shop = await openShop(PLAIN);
  expect(await run(shop)).toEqual({ ...NONE, created: 3 });
  changeState(shop, KILLED_IN_CREATE);
  writeFileSync(shop.csv, rows("second"));
  shop.refused = /^PATCH .*second-b/u;
  expect(await run(shop)).toEqual({ ...NONE, adopted: 2, failed: 1 });
  shop.refused = undefined;
  expect(await run(shop)).toEqual({ ...NONE, changed: 1, unchanged: 2 });
});

it("a row whose create was cut off and is sent again before its change is created, once", async () => {
  const shop = await openShop(PLAIN, false);
  expect(await run(shop)).toEqual({ ...NONE, created: 3 });
  changeState(shop, KILLED_IN_CREATE);
  writeFileSync(shop.csv, rows("second"));
  expect(await run(shop)).toEqual({ ...NONE, created: 3 });
});

it("a row that a killed run had made, but not tagged, is changed by the next run", async () => {
  const shop = await openShop(TAGGED);
  expect(await run(shop)).toEqual({ ...NONE, created: 3 });
  changeState(
    shop,
    "UPDATE rows SET made_tags_hash = NULL, made_tags = NULL, artwork = NULL WHERE row_key = 'b'",
  );
  changeState(shop, "UPDATE meta SET value = '' WHERE key = 'last_result'");
  expect(await run(shop)).toEqual({ ...NONE, changed: 1, unchanged: 2 });
});
