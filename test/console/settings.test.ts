/** Tokens, webhooks, assistants, limits: what an account sees and changes of itself. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, describe, expect, onTestFinished, test } from "vitest";

import { webhookHeaders, verifyWebhook } from "../../src/api/webhook.ts";
import { writeBackup } from "../../src/service/backup/backup.ts";
import { freshDatabase, hasPostgres } from "../postgres.ts";
import { openConsole, Visitor, type TestConsole } from "./ask-console.ts";
import { letIn } from "./let-in.ts";

let opened: TestConsole;
afterEach(() => opened.service.close());

const plain = (text: string): string => text.replaceAll(/<[^>]*>/gu, " ").replaceAll(/\s+/gu, " ");

const secretOf = (text: string): string => /class="once">([^<]+)</u.exec(text)?.[1] ?? "";

describe("tokens", () => {
  test("are named, shown once, work, are used, and are refused from the moment they are revoked", async () => {
    opened = await openConsole();
    const { service, owner } = opened;
    const made = await owner.post("/settings/tokens", {
      name: "print shop",
      access: "full",
      days: "30",
    });
    expect(made.status).toBe(200);
    expect(made.headers.get("cache-control")).toBe("no-store");
    const token = secretOf(made.text);
    expect(token).toMatch(/^[0-9a-f]{40}$/u);
    const settings = await owner.get("/settings");
    expect(settings.text).not.toContain(token);
    expect(plain(settings.text)).toContain(
      "print shop read and change Nov 20, 2026, 8:00 AM UTC never Dec 20",
    );
    const list = `/workspace/${service.workspace}/qrcodes/`;
    expect((await service.send("GET", list, undefined, { token })).status).toBe(200);
    await service.clock.advance(1);
    expect(plain((await owner.get("/settings")).text)).not.toMatch(/print shop[^.]*UTC never/u);
    const id =
      /name="token" value="([^"]+)"[^>]*>[^<]*<\/button><\/form><\/details><\/td><\/tr><\/tbody>/u.exec(
        (await owner.get("/settings")).text,
      )?.[1];
    const guest = new Visitor(service);
    expect((await guest.signIn(token)).status).toBe(303);
    expect((await owner.post("/settings/tokens/revoke", { token: id ?? "" })).location).toContain(
      "done=revoked",
    );
    expect((await service.send("GET", list, undefined, { token })).status).toBe(401);
    // Who was signed in with it is signed out.
    expect((await guest.get("/codes")).status).toBe(303);
  });

  test("end by themselves, their sessions with them; a name is given once", async () => {
    opened = await openConsole();
    const { service, owner } = opened;
    const token = secretOf(
      (await owner.post("/settings/tokens", { name: "short", access: "full", days: "0.1" })).text,
    );
    const guest = new Visitor(service);
    expect((await guest.signIn(token)).status).toBe(303);
    const twice = await owner.post("/settings/tokens", { name: "short", access: "full", days: "" });
    expect([twice.status, plain(twice.text).includes("which is taken")]).toEqual([400, true]);
    await service.clock.advance(3 * 3_600_000);
    expect((await guest.get("/codes")).status).toBe(303);
    expect(plain((await owner.get("/settings")).text)).toContain("has ended");
  });

  test.each(["0", "-5", "abc", "1e12", "1e300", "36501"])(
    "never live for ever because their end was written badly: %s",
    async (days) => {
      opened = await openConsole();
      const { owner } = opened;
      const { status, text } = await owner.post("/settings/tokens", {
        name: "print shop",
        access: "read-only",
        days,
      });
      expect([status, plain(text)]).toEqual([400, expect.stringContaining("1 to 36,500 days")]);
      expect(text).toContain('value="print shop"');
      expect(text).toContain(`value="${days}"`);
      expect(plain((await owner.get("/settings")).text)).not.toContain("print shop");
    },
  );

  test("of another account are neither seen nor revoked", async () => {
    opened = await openConsole();
    const { service, owner } = opened;
    const other = new Visitor(service);
    await other.signIn(service.other.token);
    await other.post("/settings/tokens", { name: "theirs", access: "full", days: "" });
    const { text } = await other.get("/settings");
    const ids = [...text.matchAll(/name="token" value="([^"]+)"/gu)].map(([, id = ""]) => id);
    expect(ids).toHaveLength(2);
    expect((await owner.get("/settings")).text).not.toContain("theirs");
    for (const token of ids) {
      expect((await owner.post("/settings/tokens/revoke", { token })).status).toBe(404);
    }
    expect((await other.get("/settings")).status).toBe(200);
  });
});

interface Got {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const RECEIVER = "https://hooks.example/in";
const openHooks = async () => {
  const got: Got[] = [];
  let status = 200;
  opened = await openConsole({
    post: async (url, { body, headers }) => {
      got.push({ url, body: Buffer.from(body).toString(), headers });
      return status;
    },
  });
  return { ...opened, got, answer: (next: number) => (status = next) };
};
const idIn = (text: string): string =>
  /\/settings\/webhooks\/([^/"]+)\/test/u.exec(text)?.[1] ?? "";
const flush = (): Promise<void> => opened.service.clock.advance(1000);

describe("webhooks", () => {
  test("an address that can't be reached or shows a password is refused; what was ticked stays", async () => {
    opened = await openConsole();
    const { owner } = opened;
    owner.cookies.set("makeready_console_language", "de");
    for (const [url, says] of [
      ["http://127.0.0.1:18145/ok", "muss öffentlich sein"],
      ["http://[::1]/ok", "muss öffentlich sein"],
      ["http://localhost:18145/ok", "muss öffentlich sein"],
      ["http://10.0.0.3/x", "muss öffentlich sein"],
      ["https://user:pw@x.example/", "weder Benutzernamen noch Passwort"],
    ] as const) {
      const { status, text } = await owner.post("/settings/webhooks", {
        url,
        events: "form.submitted",
      });
      expect([status, plain(text)]).toEqual([400, expect.stringContaining(says)]);
      expect(text).toMatch(/value="form.submitted" checked/u);
      expect(text).not.toMatch(/value="scan" checked/u);
      expect(text).not.toContain("/test");
    }
  });

  test("a password that the operator put into an address is not shown", async () => {
    const { owner, service } = await openHooks();
    const receiver = { url: "https://user:geheim@hooks.example/in", secret: "x" };
    await service.webhooks.set(service.workspace, receiver);
    const { text } = await owner.get("/settings");
    expect(text).toContain("https://…@hooks.example/in");
    expect(text).not.toContain("geheim");
  });

  test("what became of a report is said in the reader's language", async () => {
    const answers: (number | string)[] = [500, "the address must be public", 302];
    opened = await openConsole({
      post: async () => {
        const answer = answers.shift() ?? 200;
        if (typeof answer === "string") throw new Error(answer);
        return answer;
      },
    });
    const { service, owner } = opened;
    owner.cookies.set("makeready_console_language", "de");
    await owner.post("/settings/webhooks", { url: RECEIVER, events: "scan" });
    const id = idIn((await owner.get("/settings")).text);
    await owner.post(`/settings/webhooks/${id}/test`, {});
    await service.clock.advance(60_000);
    const text = plain((await owner.get("/settings")).text);
    expect(text).toContain("500 Der Empfänger antwortete 500.");
    expect(text).toContain("– Die Adresse muss öffentlich sein");
    expect(text).toContain("302 Der Empfänger antwortete 302: Umleitungen wird nicht gefolgt.");
  });

  test("a receiver is set, tested, renewed and removed; reports are signed with the newest secret", async () => {
    const { owner, got } = await openHooks();
    const made = await owner.post("/settings/webhooks", {
      url: RECEIVER,
      events: ["scan", "form.submitted"],
    });
    const secret = secretOf(made.text);
    expect(secret).toMatch(/^whs_[a-z2-7]{39}$/u);
    const shown = await owner.get("/settings");
    expect(shown.text).not.toContain(secret);
    const id = idIn(shown.text);
    await owner.post(`/settings/webhooks/${id}/test`, {});
    await flush();
    const [first] = got;
    expect([first?.url, first?.headers[webhookHeaders.event]]).toEqual([RECEIVER, "test"]);
    const signature = first?.headers[webhookHeaders.signature];
    expect(verifyWebhook({ body: first?.body ?? "", signature, secret })).toBe(true);
    expect(plain((await owner.get("/settings")).text)).toContain("test 200 received");
    const renewed = secretOf((await owner.post(`/settings/webhooks/${id}/secret`, {})).text);
    expect(renewed).not.toBe(secret);
    await owner.post(`/settings/webhooks/${id}/test`, {});
    await flush();
    const second = got.at(-1);
    const given = {
      body: second?.body ?? "",
      signature: second?.headers[webhookHeaders.signature],
    };
    expect(verifyWebhook({ ...given, secret })).toBe(false);
    expect(verifyWebhook({ ...given, secret: renewed })).toBe(true);
    await owner.post(`/settings/webhooks/${id}/remove`, {});
    expect((await owner.get("/settings")).text).not.toContain(RECEIVER);
    expect(
      (await owner.post("/settings/webhooks", { url: "ftp://x", events: "scan" })).status,
    ).toBe(400);
    expect((await owner.post("/settings/webhooks", { url: RECEIVER })).status).toBe(400);
  });

  test("a second receiver of the same address gets other events, or is refused in words", async () => {
    const { owner, service } = await openHooks();
    const receiver = { url: RECEIVER, events: "scan" };
    expect((await owner.post("/settings/webhooks", receiver)).status).toBe(200);
    owner.cookies.set("makeready_console_language", "de");
    const again = await owner.post("/settings/webhooks", receiver);
    expect([again.status, plain(again.text)]).toEqual([
      409,
      expect.stringContaining(
        "Dieser Adresse wird das schon gemeldet. Entfernen Sie zuerst ihren Empfänger, oder wählen Sie andere Ereignisse.",
      ),
    ]);
    expect(again.text).not.toContain("makeready webhooks");
    const forms = { ...receiver, events: "form.submitted" };
    expect((await owner.post("/settings/webhooks", forms)).status).toBe(200);
    const other = "https://other.example/in";
    await service.webhooks.set(service.workspace, { url: other, secret: "x" });
    const served = await owner.post("/settings/webhooks", { url: other, events: "scan" });
    expect(plain(served.text)).toContain("Ihren Empfänger hat der Betreiber des Dienstes gesetzt");
  });

  test("a report is sent again under its old id, for a day", async () => {
    const { owner, service, got, answer } = await openHooks();
    await owner.post("/settings/webhooks", { url: RECEIVER, events: "scan" });
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url);
    await flush();
    expect(got).toHaveLength(1);
    const { text } = await owner.get("/settings");
    const id = idIn(text);
    const report = /name="report" value="(\d+)"/u.exec(text)?.[1] ?? "";
    const again = await owner.post(`/settings/webhooks/${id}/resend`, { report });
    expect(again.location).toContain("done=resent");
    await flush();
    expect(got[1]?.body).toBe(got[0]?.body);
    expect(got[1]?.headers[webhookHeaders.delivery]).toBe(got[0]?.headers[webhookHeaders.delivery]);
    answer(500);
    await owner.post(`/settings/webhooks/${id}/test`, {});
    await flush();
    expect(plain((await owner.get("/settings")).text)).toContain("500 the receiver answered 500");
    answer(200);
    await service.clock.advance(25 * 3_600_000);
    await owner.signIn(service.account.token);
    // What is sent now sweeps what is old.
    await service.scan(code.shortlink_url);
    await flush();
    const late = await owner.post(`/settings/webhooks/${id}/resend`, { report });
    expect(late.location).toContain("done=forgotten");
  });

  test("the operator's own receiver is tested here, and changed where it was set", async () => {
    const { owner, service, got } = await openHooks();
    await service.webhooks.set(service.workspace, { url: RECEIVER, secret: "of the operator" });
    const id = service.workspace;
    for (const what of ["remove", "secret"]) {
      const { status, text } = await owner.post(`/settings/webhooks/${id}/${what}`, {});
      expect([what, status, plain(text)]).toEqual([
        what,
        400,
        expect.stringContaining("The operator of the service set this receiver"),
      ]);
    }
    expect((await owner.post(`/settings/webhooks/${id}/test`, {})).status).toBe(303);
    await flush();
    const [test] = got;
    const signature = test?.headers[webhookHeaders.signature];
    const secret = "of the operator";
    expect(verifyWebhook({ body: test?.body ?? "", signature, secret })).toBe(true);
  });

  test("an old report isn't offered again, though nothing has swept it away yet", async () => {
    const { owner, got } = await openHooks();
    await owner.post("/settings/webhooks", { url: RECEIVER, events: "scan" });
    const id = idIn((await owner.get("/settings")).text);
    await owner.post(`/settings/webhooks/${id}/test`, {});
    await flush();
    const report = /name="report" value="(\d+)"/u.exec((await owner.get("/settings")).text)?.[1];
    await opened.service.clock.advance(25 * 3_600_000);
    await owner.signIn(opened.service.account.token);
    expect((await owner.get("/settings")).text).not.toContain('name="report"');
    const late = await owner.post(`/settings/webhooks/${id}/resend`, { report: report ?? "" });
    expect(late.location).toContain("done=forgotten");
    await flush();
    expect(got).toHaveLength(1);
  });

  test("of another account can't be seen, tested, renewed, sent again or removed", async () => {
    const { owner, service, got } = await openHooks();
    const other = new Visitor(service);
    await other.signIn(service.other.token);
    await other.post("/settings/webhooks", { url: RECEIVER, events: "scan" });
    const id = idIn((await other.get("/settings")).text);
    expect((await owner.get("/settings")).text).not.toContain(RECEIVER);
    for (const what of ["test", "secret", "remove", "resume", "resend"]) {
      expect([
        what,
        (await owner.post(`/settings/webhooks/${id}/${what}`, { report: "1" })).status,
      ]).toEqual([what, 404]);
    }
    await flush();
    expect(got).toEqual([]);
    expect((await other.get("/settings")).text).toContain(RECEIVER);
  });
});

describe("assistants", () => {
  test("are seen with since when and their last call, sign what they change, and end when they are revoked", async () => {
    opened = await openConsole();
    const { service, owner } = opened;
    const origin = "http://service.test";
    const helper = await letIn(
      { origin, fetch: (request) => service.fetch(request) },
      service.account.token,
    );
    expect(plain((await owner.get("/settings")).text)).toContain(
      "No assistant may use this account.",
    );
    const access = await helper.exchange();
    const since = plain((await owner.get("/settings")).text);
    expect(since).toContain(
      "Helper http://localhost:7777/back read and change main token (in the data folder) Nov 20, 2026, 8:00 AM UTC never",
    );
    const made = await service.code({ dynamic: true });
    const callTool = (): Promise<Response> =>
      service.fetch(
        new Request(`${origin}/mcp`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${access}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
          },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: {
              name: "update_qr_code",
              arguments: { qr_code_id: made.id, qr_data: "https://example.com/by-helper" },
            },
          }),
        }),
      );
    const called = await callTool();
    expect([called.status, await called.text()]).toEqual([
      200,
      expect.stringContaining("by-helper"),
    ]);
    await service.clock.advance(1);
    expect(plain((await owner.get(`/codes/${made.id}`)).text)).toContain("main token (Helper)");
    const { text } = await owner.get("/settings");
    expect(plain(text)).not.toContain("8:00 AM UTC never Revoke Limits");
    const grant = /name="grant" value="([^"]+)"/u.exec(text)?.[1] ?? "";
    const other = new Visitor(service);
    await other.signIn(service.other.token);
    expect((await other.get("/settings")).text).not.toContain("Helper");
    expect((await other.post("/settings/assistants/revoke", { grant })).status).toBe(404);
    expect((await owner.post("/settings/assistants/revoke", { grant })).location).toContain(
      "done=ended",
    );
    expect((await callTool()).status).toBe(401);
  });
});

describe("limits", () => {
  test("are those of the plan and of the minute; the console's own requests count", async () => {
    opened = await openConsole({
      limits: "hosted",
      plan: { dynamicCodes: 2, pages: 1, webhooks: false },
    });
    const { owner, service } = opened;
    await service.code({ dynamic: true });
    await service.clock.advance(60_000);
    const before = plain((await owner.get("/settings")).text);
    expect(before).toContain("Reads of this token in this minute 0 120");
    expect(before).toContain("Dynamic codes 1 2");
    expect(before).toContain("The plan of this service has no webhooks.");
    await owner.get("/links");
    expect(plain((await owner.get("/settings")).text)).toContain("in this minute 1 120");
    let last = await owner.get("/links");
    for (let n = 0; n < 120 && last.status === 200; n += 1) last = await owner.get("/links");
    expect(last.status).toBe(429);
    expect(plain(last.text)).toContain("Too many requests; try again in");
    await service.clock.advance(60_000);
    const make = () =>
      owner.post("/codes/new", {
        qr_data: "https://e.example/",
        display_name: "",
        kind: "dynamic",
        folder: "",
      });
    expect((await make()).status).toBe(303);
    const refused = await make();
    expect([refused.status, plain(refused.text).includes("limit of 2 dynamic codes")]).toEqual([
      400,
      true,
    ]);
    expect(
      (await owner.post("/settings/webhooks", { url: "https://h.example/", events: "scan" }))
        .status,
    ).toBe(400);
  });

  test("the operator's account sees the size of the data and the age of the backup, others nothing of it", async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), "console-use-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    opened = await openConsole({ dataDir });
    const { owner, service } = opened;
    const { clock } = service;
    const never = plain((await owner.get("/settings")).text);
    expect(never).toMatch(
      /The data folder, of all accounts Database \d+ kB Free on its disk [\d.]+ .?B Last backup never The same/u,
    );
    expect(never).toContain(`makeready backup FOLDER --data ${dataDir}`);
    const to = `${dataDir}-backup`;
    onTestFinished(() => rmSync(to, { recursive: true }));
    const signal = new AbortController().signal;
    await writeBackup({ from: dataDir, to, clock, writer: "test", signal });
    const fresh = plain((await owner.get("/settings")).text);
    expect(fresh).toContain("Last backup Nov 20, 2026, 8:00 AM UTC · less than a day ago The same");
    await clock.advance(8 * 24 * 3_600_000);
    await owner.signIn(service.account.token);
    expect(plain((await owner.get("/settings")).text)).toContain(
      "8 days ago none in the last 7 days",
    );
    const other = new Visitor(service);
    await other.signIn(service.other.token);
    const theirs = plain((await other.get("/settings")).text);
    expect(theirs).toContain("Limits in use");
    expect(theirs).not.toMatch(/Database|Last backup/u);
  });

  test.skipIf(!hasPostgres)(
    "of a database elsewhere no backup is offered that can't be made",
    async () => {
      opened = await openConsole({ store: await freshDatabase() });
      const screen = plain((await opened.owner.get("/settings")).text);
      expect(screen).toMatch(
        /The data folder, of all accounts Database [\d.]+ .?B .*The database is PostgreSQL: back it up with pg_dump/u,
      );
      expect(screen).not.toMatch(/Last backup|makeready backup/u);
    },
  );

  test("hold for changes without an API call, too: no receiver can be flooded", async () => {
    opened = await openConsole({ limits: "hosted", post: async () => 200 });
    const { owner } = opened;
    await owner.post("/settings/webhooks", { url: RECEIVER, events: "scan" });
    const id = idIn((await owner.get("/settings")).text);
    const statuses: number[] = [];
    for (let n = 0; n < 61; n += 1) {
      statuses.push((await owner.post(`/settings/webhooks/${id}/test`, {})).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 59 }, () => 303), 429, 429]);
    const last = await owner.post("/settings/tokens", { name: "x", access: "full", days: "" });
    expect([last.status, plain(last.text)]).toEqual([
      429,
      expect.stringContaining("Too many requests; try again in"),
    ]);
    expect(plain((await owner.get("/settings")).text)).toContain(
      "Changes of this token in this minute 60 60",
    );
  });

  test("don't cut a long download: it counts as one read", async () => {
    opened = await openConsole({ limits: { reads: 3, writes: 10_000 } });
    const { owner, service } = opened;
    for (let n = 0; n < 401; n += 1) await service.code({ dynamic: true });
    const [one, two] = await Promise.all([
      owner.get("/codes/many/codes.csv"),
      owner.get("/codes/many/codes.csv"),
    ]);
    for (const { status, text } of [one, two]) {
      expect([status, text.trim().split("\r\n").length]).toEqual([200, 402]);
    }
    await owner.get("/codes/many/codes.csv");
    const refused = await owner.get("/codes/many/codes.csv");
    expect([refused.status, plain(refused.text)]).toEqual([
      429,
      expect.stringContaining("Too many requests"),
    ]);
  });
});
