import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { openService } from "../../src/service/service.ts";
import { runInProcess } from "../flow/in-process.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-serve-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = path.join(folder, "data");

type Line = Readonly<Record<string, string>>;

/** Serves until `use` is done; answers what `use` answered. */
async function serve<T>(flags: readonly string[], use: (line: Line) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  let used: Promise<T> | undefined;
  const ended = await runInProcess(["serve", "--port", "0", "--data", data, "--json", ...flags], {
    cwd: folder,
    signal: stop.signal,
    out: (text) => {
      used = use(JSON.parse(text) as Line).finally(() => stop.abort());
    },
  });
  if (used === undefined) throw new Error(`exit ${ended.code}: ${ended.err}`);
  return used;
}

const ask = (line: Line, address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${line["base_url"]}${address}`, {
    ...init,
    headers: {
      authorization: `Token ${line["token"]}`,
      "content-type": "application/json",
      ...(init.headers as Record<string, string> | undefined),
    },
  });
const create = (line: Line, fields: object): Promise<Response> =>
  ask(line, "/qrcode/create/", {
    method: "POST",
    body: JSON.stringify({
      workspace: line["workspace_id"],
      qr_data: "https://example.com/",
      ...fields,
    }),
  });
const limitOf = ({ headers }: Response): [number, number] => [
  Number(headers.get("ratelimit-limit")),
  Number(headers.get("ratelimit-remaining")),
];

describe("makeready serve", () => {
  it("first says one JSON object: where, with which token, for which workspace", async () => {
    const line = await serve(["--demo-accounts"], async (one) => {
      expect((await ask(one, `/workspace/${one["workspace_id"]}/tags/`)).status).toBe(200);
      const foreign = await ask(one, `/workspace/${one["other_workspace_id"]}/tags/`);
      expect(foreign.status).toBe(404);
      return one;
    });
    expect(Object.keys(line)).toEqual([
      "base_url",
      "token",
      "workspace_id",
      "public_url",
      "mcp_url",
      "other_token",
      "other_workspace_id",
    ]);
    expect(line["base_url"]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v2$/u);
    expect(readFileSync(path.join(data, "token"), "utf8").trim()).toBe(line["token"]);
  });

  it.each([
    [[], [119, 59, 19]],
    [
      ["--limits", "600/300"],
      [599, 299, 19],
    ],
  ])("%j limits tokens, and addresses without one", async (flags, remaining) => {
    await serve(flags, async (line) => {
      const path_ = `/workspace/${line["workspace_id"]}/tags/`;
      const answers = [
        await ask(line, path_),
        await create(line, {}),
        await ask(line, path_, { headers: { authorization: "Token guess" } }),
      ];
      expect(answers.map((answer) => limitOf(answer)[1])).toEqual(remaining);
    });
  });

  it("--limits off refuses no request, and still sends limits with every answer", async () => {
    await serve(["--limits", "off"], async (line) => {
      for (let n = 0; n < 25; n += 1) {
        const answer = await ask(line, "/x/", { headers: { authorization: "Token guess" } });
        expect(answer.status).toBe(401);
        expect(limitOf(answer)[1]).toBeGreaterThan(1_000_000);
      }
      // Nor what has limits of its own.
      const revoke = new URL("/oauth/revoke", line["base_url"]);
      for (let n = 0; n < 25; n += 1) {
        expect((await fetch(revoke, { method: "POST", body: "" })).status).toBe(400);
      }
    });
  });

  it.each(["dynamic_codes=1", "plan.json"])("--plan %s limits every account", async (plan) => {
    writeFileSync(path.join(folder, "plan.json"), '{"dynamic_codes": 1}');
    rmSync(data, { recursive: true, force: true });
    await serve(["--plan", plan], async (line) => {
      expect((await create(line, { dynamic: true })).status).toBe(200);
      const refused = await create(line, { dynamic: true });
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain("dynamic_codes");
      expect((await create(line, {})).status).toBe(200);
    });
  });

  it("--new-token replaces the token", async () => {
    const old = await serve([], async (line) => line["token"]);
    const fresh = await serve(["--new-token"], async (line) => {
      const answer = await ask(line, "/x/", { headers: { authorization: `Token ${old}` } });
      expect(answer.status).toBe(401);
      return line["token"];
    });
    expect(await serve([], async (line) => line["token"])).toBe(fresh);
  });

  it("--trust-proxy distinguishes senders behind a proxy", async () => {
    await serve(["--trust-proxy"], async (line) => {
      const left = async (from: string): Promise<number> =>
        limitOf(
          await ask(line, "/x/", { headers: { authorization: "", "x-forwarded-for": from } }),
        )[1];
      expect([await left("1.1.1.1"), await left("1.1.1.1"), await left("2.2.2.2")]).toEqual([
        19, 18, 19,
      ]);
    });
  });

  it.each([
    [["--plan", "codes=5"], "dynamic_codes"],
    [["--plan", "none/plan.json"], "--plan must name a file that is there, or be a plan, got none"],
    [["--limits", "none"], "--limits"],
    [["--port", "x"], "--port"],
    [["--public-url", "go.example"], "--public-url"],
    [
      ["--plan", "webhooks=off", "--webhook-url", "https://a.example/", "--webhook-secret", "s"],
      "plan",
    ],
  ])("refuses %j and says what it takes", async (flags, word) => {
    const { code, err } = await runInProcess(["serve", "--data", data, ...flags]);
    expect([code, err]).toEqual([2, expect.stringContaining(word) as string]);
  });
});

describe("makeready serve, about scans", () => {
  const PHONE =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";

  it("reports them to --webhook-url, which may be private, signed with the secret", async () => {
    const got: { signature: unknown; body: string }[] = [];
    const arrived = new EventTarget();
    const received = once(arrived, "report");
    const receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        got.push({ signature: request.headers["x-signature"], body });
        response.end();
        arrived.dispatchEvent(new Event("report"));
      });
    });
    await new Promise<void>((resolve) => {
      receiver.listen(0, "127.0.0.1", resolve);
    });
    const { port } = receiver.address() as AddressInfo;
    const flags = ["--webhook-url", `http://127.0.0.1:${port}/`, "--webhook-secret", "s3cret"];
    await serve([...flags, "--time-zone", "Europe/Berlin"], async (line) => {
      const code = (await (await create(line, { dynamic: true })).json()) as Line;
      const options = { redirect: "manual", headers: { "user-agent": PHONE } } as const;
      await fetch(code["shortlink_url"] ?? "", options);
      await received;
      const record = JSON.parse(got[0]?.body ?? "") as Line;
      expect(record["qr_code_id"]).toBe(code["id"]);
      expect(record["time_timezone_aware"]).toMatch(/ CES?T$/u);
    });
    const right = createHmac("sha256", "s3cret").update(got[0]?.body ?? "");
    expect(got[0]?.signature).toBe(right.digest("hex"));
    receiver.closeAllConnections();
    receiver.close();
  });

  it("refuses a folder that another one serves; a job may open it, and so may the next to serve", async () => {
    await serve([], async (line) => {
      const stop = new AbortController();
      const second = await runInProcess(["serve", "--port", "0", "--data", data], {
        cwd: folder,
        signal: stop.signal,
        clock: { ...systemClock, sleep: () => Promise.resolve() },
        out: () => stop.abort(),
      });
      expect(second.code).toBe(7);
      expect(second.err).toContain("is already served by another process");
      const waits = `another process serves ${data}; waiting up to ten seconds for it to stop\n`;
      expect(second.err.startsWith(waits)).toBe(true);
      expect(second.err).not.toContain("{");
      expect(second.err).toContain("stop that one first");
      const job = await openService({ dataDir: data });
      expect(job.account.token).toBe(line["token"]);
      await job.close();
      expect((await create(line, {})).status).toBe(200);
    });
    await serve([], async (line) => expect((await create(line, {})).status).toBe(200));
  });

  it.each([
    [["--webhook-url", "https://example.com/"], "a secret"],
    [["--webhook-secret", "x"], "--webhook-url"],
    [["--webhook-events", "scan"], "--webhook-events must come with --webhook-url, got none"],
    [["--webhook-url", "ftp://example.com/", "--webhook-secret", "x"], "http or https"],
    [["--geo-headers", "cloudflare"], "--trust-proxy"],
    [["--trust-proxy", "--geo-headers", "planet=x"], "geo headers"],
    [["--trust-proxy", "example.com"], "trusted proxies"],
    [["--geo-database", "nothing.mmdb"], "nothing.mmdb"],
    [["--time-zone", "Mars"], "time zone"],
    [["--scan-flush", "0"], "--scan-flush"],
    [["--scan-flush", "soon"], "--scan-flush"],
  ])("refuses %j, with what must be", async (flags, says) => {
    const ended = await runInProcess(["serve", "--port", "0", "--data", data, ...flags], {
      cwd: folder,
      signal: new AbortController().signal,
      out: () => {},
    });
    expect(ended.code).toBe(2);
    expect(ended.err).toContain(says);
  });
});
