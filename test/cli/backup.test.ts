import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { openSqlite, tryLockFile } from "../../src/base/sqlite/sqlite.ts";
import { readLastBackup } from "../../src/service/backup/last-backup.ts";
import { openUnits } from "../../src/state/unit-ledger.ts";
import { openExistingStore } from "../../src/service/store/existing-store.ts";
import { frozenClock, runInProcess } from "../flow/in-process.ts";
import { fillFolder, lookIn, openAt, type FullWorkspace } from "./full-workspace.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "makeready-backup-"));
const data = path.join(root, "data");
let full: FullWorkspace;
const OWNER = { identity: "job", salt: "salt", before: undefined };
let n = 0;
let kept: string;
let target: string;

beforeAll(async () => {
  full = await fillFolder(data);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  n += 1;
  kept = path.join(root, `backup-${n}`);
  target = path.join(root, `restored-${n}`);
});

const type = (...argv: string[]) => runInProcess(argv, { cwd: root });
const take = (...argv: string[]) => type("backup", kept, "--data", data, ...argv);
const putBack = (...argv: string[]) => type("restore", kept, "--data", target, ...argv);

interface Listed {
  readonly path: string;
  readonly bytes: number;
}
const listOf = (): Listed[] =>
  (JSON.parse(readFileSync(path.join(kept, "backup.json"), "utf8")) as { files: Listed[] }).files;
/** What a backup that is under way keeps beside its folder. */
const listBeside = (): string[] =>
  readdirSync(root).filter((name) => /^\.|\.(?:part|old)$/u.test(name));
const fileOf = (pattern: RegExp): string => {
  const found = listOf().find((file) => pattern.test(file.path));
  return path.join(kept, found?.path ?? "none");
};

describe("makeready backup", () => {
  it("copies a served folder; what is restored shows all that it showed", async () => {
    const before = await lookIn(data, full);
    const ledger = await openUnits(data);
    ledger.note(OWNER, [{ unit: "K1", what: "void", reason: "torn off" }], { atMs: 1, who: "Ada" });
    ledger.close();
    const service = await openAt(data);
    const taken = await take();
    expect(taken.err).toBe("");
    expect([taken.code, taken.out]).toEqual([0, expect.stringContaining(`${kept}: `)]);
    const counted = /\n {2}codes: \d+, short links: \d+, folders: 2, [^\n]*\n/u.exec(
      taken.out,
    )?.[0];
    expect(counted).toContain("products: 1, link types: ");
    expect(counted).toContain("answers to forms: 1, ");
    await service.code({ dynamic: true, display_name: "After the backup" });
    await service.close();

    const checked = await type("restore", kept, "--check");
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining("is whole, of 2026")]);
    expect(checked.out).toContain(counted);
    // `move` counts them alike.
    const moved = await type("move", kept, "--data", path.join(root, "moved"));
    for (const line of counted?.trim().split(", ").slice(0, 4) ?? []) {
      expect(moved.out).toContain(`  ${line}\n`);
    }
    const restored = await putBack();
    expect([restored.code, restored.out]).toEqual([
      0,
      expect.stringContaining(`${target} is restored and proven`),
    ]);
    expect(await lookIn(target, full)).toEqual(before);
    const units = await openUnits(target);
    expect(units.list(OWNER)).toMatchObject([{ unit: "K1", what: "void", who: "Ada" }]);
    units.close();
    for (const name of ["service.db", "units.db", "token", "media"]) {
      expect([name, statSync(path.join(target, name)).mode & 0o077]).toEqual([name, 0]);
    }
    expect(statSync(path.join(kept, "token")).mode & 0o777).toBe(0o600);
    expect(existsSync(path.join(target, "templates/house.json"))).toBe(true);
    expect(listBeside()).toEqual([]);
  });

  it("shows the next step as the program was started: typed as it stands, it works", async () => {
    const npx = { cwd: root, env: { npm_lifecycle_event: "npx" } };
    const taken = await runInProcess(["backup", kept, "--data", data], npx);
    expect(taken.out).toContain(`prove it at any time: npx makeready restore ${kept} --check\n`);
    const restored = await runInProcess(["restore", kept, "--data", target], npx);
    expect(restored.out).toContain(`serve it: npx makeready serve --data ${target}\n`);
    expect((await take()).out).toContain(`prove it at any time: makeready restore ${kept} `);
  });

  it("replaces an older backup when it is whole, and shares its files", async () => {
    await take();
    const files = listOf().filter((file) => file.path.startsWith("media/"));
    const service = await openAt(data);
    await service.code({ dynamic: true, display_name: "Second" });
    await service.close();
    const { code, out } = await take("--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ reused: files.length, lost: [] });
    expect((await putBack()).code).toBe(0);
    expect(await lookIn(target, full)).toEqual(await lookIn(data, full));
    const store = await openExistingStore(data, undefined);
    expect(await readLastBackup(store)).toMatchObject({ at: frozenClock.nowMs(), to: kept });
    await store.close();
  });

  it("names the lost logo of a form and the lost image of a respondent, not a code's picture", async () => {
    const poor = path.join(root, `poor-${n}`);
    cpSync(data, poor, { recursive: true });
    const logo = `${"a".repeat(32)}.png`;
    const store = openSqlite(path.join(poor, "service.db"));
    store.run("UPDATE forms SET draft = json_set(draft, '$.logo', ?)", logo);
    const answers = String(store.get("SELECT answers FROM form_responses")?.["answers"]);
    store.run("UPDATE codes SET png_file = ?", `${"b".repeat(32)}.png`);
    store.close();
    const image = /[a-z2-7]+\.(?:png|jpe?g|webp)/u.exec(answers)?.[0] ?? "none";
    rmSync(path.join(poor, "media", image.slice(0, 2), image));
    const { code, out } = await type("backup", kept, "--data", poor, "--json");
    expect(code).toBe(0);
    const { lost } = JSON.parse(out) as { lost: string[] };
    expect(lost.toSorted()).toEqual([logo, image].toSorted());
  });

  it("goes on after a kill: what was begun is begun anew, what was set aside comes back", async () => {
    await take();
    const whole = readFileSync(path.join(kept, "backup.json"), "utf8");
    const hidden = path.join(root, `.backup-${n}`);
    cpSync(kept, `${hidden}.before`, { recursive: true });
    rmSync(kept, { recursive: true });
    mkdirSync(`${hidden}.begun/media`, { recursive: true });
    writeFileSync(`${hidden}.begun/service.db`, "half of it");
    const stopped = new AbortController();
    stopped.abort();
    const given = await runInProcess(["backup", kept, "--data", data], {
      cwd: root,
      signal: stopped.signal,
    });
    expect(given.code).toBe(130);
    expect(readFileSync(path.join(kept, "backup.json"), "utf8")).toBe(whole);
    expect((await take()).code).toBe(0);
    expect((await type("restore", kept, "--check")).code).toBe(0);
    expect(listBeside()).toEqual([]);
  });

  it("leaves alone what somebody keeps beside it", async () => {
    await take();
    for (const name of [`${kept}.old`, `${kept}.part`]) {
      cpSync(kept, name, { recursive: true });
      writeFileSync(path.join(name, "why.txt"), "of last week");
    }
    expect((await take()).code).toBe(0);
    rmSync(kept, { recursive: true });
    expect((await take()).code).toBe(0);
    mkdirSync(`${target}.part`);
    writeFileSync(path.join(`${target}.part`, "why.txt"), "of last week");
    expect((await putBack()).code).toBe(0);
    for (const name of [`${kept}.old`, `${kept}.part`, `${target}.part`]) {
      expect([name, existsSync(path.join(name, "why.txt"))]).toEqual([name, true]);
    }
  });

  it("keeps the older backup when the database is damaged", async () => {
    const broken = path.join(root, "broken");
    cpSync(data, broken, { recursive: true });
    const first = await type("backup", kept, "--data", broken);
    expect(first.code).toBe(0);
    const db = openSqlite(path.join(broken, "service.db"));
    db.exec("PRAGMA foreign_keys=OFF; DELETE FROM workspaces");
    db.close();
    const { code, err } = await type("backup", kept, "--data", broken);
    expect([code, err]).toEqual([
      6,
      expect.stringMatching(/service\.db is damaged: .*rows? without/u),
    ]);
    expect((await type("restore", kept, "--check")).code).toBe(0);
  });

  it("says which places can't be", async () => {
    const taken = path.join(root, "taken");
    mkdirSync(taken, { recursive: true });
    const letter = path.join(taken, "letters.txt");
    writeFileSync(letter, "dear all");
    for (const [to, says] of [
      [letter, "the backup must be a new or empty folder, or an older backup, got the file"],
      [taken, "the backup must be a new or empty folder, or an older backup, got"],
      [path.join(data, "backup"), "the backup must lie outside of the data folder"],
      [root, "the backup must lie outside of the data folder"],
    ] as const) {
      const { code, err } = await type("backup", to, "--data", data);
      expect([code, err]).toEqual([2, expect.stringContaining(says)]);
    }
    // A list of that name makes no backup of a folder, and what a person keeps in a backup stays.
    writeFileSync(path.join(taken, "backup.json"), "{}");
    await take();
    const note = path.join(kept, "note.txt");
    writeFileSync(note, "of last week");
    for (const [to, name] of [
      [taken, "letters.txt"],
      [kept, "note.txt"],
    ] as const) {
      const { code, err } = await type("backup", to, "--data", data);
      expect([code, err]).toEqual([2, expect.stringContaining(`got ${to} with ${name}`)]);
    }
    expect([letter, note].map((file) => readFileSync(file, "utf8"))).toEqual([
      "dear all",
      "of last week",
    ]);
    rmSync(note);
    // Nobody's: a file manager or a network drive put it there.
    for (const name of [".DS_Store", "@eaDir"]) mkdirSync(path.join(kept, name));
    expect((await take()).code).toBe(0);
    const nothing = await type("backup", kept, "--data", path.join(root, "nothing"));
    expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining("without service.db")]);
  });
});

describe("makeready restore", () => {
  it.each([
    ["a byte more", /\.pdf$/u, (file: string) => appendFileSync(file, " "), /has \d+ bytes, not/u],
    [
      "other bytes",
      /\.pdf$/u,
      (file: string) => writeFileSync(file, Buffer.alloc(statSync(file).size)),
      /\.pdf was changed/u,
    ],
    ["a file lost", /^token$/u, (file: string) => rmSync(file), /token is missing/u],
    [
      "a database changed",
      /^service\.db$/u,
      (file: string) => {
        const db = openSqlite(file, "delete");
        db.exec("PRAGMA foreign_keys=OFF; DELETE FROM tags");
        db.close();
      },
      /service\.db (?:was changed|has)/u,
    ],
  ])("restores nothing of a damaged backup: %s", async (_, pattern, damage, says) => {
    await take();
    damage(fileOf(pattern));
    for (const args of [["--check"], []]) {
      const { code, out } = await putBack(...args);
      expect([code, out]).toEqual([3, expect.stringMatching(says)]);
    }
    expect(existsSync(target)).toBe(false);
  });

  it("fills a folder that is there, such as a mounted disk", async () => {
    await take();
    mkdirSync(path.join(target, "lost+found"), { recursive: true });
    const { ino } = statSync(target);
    const { code, out } = await putBack();
    expect([code, out]).toEqual([0, expect.stringContaining("restored and proven")]);
    expect(statSync(target).ino).toBe(ino);
    expect(existsSync(path.join(target, "lost+found"))).toBe(true);
    expect(readdirSync(target)).not.toContain("restore.part");
    expect(await lookIn(target, full)).toEqual(await lookIn(data, full));
  });

  it("goes on after a kill, and never beside a service or another restore", async () => {
    await take();
    mkdirSync(path.join(target, "restore.part/media"), { recursive: true });
    writeFileSync(path.join(target, "restore.part/service.db"), "half of it");
    const lock = tryLockFile(path.join(target, "serve.lock"));
    const refused = await putBack();
    expect([refused.code, refused.err]).toEqual([
      7,
      expect.stringContaining("is being served or restored by another process"),
    ]);
    lock?.release();
    expect((await putBack()).code).toBe(0);
    expect(await lookIn(target, full)).toEqual(await lookIn(data, full));
  });

  it("never writes over data, and takes nothing else for a backup", async () => {
    await take();
    const { code, err } = await type("restore", kept, "--data", data);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("the data folder must be new or empty"),
    ]);
    const file = fileOf(/^token$/u);
    const onFile = await type("restore", kept, "--data", file);
    expect([onFile.code, onFile.err]).toEqual([
      2,
      expect.stringContaining(`the data folder must be new or empty, got the file ${file}`),
    ]);
    const none = await type("restore", data, "--data", target);
    expect([none.code, none.err]).toEqual([
      2,
      expect.stringContaining("the backup must be a folder with backup.json"),
    ]);
  });

  it("reads no path of the list that leads elsewhere", async () => {
    await take();
    const file = path.join(kept, "backup.json");
    const list = JSON.parse(readFileSync(file, "utf8")) as { version: number; files: object[] };
    const sha256 = "0".repeat(64);
    for (const way of ["../x", "/etc/passwd", "media/../../x", String.raw`..\x`]) {
      const files = [...list.files, { path: way, bytes: 1, sha256 }];
      writeFileSync(file, JSON.stringify({ ...list, files }));
      const { code, err } = await putBack();
      expect([code, err]).toEqual([6, expect.stringContaining("is damaged")]);
    }
    writeFileSync(file, JSON.stringify({ ...list, version: 2 }));
    expect((await putBack()).err).toContain("was written by a newer makeready");
    expect(existsSync(target)).toBe(false);
  });
});
