import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { verifyWebhook } from "../../src/api/webhook.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import type { Posted } from "../../src/service/http/guarded-fetch.ts";
import { runInProcess } from "../flow/in-process.ts";
import { makeService, storeSetting, type TestService } from "../service/make-service.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-webhooks-"));
const data = path.join(folder, ".makeready");
const CRM = "http://10.0.0.7/in";
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";
const got: { url: string; posted: Posted }[] = [];
let service: TestService;

beforeAll(async () => {
  service = await makeService({
    dataDir: data,
    ids: randomIds,
    post: async (url, posted) => {
      got.push({ url, posted });
      return 200;
    },
  });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const type = async (...argv: string[]) =>
  runInProcess(["webhooks", ...argv], { cwd: folder, env: await storeSetting(data) });

describe("makeready webhooks", () => {
  it("adds a receiver beside the service that runs, lists it and removes it", async () => {
    expect((await type()).out).toBe("no receivers\n");
    expect((await type("list", "--json")).out).toBe("");
    const added = await type("add", CRM, "--json");
    const { id, secret } = JSON.parse(added.out) as { id: string; secret: string };
    const again = await type("add", CRM, "--events", "form.submitted,scan");
    expect([again.code, again.err]).toEqual([
      2,
      expect.stringContaining(`must be a new one for scan, got that of the receiver ${id}`),
    ]);
    expect(again.err).toContain(`remove it first: makeready webhooks remove ${id}`);
    const elsewhere = await type("add", CRM, "--data", "./.makeready");
    expect(elsewhere.err).toContain(`: makeready webhooks --data ./.makeready remove ${id}`);
    expect((await type("resume", "none", "--data", ".makeready")).err).toContain(
      "makeready webhooks --data .makeready lists them",
    );
    const forms = await type("add", CRM, "--events", "form.submitted", "--json");
    await type("remove", (JSON.parse(forms.out) as { id: string }).id);
    await service.webhooks.set(service.workspace, {
      url: CRM,
      secret: "x",
      events: ["form.submitted"],
    });
    const served = await type("add", CRM, "--events", "form.submitted");
    expect(served.err).toContain("serve named that receiver: set it with --webhook-events");
    expect(served.err).not.toContain("webhooks remove");
    await service.webhooks.set(service.workspace, undefined);
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, PHONE);
    await service.clock.advance(100);
    const [{ url, posted } = expect.fail("nothing came")] = got;
    // The operator named it: it may be private.
    expect([url, posted.allowPrivate]).toEqual([CRM, true]);
    const signature = posted.headers["x-signature"];
    expect(verifyWebhook({ body: posted.body, signature, secret })).toBe(true);
    const { out } = await type("list");
    expect(out).toContain(
      `receiver ${id}: scan\n  ${CRM}\n  workspace default of the account default (${service.workspace})\n  0 reports waiting, last delivery: received`,
    );
    expect(out).not.toContain(secret);
    expect((await type("remove", id, "--secret", "x")).err).toContain(
      "--secret must be given with add only, got it with remove",
    );
    expect((await type("resume", id.slice(0, 8))).code).toBe(0);
    expect((await type("remove", id.slice(0, 8))).out).toContain("is gone, with 0 reports");
    expect((await type()).out).toBe("no receivers\n");
  });

  it("shows no password of an address, as text and as JSON", async () => {
    await type("add", "http://user:geheim@10.0.0.7/in", "--secret", "x");
    for (const more of [[], ["--json"]]) {
      const { out } = await type("list", ...more);
      expect(out).toContain("http://…@10.0.0.7/in");
      expect(out).not.toContain("geheim");
    }
  });

  it.each([
    [["add"], "the receiver's address must be named"],
    [["add", "ftp://example.com/"], "must be an http or https URL"],
    [["add", CRM, "--events", "scan,forms"], 'got "forms"'],
    [["add", CRM, "--workspace", "x"], "--workspace must be one of this service, got x"],
    [["remove", "abcd"], "the receiver must be named by its id, got abcd"],
    [["show"], "action must be one of list, add, remove, resume"],
  ])("says what is wrong with %j", async (argv, message) => {
    const { code, err } = await type(...argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
