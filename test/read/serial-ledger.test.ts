import { spawnSync } from "node:child_process";
import { mkdtempSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import type { SerialForm } from "../../src/base/ids/serials.ts";
import { isSerial } from "../help/is-serial.ts";
import { openLedger, type SerialOwner } from "../../src/read/rows/serial-ledger.ts";

const makeFolder = (): string => mkdtempSync(path.join(os.tmpdir(), "makeready-serials-"));

const SAFE: SerialForm = { length: 12, alphabet: "safe32", check: true };
/** Half of all there are: many are taken when they come up. */
const TIGHT: SerialForm = { length: 4, alphabet: "digits", check: false };

const ownerOf = (identity: string, form: SerialForm, count: number): SerialOwner => ({
  identity,
  form,
  count,
});

async function mint(folder: string, owner: SerialOwner, keeps: boolean): Promise<string[]> {
  const ledger = await openLedger(folder);
  try {
    return [...ledger.serials(owner, keeps)];
  } finally {
    ledger.close();
  }
}

describe("serials of a ledger", () => {
  it("are shown by a plan as a run keeps them, and stay", async () => {
    const folder = makeFolder();
    const tight = ownerOf("a", TIGHT, 4000);
    const planned = await mint(folder, tight, false);
    expect(new Set(planned).size).toBe(4000);
    expect(await mint(folder, tight, false)).toEqual(planned);
    expect(await mint(folder, tight, true)).toEqual(planned);
    expect(await mint(folder, tight, true)).toEqual(planned);
    expect(planned.every((serial) => isSerial(serial, TIGHT))).toBe(true);
  });

  it("go on where they ended: more rows get more, fewer rows get the first ones", async () => {
    const folder = makeFolder();
    const first = await mint(folder, ownerOf("a", SAFE, 10), true);
    const more = await mint(folder, ownerOf("a", SAFE, 25), true);
    expect(more.slice(0, 10)).toEqual(first);
    expect(await mint(folder, ownerOf("a", SAFE, 3), true)).toEqual(first.slice(0, 3));
    expect(more.every((serial) => isSerial(serial, SAFE))).toBe(true);
  });

  it("are never given twice, whatever job, alphabet and order", async () => {
    const folder = makeFolder();
    const hex: SerialForm = { ...TIGHT, alphabet: "hex" };
    const owners = [
      ownerOf("a", TIGHT, 3000),
      ownerOf("b", TIGHT, 2000),
      ownerOf("c", hex, 20_000),
    ];
    const all: string[] = [];
    for (const owner of owners) all.push(...(await mint(folder, owner, true)));
    all.push(...(await mint(folder, ownerOf("a", TIGHT, 3500), true)).slice(3000));
    expect(all).toHaveLength(25_500);
    expect(new Set(all).size).toBe(25_500);
  });

  it("of another data folder are others", async () => {
    const owner = ownerOf("a", SAFE, 50);
    const [one, two] = [
      await mint(makeFolder(), owner, true),
      await mint(makeFolder(), owner, true),
    ];
    expect(new Set([...one, ...two]).size).toBe(100);
  });

  it("keep their form", async () => {
    const folder = makeFolder();
    await mint(folder, ownerOf("a", SAFE, 2), true);
    await expect(mint(folder, ownerOf("a", { ...SAFE, length: 14 }, 2), false)).rejects.toThrow(
      /source\.serial must stay 12 characters of safe32/u,
    );
  });

  it("end with a word where nearly all are taken", async () => {
    const folder = makeFolder();
    await mint(folder, ownerOf("a", TIGHT, 5000), true);
    await expect(mint(folder, ownerOf("b", TIGHT, 5000), true)).rejects.toThrow(
      /must leave room for more serials/u,
    );
  });

  it.skipIf(process.platform === "win32")("are for their owner's eyes", async () => {
    const folder = makeFolder();
    await mint(folder, ownerOf("a", SAFE, 2), true);
    expect(statSync(path.join(folder, "serials.db")).mode & 0o077).toBe(0);
  });
});

/** Takes so many serials, one after another, and dies. */
const DYING = `
  const [, file, folder, owner, count] = process.argv;
  const { openLedger } = await import(file);
  const ledger = await openLedger(folder);
  let left = Number(count);
  for (const serial of ledger.serials(JSON.parse(owner), true)) {
    process.stdout.write(serial + "\\n");
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  }
`;

it("a serial that was seen before a kill is there after it", async () => {
  const folder = makeFolder();
  const owner = ownerOf("a", SAFE, 12_000);
  const file = path.resolve("src/read/rows/serial-ledger.ts");
  const seen: string[][] = [];
  for (const count of [1, 4999, 7000]) {
    const args = [
      "--import",
      "tsx",
      "--input-type=module",
      "-e",
      DYING,
      file,
      folder,
      JSON.stringify(owner),
    ];
    const died = spawnSync(process.execPath, [...args, String(count)], { encoding: "utf8" });
    expect(died.signal, died.stderr).toBe("SIGKILL");
    seen.push(died.stdout.split("\n").filter((line) => line !== ""));
  }
  const all = await mint(folder, owner, true);
  for (const serials of seen) expect(serials).toEqual(all.slice(0, serials.length));
  expect(new Set(all).size).toBe(12_000);
});
