import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import type { Client } from "../../src/client/client.ts";
import { toWishHashes } from "../../src/plan/hash.ts";
import { redesignRows } from "../../src/run/redesign.ts";
import { retargetRows, type RetargetContext } from "../../src/run/retarget.ts";
import { undoRun } from "../../src/run/undo.ts";
import { openChangeLog, type ChangeLog } from "../../src/state/change-log.ts";
import { openState, type State } from "../../src/state/state.ts";

const NOW = "2026-11-20T12:00:00.000Z";

interface Remote {
  readonly client: Client;
  readonly designs: Map<string, Record<string, unknown>>;
  readonly calls: string[];
}

/** A server with one code. Of its design it tells something, or nothing as other servers may. */
function makeRemote(tells: boolean, failsAfterCommit = 0): Remote {
  const designs = new Map<string, Record<string, unknown>>([
    [
      "c1",
      { primary_color: "#111111", eye_color: "#111111", frame_color: "#111111", has_logo: false },
    ],
  ]);
  const calls: string[] = [];
  let failures = failsAfterCommit;
  const answer = (id: string) => ({
    id,
    qr_type: "Link",
    dynamic: true,
    created: NOW,
    ...(tells && { design: { ...designs.get(id) } }),
  });
  const client = {
    getCode: (id: string) => {
      calls.push("get");
      return Promise.resolve(answer(id));
    },
    restyleCode: (id: string, patch: Record<string, unknown>) => {
      calls.push("restyle");
      const color = patch["primary_color"];
      designs.set(id, {
        ...designs.get(id),
        ...(color !== undefined && { eye_color: color, frame_color: color }),
        ...patch,
      });
      if (failures > 0) {
        failures -= 1;
        return Promise.reject(new Error("the connection broke"));
      }
      return Promise.resolve({ ...answer(id), svg: "<svg/>" });
    },
    downloadCode: () => {
      calls.push("download");
      return Promise.resolve({ png_url: "/p", svg_url: "/s" });
    },
    fetchAsset: () => Promise.resolve(new TextEncoder().encode("<svg>before</svg>")),
    eachWrite: async (rows: Iterable<unknown>, work: (row: never) => Promise<void>) => {
      for (const row of rows) await work(row as never);
      return 0;
    },
  } as unknown as Client;
  return { client, designs, calls };
}

interface Job {
  readonly state: State;
  readonly changes: ChangeLog;
  readonly kept: string[];
  readonly run: (remote: Remote, color: string) => Promise<void>;
  readonly undo: (remote: Remote) => Promise<string[]>;
}

function makeJob(): Job {
  const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-redesign-"));
  const state = openState(folder, { writer: "test", salt: "s", nowMs: 0 });
  const changes = openChangeLog(folder);
  const kept: string[] = [];
  const signal = new AbortController().signal;
  return {
    state,
    changes,
    kept,
    run: async ({ client }, color) => {
      const wanted = {
        type: "Link" as const,
        dynamic: true,
        qrData: "https://a.example",
        displayName: "table 1",
        folder: null,
        tags: [],
        gpsTracking: false,
        domain: null,
        vcard: null,
        gs1Product: null,
        design: { primary_color: color },
      };
      const placing = { fileBase: "c1", zip: null, sheets: null, caption: [] };
      const row = { key: "c1", seq: 0, line: 1, cells: {}, wanted, placing, again: false };
      state.adoptPlan([{ ...row, ...toWishHashes(wanted) }], []);
      state.selected.take([{ key: "c1", created: NOW, shortLink: null, designHash: null }]);
      await redesignRows({
        state,
        client,
        changes,
        logoBase64: undefined,
        keepPicture: (_row, svg) => {
          kept.push(new TextDecoder().decode(svg));
          return Promise.resolve("previous/c1.svg");
        },
        skipUnchanged: true,
        limit: null,
        now: () => NOW,
        events: { changed: () => undefined, unchanged: () => undefined, failed: () => undefined },
        signal,
      });
      changes.finish();
    },
    undo: async ({ client }) => {
      const said: string[] = [];
      await undoRun({
        begun: () => undefined,
        moved: () => undefined,
        seen: () => undefined,
        changes,
        run: changes.lastRun()?.id ?? 0,
        client,
        force: false,
        events: {
          undone: () => said.push("undone"),
          wasBack: () => said.push("was back"),
          failed: (_change, message) => said.push(message),
        },
        forget: (key) => state.selected.forgetDesign(key),
        doubt: (key) => {
          state.selected.doubtDesign(key);
          return () => undefined;
        },
        signal,
      });
      return said;
    },
  };
}

describe("redesign of a server that sends designs", () => {
  it("an update whose answer was lost is not sent again, and undo still knows what was before", async () => {
    const [job, remote] = [makeJob(), makeRemote(true, 1)];
    await expect(job.run(remote, "#6a1b9a")).rejects.toThrow("the connection broke");
    await job.run(remote, "#6a1b9a");
    expect(remote.calls).toEqual(["get", "restyle", "get"]);
    expect(await job.undo(remote)).toEqual(["undone"]);
    expect(remote.designs.get("c1")).toMatchObject({
      primary_color: "#111111",
      eye_color: "#111111",
    });
    expect(await job.undo(remote)).toEqual([]);
  });

  it("a change that is refused takes nothing from the undo of one that may have been made", async () => {
    const [job, remote] = [makeJob(), makeRemote(true, 1)];
    await expect(job.run(remote, "#6a1b9a")).rejects.toThrow("the connection broke");
    const refusing = {
      ...remote.client,
      restyleCode: () => Promise.reject(new AppError("request-refused", "this colour is refused")),
    } as unknown as Client;
    await job.run({ ...remote, client: refusing }, "#00ff00");
    expect(await job.undo(remote)).toEqual(["undone"]);
    expect(remote.designs.get("c1")).toMatchObject({ primary_color: "#111111" });
  });

  it("a change that is refused at its first try leaves nothing to undo", async () => {
    const [job, remote] = [makeJob(), makeRemote(true)];
    const refusing = {
      ...remote.client,
      restyleCode: () => Promise.reject(new AppError("request-refused", "this colour is refused")),
    } as unknown as Client;
    await job.run({ ...remote, client: refusing }, "#00ff00");
    expect(job.changes.lastRun()).toBeUndefined();
  });
});

describe("an undo whose answer was lost", () => {
  it("leaves a design that nobody knows; the next one finds it put back", async () => {
    const [job, remote] = [makeJob(), makeRemote(true)];
    await job.run(remote, "#6a1b9a");
    const broken = makeRemote(true, 1);
    broken.designs.set("c1", remote.designs.get("c1") ?? {});
    const { designHash: wish, madeDesignHash } = { ...job.state.known("c1") };
    expect(madeDesignHash).toBe(wish);
    await expect(job.undo(broken)).rejects.toThrow("the connection broke");
    expect(job.state.known("c1")?.madeDesignHash).toBe("unknown");
    expect(await job.undo(broken)).toEqual(["was back"]);
    expect(job.state.known("c1")?.madeDesignHash).toBe("put back");
  });
});

describe("redesign of a server that sends no designs", () => {
  it("keeps how a code looked, and says that this can't be put back", async () => {
    const [job, remote] = [makeJob(), makeRemote(false)];
    await job.run(remote, "#6a1b9a");
    expect(job.kept).toEqual(["<svg>before</svg>"]);
    expect(await job.undo(remote)).toEqual([
      "its old design is not known: the server didn't show it, and no earlier run had set it; how it looked is kept in previous/c1.svg",
    ]);
    expect(remote.calls.filter((call) => call === "restyle")).toHaveLength(1);
  });

  it("keeps no picture that would run something, and changes nothing then", async () => {
    const [job, remote] = [makeJob(), makeRemote(false)];
    const file = new TextEncoder().encode('<svg onload="alert(1)"/>');
    const client = { ...remote.client, fetchAsset: () => Promise.resolve(file) };
    await expect(job.run({ ...remote, client }, "#6a1b9a")).rejects.toThrow("onload on <svg>");
    expect(job.kept).toEqual([]);
    expect(remote.calls).not.toContain("restyle");
  });

  it("puts back what an earlier run of the job had set", async () => {
    const [job, remote] = [makeJob(), makeRemote(false)];
    await job.run(remote, "#6a1b9a");
    await job.run(remote, "#0a3d62");
    expect(await job.undo(remote)).toEqual(["undone"]);
    expect(remote.designs.get("c1")).toMatchObject({ primary_color: "#6a1b9a" });
  });

  it("sends nothing for a code that this job had given the design", async () => {
    const [job, remote] = [makeJob(), makeRemote(false)];
    await job.run(remote, "#6a1b9a");
    await job.run(remote, "#6a1b9a");
    expect(remote.calls.filter((call) => call === "restyle")).toHaveLength(1);
  });
});

describe("retarget", () => {
  it("a code whose new tag is refused leads elsewhere already: undo knows what was before", async () => {
    const changes = openChangeLog(mkdtempSync(path.join(os.tmpdir(), "makeready-retarget-")));
    const row = { key: "c1" };
    const code = { id: "c1", name: "table 1", isLink: false, destination: "https://a.example" };
    const client = {
      updateCode: () => Promise.resolve({}),
      addTags: () => Promise.reject(new AppError("request-refused", "too many tags")),
      eachWrite: async (rows: Iterable<unknown>, work: (row: never) => Promise<void>) => {
        for (const one of rows) await work(one as never);
      },
    };
    const failed: string[] = [];
    await retargetRows({
      state: { rows: () => [row], folderId: () => undefined, selected: { changeFailed: () => 0 } },
      client,
      changes,
      targetOf: () => ({ code, change: { fields: { qr_data: "https://b.example" }, tags: ["x"] } }),
      probe: undefined,
      limit: null,
      now: () => NOW,
      events: { failed: (_row: unknown, message: string) => failed.push(message) },
      signal: new AbortController().signal,
    } as unknown as RetargetContext);
    expect(failed).toEqual([expect.stringContaining("too many tags")]);
    const run = changes.lastRun()?.id ?? 0;
    expect([...changes.open(run)]).toMatchObject([
      { key: "c1", before: { qr_data: "https://a.example" }, state: "applied" },
    ]);
  });
});
