/** The service as people run it, on a disk that is full or may not be written. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { canMount, mount, unmount } from "../help/mount.ts";
import { canRunAsNobody, uid } from "../help/nobody.ts";
import { openService } from "../../src/service/service.ts";
import { runHere } from "./in-process.ts";
import { makeJobFolder, makeRows } from "./job-folder.ts";
import { PROGRAM, runProgram, SHORT_LIVED } from "./program.ts";

let disk: string;
beforeEach(() => {
  disk = mkdtempSync(path.join(tmpdir(), "full-disk-"));
});
afterEach(() => {
  unmount(disk);
  rmSync(disk, { recursive: true, force: true });
});

interface Started {
  readonly base_url: string;
  readonly public_url: string;
  readonly token: string;
  readonly workspace_id: string;
}

interface Running extends Started {
  readonly send: (method: string, path: string, body?: object) => Promise<Response>;
  readonly stop: () => Promise<number | null>;
}

/** The log goes to the same disk. */
async function serve(): Promise<Running> {
  const log = openSync(path.join(disk, "log"), "a");
  const args = [...SHORT_LIVED, PROGRAM, "serve", "--json", "--limits", "off", "--port", "0"];
  const child: ChildProcess = spawn(
    process.execPath,
    [...args, "--data", path.join(disk, "data")],
    {
      stdio: ["ignore", "pipe", log],
    },
  );
  closeSync(log);
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (data: Buffer) => resolve(data.toString()));
    child.once("exit", () => reject(new Error("the service did not start")));
  });
  const started = JSON.parse(line) as Started;
  return {
    ...started,
    send: (method, where, body) =>
      fetch(`${started.base_url}${where}`, {
        method,
        headers: { authorization: `Token ${started.token}`, "content-type": "application/json" },
        body:
          body === undefined ? null : JSON.stringify({ workspace: started.workspace_id, ...body }),
      }),
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", resolve);
        child.kill();
      }),
  };
}

/** A data folder as a service leaves it. */
async function makeData(): Promise<string> {
  const data = path.join(disk, "data");
  const service = await openService({ dataDir: data, limits: "off" });
  await service.close();
  return data;
}

const CHUNK = Buffer.alloc(16_384);

/** Fills the disk; answers what frees it. */
function fill(): () => void {
  const file = path.join(disk, "filler");
  const handle = openSync(file, "w");
  try {
    for (;;) writeSync(handle, CHUNK);
  } catch {
    closeSync(handle);
  }
  return () => rmSync(file);
}

describe.runIf(canMount)("a disk that fills up under `serve`, log and all", () => {
  it("takes no more creates (503), leads visits on, and goes on when there is room again", async () => {
    expect(mount("-t", "tmpfs", "-o", "size=8m", "tmpfs", disk)).toBe(true);
    const first = await serve();
    const made: string[] = [];
    const create = async (n: number): Promise<number> => {
      const response = await first.send("POST", "/qrcode/create/", {
        qr_data: `https://example.com/${n}/${"x".repeat(2000)}`,
        dynamic: true,
      });
      const body = (await response.json()) as { id: string; detail?: string };
      if (response.status === 200) made.push(body.id);
      else expect(body.detail).toContain("can't store anything");
      return response.status;
    };
    expect(await create(0)).toBe(200);
    const code = (await (await first.send("GET", `/qrcode/${made[0] ?? ""}/`)).json()) as {
      shortlink_url: string;
    };
    const free = fill();
    // What is written anew in its place may still have room.
    const statuses: number[] = [];
    for (let n = 1; n < 200 && statuses.filter((status) => status === 503).length < 20; n += 1) {
      statuses.push(await create(n));
    }
    expect(statuses.filter((status) => status === 503)).toHaveLength(20);
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    for (let n = 0; n < 5; n += 1) {
      const visit = await fetch(code.shortlink_url, {
        redirect: "manual",
        headers: { "user-agent": `QR Scanner ${n} (iPhone)` },
      });
      expect(visit.status).toBe(302);
    }
    expect((await first.send("GET", `/workspace/${first.workspace_id}/qrcodes/`)).status).toBe(200);
    free();
    expect(await create(1000)).toBe(200);
    expect(await first.stop()).toBe(0);
    const second = await serve();
    for (const id of made) expect((await second.send("GET", `/qrcode/${id}/`)).status).toBe(200);
    const list = await second.send("GET", `/workspace/${second.workspace_id}/qrcodes/?page_size=1`);
    expect(await list.json()).toMatchObject({ count: made.length });
    const scanned = await second.send("GET", `/qrcode/${made[0] ?? ""}/`);
    expect(await scanned.json()).toMatchObject({ total_scans: 5, unique_scans: 5 });
    await second.stop();
  });
});

const expectSentence = (err: string): void => {
  expect(err).toContain("the data folder must be writable, but ");
  expect(err).toContain("free some space on its disk, or make it writable");
  expect(err).not.toMatch(/^\s+at /mu);
};

it.runIf(canMount)("`set` says that the disk is read-only, as other commands do", async () => {
  mount("-t", "tmpfs", "tmpfs", disk);
  const manifest = path.join(disk, "job.yaml");
  writeFileSync(path.join(disk, "rows.csv"), "n\n1\n");
  writeFileSync(
    manifest,
    'version: 1\nname: job\nkind: codes\nsource: rows.csv\ncode: { dynamic: false, qr_data: "{{ n }}" }\noutput: { dir: out }\n',
  );
  expect(mount("-o", "remount,ro", disk)).toBe(true);
  const ended = await runHere(["set", manifest, "output.dir=x"]);
  expect(ended.code).toBe(2);
  expect(ended.err).toContain(
    `error: ${manifest} must be writable, but the disk is read-only (EROFS)\n`,
  );
  expect(ended.err).not.toContain("who owns");
});

describe("a data folder that can't be written", () => {
  it.runIf(canMount)(
    "on a read-only disk ends `serve` with exit code 2 and a sentence",
    async () => {
      mount("-t", "tmpfs", "tmpfs", disk);
      const data = path.join(disk, "data");
      const first = await serve();
      await first.stop();
      expect(mount("-o", "remount,ro", disk)).toBe(true);
      for (const folder of [data, path.join(disk, "new")]) {
        const ended = await runHere(["serve", "--data", folder, "--port", "0"]);
        expect([ended.code, ended.out]).toEqual([2, ""]);
        expectSentence(ended.err);
        expect(ended.err).toContain("the disk is read-only (EROFS)");
      }
    },
  );

  it.runIf(canRunAsNobody)("that belongs to somebody else does, too", async () => {
    const data = await makeData();
    chmodSync(disk, 0o755);
    chmodSync(data, 0o555);
    const options = uid === undefined ? {} : { uid };
    for (const folder of [data, path.join(data, "new")]) {
      const ended = await runProgram(["serve", "--data", folder, "--port", "0"], options);
      expect(ended.code).toBe(2);
      expectSentence(ended.err);
      expect(ended.err).toContain("access is denied (EACCES)");
    }
    chmodSync(data, 0o755);
  });

  it.runIf(canMount)("ends `run` so, whose service has it beside the job", async () => {
    const files = makeJobFolder(makeRows(2));
    const data = path.join(files.root, ".makeready");
    mkdirSync(data);
    expect(mount("-t", "tmpfs", "-o", "ro", "tmpfs", data)).toBe(true);
    try {
      const ended = await runHere(["run", files.manifest]);
      expect(ended.code).toBe(2);
      expectSentence(ended.err);
    } finally {
      unmount(data);
    }
  });
});

it.runIf(uid !== undefined && canRunAsNobody)(
  "a data folder whose modes belong to another user is reported once, and served",
  async () => {
    const data = await makeData();
    chmodSync(disk, 0o755);
    const open = spawnSync("chmod", ["-R", "a+rwX", data]);
    expect(open.status).toBe(0);
    const ended = await runProgram(["serve", "--data", data, "--port", "0", "--json"], {
      ...(uid !== undefined && { uid }),
      onLine: (_, child) => child.kill(),
    });
    expect(ended.code).toBe(0);
    const warnings = ended.err.split("\n").filter((line) => line.includes('"level":40'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("others on this computer may look into the data folder");
  },
);
