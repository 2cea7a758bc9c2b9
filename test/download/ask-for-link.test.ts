/** What a dynamic code says has to be known before it is printed. */
import { mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { beforeEach, describe, expect, it } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import type { Client } from "../../src/client/client.ts";
import { feed, makeQueues } from "../../src/client/queues.ts";
import { ArtworkQueue } from "../../src/download/artwork-queue.ts";
import { downloadRows, type DownloadContext } from "../../src/download/download.ts";
import { openState, type State } from "../../src/state/state.ts";
import { makeWanted, plannedRow } from "../state/planned-row.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>';

let folder: string;
let state: State;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "ask-"));
  state = openState(folder, { writer: "test", salt: "s", nowMs: 0 });
  const wanted = makeWanted({ link: { slug: null } });
  state.adoptPlan([plannedRow(1, { wanted })], []);
  const intent = { key: "row 1", ref: "r", bodyHash: "b", intentAtMs: 1 };
  state.journal.intend([intent]);
  state.journal.done({ key: "row 1", remoteId: "id 1", created: null, shortLink: null, svg: SVG });
});

async function fetchRow(
  client: Partial<Record<keyof Client, unknown>>,
  changes: Partial<DownloadContext> = {},
): Promise<string[]> {
  const queues = makeQueues(1);
  const failed: string[] = [];
  const keys = new ArtworkQueue();
  keys.push("row 1");
  keys.close();
  await downloadRows(
    {
      state,
      clock: systemClock,
      folder,
      formats: ["svg"],
      signal: new AbortController().signal,
      client: {
        eachRead: (items: AsyncIterable<string>, work: (key: string) => Promise<void>) =>
          feed(queues.read, items, work, { priority: "downloads" }),
        ...client,
      } as unknown as Client,
      events: { fetched: () => undefined, failed: (_row, message) => failed.push(message) },
      ...changes,
    },
    keys,
  );
  return failed;
}

/** A client whose server shows just this of a short link. */
const answering = (shown: Record<string, string>) => ({
  getLink: (id: string) => Promise.resolve({ id, ...shown }),
});

const readSvg = (svg: string): Promise<string | undefined> =>
  Promise.resolve(svg === SVG ? "https://s.example/b" : undefined);

describe("a short link whose answer names no short link (docs/spec/api.md section 2.8: the fields are not all shown)", () => {
  it("is asked for once more", async () => {
    expect(await fetchRow(answering({ shortlink_url: "https://s.example/a" }))).toEqual([]);
    expect(state.row("row 1")?.shortLink).toBe("https://s.example/a");
    expect(readFileSync(path.join(folder, "artwork/file-1.svg"), "utf8")).toBe(SVG);
  });

  it("is read out of its picture", async () => {
    expect(await fetchRow(answering({ svg: SVG }), { read: readSvg })).toEqual([]);
    expect(state.row("row 1")?.shortLink).toBe("https://s.example/b");
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "https://s.example/a\u001b[2J"])(
    "fails its row when it is %j, which nobody should scan",
    async (shortLink) => {
      const [failed = ""] = await fetchRow(answering({ shortlink_url: shortLink }));
      expect(failed).toContain("the short link of a code must be a web address");
      expect(state.row("row 1")?.shortLink).toBeNull();
    },
  );

  it("fails only its row when no answer names it", async () => {
    const failed = await fetchRow(answering({ svg: "<svg/>" }), { read: readSvg });
    expect(failed).toEqual(["the server must tell what a dynamic code says, got nothing"]);
    expect([...state.sheetRows("a.pdf", ["key"])]).toEqual([]);
    expect(state.groups("sheets")).toEqual([]);
  });
});
