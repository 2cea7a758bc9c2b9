/** An undo that died after its writes had reached the server, and before it could note them. */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openState } from "../../src/state/state.ts";
import { UNKNOWN } from "../../src/state/which-rows.ts";
import { frozenClock, runInProcess } from "./in-process.ts";
import { lineOf, makeShop, runJson, withApi, type Api } from "./seed.ts";

const AT = { clock: { ...frozenClock, nowMs: () => Date.parse("2026-11-01T02:00:30Z") } };
const LOGO = readFileSync(path.resolve("templates/logos/winter.png")).toString("base64");

/** Plain, with a frame and its text, with a logo, and with both. */
async function seed(api: Api): Promise<void> {
  for (let n = 1; n <= 4; n += 1) {
    const code = await api.code({
      qr_data: `https://menu.example/t/${n}`,
      dynamic: true,
      display_name: `table ${n}`,
      folderPath: "Tables/North",
      tags: ["tables"],
      primary_color: "#113355",
      ...(n % 2 === 0 && { frame: "speech-bubble", text: `TABLE ${n}` }),
    });
    const at = `/qrcode/${String(code["id"])}/design/`;
    if (n > 2) await api.call("PATCH", at, { logo_base64: LOGO, logo_round: true });
  }
}

const looks = (data: string): Promise<unknown[]> =>
  withApi(data, async (api) => {
    const found: unknown[] = [];
    for (const { id, display_name: name } of await api.list()) {
      const { body } = await api.call("GET", `/qrcode/${String(id)}/`);
      found.push([name, body["design"], body["qr_data"], body["folder"]]);
    }
    return found;
  });

/** Runs the job, and its undo so that nothing is noted of it. */
async function loseUndo(shop: ReturnType<typeof makeShop>, manifest: string): Promise<void> {
  const run = await runJson(["run", manifest], AT);
  expect(run.code, run.err).toBe(0);
  const [out, kept] = [path.join(shop.root, "out"), path.join(shop.root, "out-before-undo")];
  cpSync(out, kept, { recursive: true });
  const killed = await runJson(["undo", manifest, "--yes"], AT);
  expect(killed.code, killed.out).toBe(0);
  rmSync(out, { recursive: true });
  cpSync(kept, out, { recursive: true });
}

/** Nothing of it may call them unchanged afterwards. */
async function expectsPutBack(manifest: string, count: number): Promise<void> {
  const again = await runJson(["undo", manifest, "--yes"], AT);
  expect(again.out).not.toContain("somebody has changed it");
  expect(again.code, again.out).toBe(0);
  const { changed, unchanged } = lineOf(again, "summary");
  expect(Number(changed) + Number(unchanged)).toBe(count);
  const status = await runJson(["status", manifest], AT);
  expect(lineOf(status, "summary")).toMatchObject({ undone: count, undoneWithoutFiles: 0 });
}

const RESTYLE = `version: 1
name: restyle
kind: redesign
select: { folder: Tables/North }
design: { primary_color: "#6a1b9a", frame: card, text: "SUMMER" }
output: { dir: ../out, files: [svg], sheets: true }
`;

describe("an undo that was killed, and run again", () => {
  it.each([
    ["leaves logos alone", RESTYLE],
    [
      "gives a logo",
      RESTYLE.replace("design: {", "design: { logo_file: ../templates/logos/winter.png,"),
    ],
    ["takes logos away", RESTYLE.replace("design: {", "design: { remove_logo: true,")],
  ])("of a redesign that %s: codes that are as before count as put back", async (_what, text) => {
    const shop = makeShop();
    const manifest = shop.job("restyle");
    writeFileSync(manifest, text);
    await withApi(shop.data, seed);
    await loseUndo(shop, manifest);
    const before = await looks(shop.data);
    await expectsPutBack(manifest, 4);
    expect(await looks(shop.data)).toEqual(before);
    const plan = await runJson(["plan", manifest], AT);
    expect(lineOf(plan, "plan")).toMatchObject({ restyles: 4, unchanged: 0 });
  });

  it("of a retarget: codes that lead where they led count as put back", async () => {
    const shop = makeShop();
    await withApi(shop.data, seed);
    const manifest = shop.job("move");
    writeFileSync(
      manifest,
      `version: 1
name: move
kind: retarget
source: { file: ../moves.csv }
match: { by: [display_name], value: "{{ code }}" }
set: { qr_data: "{{ url }}", display_name: "new {{ code }}", folder: Other, tags: [moved] }
safety: { check_destination: none }
output: { dir: ../out }
`,
    );
    const rows = [1, 2, 3, 4].map((n) => `table ${n},https://b.example/${n}`);
    writeFileSync(path.join(shop.root, "moves.csv"), ["code,url", ...rows].join("\n"));
    const before = await looks(shop.data);
    await loseUndo(shop, manifest);
    expect(await looks(shop.data)).toEqual(before);
    await expectsPutBack(manifest, 4);
    const plan = await runJson(["plan", manifest], AT);
    expect(lineOf(plan, "plan")).toMatchObject({ unchanged: 0, writes: 8 });
  });
});

it("an undo that was killed between two codes is told, and not called a finished job", async () => {
  const shop = makeShop();
  const manifest = shop.job("restyle");
  writeFileSync(manifest, RESTYLE);
  await withApi(shop.data, seed);
  expect(await runJson(["run", manifest], AT)).toMatchObject({ code: 0 });
  const [out, killed] = [path.join(shop.root, "out"), path.join(shop.root, "out-killed")];
  const keep = (text: string): void => {
    const isFirst = text.includes('"stage":"undo"') && !existsSync(killed);
    if (isFirst) cpSync(out, killed, { recursive: true });
  };
  await runJson(["undo", manifest, "--yes"], { ...AT, out: keep });
  rmSync(out, { recursive: true });
  cpSync(killed, out, { recursive: true });
  const ask = (command: string) => runInProcess([command, manifest], { ...AT, cwd: shop.root });
  const again = "makeready undo jobs/restyle.yaml";
  const status = await ask("status");
  expect(status.out).toContain(
    `the last undo did not end: files may be missing or unproven (finished by: ${again})`,
  );
  expect(status.out).not.toContain("makeready run");
  const report = readFileSync(path.join(out, "report.html"), "utf8").split("<dl")[0] ?? "";
  expect(report).toContain('<div class="verdict bad">An undo has begun and not ended</div>');
  expect(report.split("An undo has begun")).toHaveLength(3);
  expect(report).toMatch(/<code class="command">makeready undo \S+restyle\.yaml/u);
  const plan = await ask("plan");
  expect(plan.out).toContain(
    `the last undo did not end: finish it with ${again}; a run changes again`,
  );
  expect(plan.out).toContain(`→ to finish the undo: ${again}\n→ to do this instead: makeready run`);
  // Its pictures did not come when the run redesigned it: that is not the undo's doing.
  const state = openState(out, { writer: "test", salt: "", nowMs: 0 });
  const row = [...state.rows()].find(({ madeDesignHash }) => madeDesignHash === UNKNOWN);
  state.selected.redesigned(row?.key ?? "", row?.designHash ?? "", null);
  state.close();
  const verified = await ask("verify");
  expect(verified.code).toBe(3);
  expect(verified.out).toMatch(
    /the last undo did not end: .*; the pictures of 3 codes show .* \(finish it with: makeready undo/u,
  );
  expect(await ask("undo")).toMatchObject({ code: 0 });
  expect(readFileSync(path.join(out, "report.html"), "utf8")).not.toContain("has begun");
  for (const command of ["status", "plan", "verify"])
    expect((await ask(command)).out).not.toContain("did not end");
});

it("an undo that was stopped before its first code is none: the job is finished as before", async () => {
  const shop = makeShop();
  const manifest = shop.job("restyle");
  writeFileSync(manifest, RESTYLE);
  await withApi(shop.data, seed);
  expect(await runJson(["run", manifest], AT)).toMatchObject({ code: 0 });
  const stop = new AbortController();
  stop.abort();
  const stopped = await runJson(["undo", manifest, "--yes"], { ...AT, signal: stop.signal });
  expect(stopped.code).toBe(130);
  for (const command of ["status", "plan", "verify"]) {
    const told = await runInProcess([command, manifest], AT);
    expect(told.code, told.err).toBe(0);
    expect(told.out).not.toContain("did not end");
  }
});

it("a run after an undo looks again at codes that somebody has changed since", async () => {
  const shop = makeShop();
  const manifest = shop.job("restyle");
  writeFileSync(manifest, RESTYLE);
  await withApi(shop.data, seed);
  expect(await runJson(["run", manifest], AT)).toMatchObject({ code: 0 });
  await withApi(shop.data, async (api) => {
    const [code] = await api.list();
    await api.call("PATCH", `/qrcode/${String(code?.["id"])}/design/`, { text: "MINE" });
  });
  const undone = await runJson(["undo", manifest, "--yes"], AT);
  expect(undone.code).toBe(3);
  expect(lineOf(undone, "summary")).toMatchObject({ changed: 3, failed: 1 });
  const status = await runJson(["status", manifest], AT);
  expect(lineOf(status, "summary")).toMatchObject({ undone: 3, unfinished: 1 });
  const plan = await runJson(["plan", manifest], AT);
  expect(lineOf(plan, "plan")).toMatchObject({ restyles: 4, unchanged: 0 });
});
