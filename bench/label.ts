/**
 * How fast the desk's pictures follow typing: the caption changes in every round, as if somebody
 * typed it. Median and slowest tenth, wall and processor time: draft and picture in this process,
 * and the whole request over HTTP.
 *
 * npm run bench -- label [rows [rounds]]
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { systemClock } from "../src/base/time/clock.ts";
import { randomIds } from "../src/base/ids/ids.ts";
import { openDesk } from "../src/desk/desk.ts";
import { makeDraft } from "../src/desk/screens/label/draft.ts";
import { Looks } from "../src/desk/screens/label/looks.ts";
import { showLooks } from "../src/desk/screens/label/show-looks.ts";
import { openAssets } from "../src/desk/assets.ts";
import { en } from "../src/desk/words/en.ts";

const [rows = 500, rounds = 60] = process.argv.slice(2).map(Number);
const MANIFEST = "shelves.yaml";
const folder = mkdtempSync(path.join(tmpdir(), "bench-label-"));
const lines = Array.from(
  { length: rows },
  (_, n) => `M-${String(n + 1).padStart(5, "0")},Shelf ${n % 40},https://shop.example.com/${n}\n`,
);
writeFileSync(path.join(folder, "shelves.csv"), `number,name,url\n${lines.join("")}`);
writeFileSync(
  path.join(folder, MANIFEST),
  `version: 1
name: shelves
kind: codes
source: { file: shelves.csv, key: [number] }
code: { dynamic: true, qr_data: "{{ url }}" }
output:
  dir: out
  sheets: { sheet: avery-l7159, caption: "{{ number }}" }
`,
);

const { hash } = await makeDraft(await toContext(), MANIFEST, undefined);
const toForm = (round: number) => ({
  hash,
  was: JSON.stringify({ caption: "{{ number }}" }),
  caption: `{{ number }} ${"abcdefgh".slice(0, round % 8)}`,
});

async function toContext() {
  const common = { clock: systemClock, ids: randomIds, writer: "makeready bench", env: {} };
  return { folder, ...common, assets: await openAssets() };
}

const at = (times: readonly number[], share: number): string =>
  (times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0).toFixed(1);

async function measure(name: string, work: (round: number) => Promise<unknown>): Promise<void> {
  const walls: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round < rounds + 5; round += 1) {
    const cpu = process.cpuUsage();
    const began = performance.now();
    await work(round);
    const wall = performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    if (round < 5) continue;
    walls.push(wall);
    processor.push((user + system) / 1000);
  }
  const said = [at(walls, 0.5), at(walls, 0.9), at(processor, 0.5)].map((one) => one.padStart(8));
  console.log(`${name.padEnd(28)}${said.join("")}`);
}

const context = await toContext();
const looks = new Looks(context);
console.log(`${`${rows} rows, ms`.padEnd(28)}  median     90% processor`);
await measure("draft", (round) => makeDraft(context, MANIFEST, toForm(round)));
for (const name of ["label", "sheet"] as const) {
  await measure(`${name}, in process`, async (round) => {
    const draft = await makeDraft(context, MANIFEST, toForm(round));
    return showLooks(draft, looks, { words: en, names: [name], program: "makeready" });
  });
}
const desk = await openDesk({ ...context, port: 0 });
const opened = await fetch(desk.link);
const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
for (const name of ["label", "sheet"] as const) {
  await measure(`${name}, over HTTP`, async (round) => {
    const body = new FormData();
    for (const [field, value] of Object.entries({ ...toForm(round), looks: name })) {
      body.set(field, value);
    }
    const headers = { cookie, origin: desk.origin };
    const to = `${desk.origin}/job/${MANIFEST}/label/preview`;
    const answer = await fetch(to, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  });
}
await desk.close();
rmSync(folder, { recursive: true, force: true });
