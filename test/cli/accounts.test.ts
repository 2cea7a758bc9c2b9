import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { openService } from "../../src/service/service.ts";
import { runInProcess } from "../flow/in-process.ts";
import { wrapService, type TestService } from "../service/make-service.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-accounts-"));
const data = path.join(folder, ".makeready");
const clock = fakeClock(Date.UTC(2026, 10, 20, 8, 0, 0));
let service: TestService;

const open = async (): Promise<TestService> =>
  wrapService(
    await openService({ dataDir: data, limits: "off", drawingThreads: 0, clock, ids: randomIds }),
    clock,
  );

beforeAll(async () => {
  service = await open();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const type = (...argv: string[]) =>
  runInProcess(["accounts", ...argv], { cwd: folder, clock, env: {} });

type Line = Readonly<Record<string, unknown>>;

async function typeJson(...argv: string[]): Promise<readonly Line[]> {
  const { code, out, err } = await type(...argv, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

const statusOf = async (method: string, address: string, token: unknown): Promise<number> => {
  const body = method === "POST" ? { workspace: service.workspace, name: "Shelves" } : undefined;
  return (await service.send(method, address, body, { token: String(token) })).status;
};
const folders = (): string => `/workspace/${service.workspace}/folders/`;

describe("makeready accounts", () => {
  it("makes tokens beside the service that runs, and shows them once", async () => {
    const [full] = await typeJson("token", "press room");
    expect(full).toMatchObject({ name: "press room", access: "full", lastUsed: null });
    expect(await statusOf("POST", "/folder/create/", full?.["token"])).toBe(201);
    const listed = await type("list");
    expect(listed.out).toMatch(/token .* press room +full +made 2026-11-20 08:00, last used 2026/u);
    expect(listed.out).not.toContain(full?.["token"]);
    expect(readFileSync(path.join(data, "service.db")).includes(String(full?.["token"]))).toBe(
      false,
    );
  });

  it("refuses changes of a token that may only read, as the API refuses", async () => {
    const [reader] = await typeJson("token", "dashboard", "--read-only");
    const token = String(reader?.["token"]);
    expect(await statusOf("GET", folders(), token)).toBe(200);
    const refused = await service.send(
      "POST",
      "/folder/create/",
      { workspace: service.workspace, name: "Not mine" },
      { token },
    );
    expect([refused.status, refused.body]).toEqual([
      403,
      { detail: "This token is read-only: changes need a token with full access." },
    ]);
    const names = (await service.get(folders())).body as { results: { name: string }[] };
    expect(names.results.map(({ name }) => name)).not.toContain("Not mine");
    for (const [method, address] of [
      ["DELETE", "/qrcode/x/delete/"],
      ["PATCH", "/link/x/update/"],
      ["PUT", "/qrcode/x/update/"],
    ] as const) {
      expect(await statusOf(method, address, token)).toBe(403);
    }
  });

  it("ends tokens at their time", async () => {
    const [short] = await typeJson("token", "guest", "--expires", "2h");
    expect(short).toMatchObject({ expires: "2026-11-20T10:00:00.000Z", isExpired: false });
    expect(await statusOf("GET", folders(), short?.["token"])).toBe(200);
    await clock.advance(2 * 3_600_000);
    expect(await statusOf("GET", folders(), short?.["token"])).toBe(401);
    expect((await type()).out).toMatch(/guest +full .*, ended 2026-11-20 10:00/u);
    const [day] = await typeJson("token", "year", "--expires", "2027-01-31");
    expect(day?.["expires"]).toBe("2027-01-31T23:59:59.999Z");
  });

  it("makes accounts and workspaces that see nothing of each other", async () => {
    const [workspace, token] = await typeJson("create", "Kitchen");
    const address = `/workspace/${String(workspace?.["id"])}/folders/`;
    expect(await statusOf("GET", address, token?.["token"])).toBe(200);
    expect(await statusOf("GET", folders(), token?.["token"])).toBe(404);
    expect(await statusOf("GET", address, service.account.token)).toBe(404);
    const [second] = await typeJson("workspace", "Cellar", "--account", "Kitchen");
    const cellar = `/workspace/${String(second?.["id"])}/folders/`;
    expect(await statusOf("GET", cellar, token?.["token"])).toBe(200);
  });

  it("makes the first token of an account as the flags say", async () => {
    const [, token] = await typeJson("create", "Guests", "--read-only", "--expires", "1d");
    expect(token).toMatchObject({ access: "read-only", expires: expect.stringMatching(/T/u) });
    const past = await type("create", "Late", "--expires", "2020-01-01");
    expect([past.code, past.err]).toEqual([2, expect.stringContaining("must lie ahead")]);
    expect((await type()).out).not.toContain("account Late");
  });

  it("tells the token of the file from its former ones", async () => {
    const [current, former] = ["(from the file token)", "(formerly of the file token)"];
    await service.close();
    writeFileSync(path.join(data, "token"), "a-token-of-my-own\n");
    service = await open();
    const { out } = await type();
    expect([out.split(current).length, out.split(former).length]).toEqual([2, 2]);
    const id = / (\S+) +\(formerly/u.exec(out)?.[1] ?? "";
    const revoked = await type("revoke", id);
    expect([revoked.code, revoked.out]).toEqual([0, expect.stringContaining("refused from now")]);
    expect(revoked.out).not.toContain("The next start");
    expect(existsSync(path.join(data, "token"))).toBe(true);
  });

  it("names the file of the demo account's token", async () => {
    await service.close();
    const demo = await openService({ dataDir: data, demoAccounts: true });
    expect((await type()).out).toContain("(from the file token-other)");
    await demo.close();
    service = await open();
  });

  it("names the accounts of tokens that have one name", async () => {
    await typeJson("token", "till");
    await typeJson("token", "till", "--account", "Kitchen");
    const { err } = await type("revoke", "till");
    expect(err).toMatch(/there are \S+ of the account default, \S+ of the account Kitchen/u);
  });

  it("says where tokens without a name stand", async () => {
    await openService({ dataDir: folder }).then((service) => service.close());
    const { err } = await type("revoke", "till", "--data", folder);
    expect(err).toContain(`→ the ids stand behind token in makeready accounts --data ${folder}\n`);
  });

  it("revokes tokens by name or id", async () => {
    const [one] = await typeJson("token", "lost");
    const [two] = await typeJson("token", "found");
    await typeJson("revoke", "lost");
    await typeJson("revoke", String(two?.["id"]).slice(0, 8));
    for (const token of [one, two]) {
      expect(await statusOf("GET", folders(), token?.["token"])).toBe(401);
    }
    const again = await type("revoke", "lost");
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('got "lost"')]);
  });

  it("revokes the token of the file for good: the next start makes another", async () => {
    const former = service.account.token;
    const listed = await typeJson();
    const account = listed.find(({ name }) => name === "default") as {
      tokens: { id: string; name: string | null }[];
    };
    const id = account.tokens.find(({ name }) => name === null)?.id ?? "";
    await typeJson("revoke", id);
    expect(existsSync(path.join(data, "token"))).toBe(false);
    expect(await statusOf("GET", folders(), former)).toBe(401);
    await service.close();
    service = await open();
    expect(service.account.token).not.toBe(former);
    expect(await statusOf("GET", folders(), former)).toBe(401);
    expect(await statusOf("GET", folders(), service.account.token)).toBe(200);
  });

  it.each([
    [["token", "year"], 'got "year", which is taken'],
    [["token", "x", "--account", "Kitchn"], 'did you mean "Kitchen"?'],
    [["token"], "the token must be named"],
    [["token", "x", "--expires", "soon"], "--expires must be a time such as 90d"],
    [["token", "x", "--expires", "2020-01-01"], "must lie ahead"],
    [["create", "Kitchen"], "makeready accounts token NAME --account Kitchen makes it a token"],
    [
      ["create", "x", "--account", "Kitchen"],
      "--account must be given with workspace or token only",
    ],
    [["workspace", "x", "--read-only"], "--read-only must be given with create or token only"],
    [["--expires", "1d"], "--expires must be given with create or token only, got it with list"],
    [["workspace", "Cellar", "--account", "Kitchen"], "which is there"],
    [["remove"], "action must be one of list, create, workspace, token, revoke"],
    [["--data", "elsewhere"], "without service.db"],
  ])("says what is wrong with %j", async (argv, message) => {
    const { code, err } = await type(...argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it.each(["45", "2027", "2027-02-30", "Jan 5 2027", "9999999999d", "2027-01-31T10:00 01:00"])(
    "makes no token that ends at %j",
    async (end) => {
      const { code, err } = await type("token", "x", "--expires", end);
      expect(code).toBe(2);
      expect(err).toContain(
        `--expires must be a time such as 90d, or a day such as 2027-01-31, got ${end}`,
      );
    },
  );
});
