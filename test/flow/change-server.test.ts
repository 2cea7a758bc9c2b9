/** A server that was moved: the same workspace and codes under another base URL. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";

const MOVED = "https://moved.example/api/v2";
const CHANGE = "--change-server";
/** A code by its id. */
const CODE = /\/qrcode\/[^/]+\/$/u;

const makeRows = (count: number): string =>
  `site,table,Link\n${Array.from({ length: count }, (_, n) => `Nord,${n},https://menu.example/${n}\n`).join("")}`;

const open: Remote[] = [];

afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

interface Places {
  readonly files: JobFolder;
  readonly before: Remote;
  readonly after: Pick<Remote, "env" | "transport">;
  /** Whether the server lacks the code that it is asked for. */
  lose: () => boolean;
}

/** A job whose three codes were made, and its server at two addresses. */
async function makePlaces(): Promise<Places> {
  const files = makeJobFolder(makeRows(3));
  const places: Pick<Places, "lose"> = { lose: () => false };
  const before = await openRemote(files.data, "https://codes.example", ({ method, url }) =>
    method === "GET" && CODE.test(new URL(url).pathname) && places.lose() ? 404 : undefined,
  );
  open.push(before);
  const ran = await runInProcess(["run", files.manifest, "--yes"], before);
  expect(ran.code, ran.err).toBe(0);
  const { transport } = before;
  const after = { transport, env: { ...before.env, MAKEREADY_BASE_URL: MOVED } };
  return Object.assign(places, { files, before, after });
}

async function ask({ transport, env }: Remote, method: "GET" | "DELETE", at: string) {
  const { status, body } = await transport.send({
    method,
    url: `${env["MAKEREADY_BASE_URL"]}/${at}`,
    headers: { authorization: `Token ${env["MAKEREADY_TOKEN"]}` },
    timeoutMs: 1000,
  });
  expect(status).toBeLessThan(300);
  return new TextDecoder().decode(body);
}

async function listIds(remote: Remote): Promise<string[]> {
  const list = await ask(remote, "GET", `workspace/${remote.env["MAKEREADY_WORKSPACE"]}/qrcodes/`);
  return (JSON.parse(list) as { results: { id: string }[] }).results.map(({ id }) => id);
}

const countCreates = ({ before }: Places): number =>
  before.asked.filter((one) => one.startsWith("POST /api/v2/qrcode")).length;

it("a job goes on with its server under another base URL, and makes no code twice", async () => {
  const places = await makePlaces();
  const { files, before, after } = places;
  before.forget();
  writeFileSync(files.csv, makeRows(4));
  const refused = await runInProcess(["plan", files.manifest], after);
  expect(refused.code).toBe(6);
  expect(refused.err).toContain(`got ${MOVED}`);
  expect(refused.err).toContain("add --change-server to plan or run");
  expect(before.asked).toEqual([]);

  const planned = await runInProcess(["plan", files.manifest, CHANGE], after);
  expect(planned.code, planned.err).toBe(0);
  expect(planned.out).toMatch(/1 to create/u);
  expect(planned.out).toMatch(/makeready run \S+ --change-server/u);
  // A plan binds nothing.
  expect((await runInProcess(["plan", files.manifest], before)).code).toBe(0);
  expect(countCreates(places)).toBe(0);

  const ran = await runInProcess(["run", files.manifest, "--yes", CHANGE], after);
  expect(ran.code, ran.err).toBe(0);
  expect(countCreates(places)).toBe(1);
  const again = await runInProcess(["run", files.manifest], after);
  expect(again.code, again.err).toBe(0);
  expect(countCreates(places)).toBe(1);
  const back = await runInProcess(["plan", files.manifest], before);
  expect(back.code).toBe(6);
});

it("a server that lacks the code made last is refused, and nothing changes", async () => {
  const places = await makePlaces();
  const { files, before, after } = places;
  places.lose = () => true;
  for (const command of ["plan", "run"]) {
    const refused = await runInProcess([command, files.manifest, CHANGE], after);
    expect(refused.code).toBe(6);
    expect(refused.err).toMatch(/lacks the one that was made last: "Nord \/ \d"/u);
  }
  places.lose = () => false;
  const ran = await runInProcess(["run", files.manifest], before);
  expect(ran.code, ran.err).toBe(0);
});

it("codes that are gone, but not the last, are named", async () => {
  const places = await makePlaces();
  let asked = 0;
  places.lose = () => (asked += 1) === 2;
  const planned = await runInProcess(["plan", places.files.manifest, CHANGE], places.after);
  expect(planned.code, planned.err).toBe(0);
  expect(planned.err).toMatch(/lacks 1 of the 3 codes of this job that were made last: "Nord/u);
});

it("products without codes are asked for as products", async () => {
  const files = makeJobFolder(
    "gtin,url\n4006381333931,https://a.example/1\n4006381333924,https://a.example/2\n",
    `version: 1
name: products
kind: products
source: { file: ../rows.csv, key: [gtin], columns: { gtin: { type: gtin } } }
product: { identifier_type: "01", identifier_value: "{{ gtin }}", links: [{ link_type: "gs1:pip", title: About, destination_url: "{{ url }}", is_default: true }] }
output: { dir: ../out, index: [csv] }
`,
  );
  const remote = await openRemote(files.data, "https://codes.example");
  open.push(remote);
  const ran = await runInProcess(["run", files.manifest, "--yes"], remote);
  expect(ran.code, ran.err).toBe(0);
  const env = { ...remote.env, MAKEREADY_BASE_URL: MOVED };
  const moved = await runInProcess(["run", files.manifest, CHANGE], { ...remote, env });
  expect(moved.code, moved.err).toBe(0);
});

it("another workspace is never followed", async () => {
  const { files, after } = await makePlaces();
  const env = { ...after.env, MAKEREADY_WORKSPACE: "00000000-0000-4000-8000-000000000000" };
  const refused = await runInProcess(["run", files.manifest, CHANGE], { ...after, env });
  expect(refused.code).toBe(6);
  expect(refused.err).toContain("must be used with workspace");
});

const restyleTo = (color: string) => `version: 1
name: restyle
kind: redesign
select: { q: Nord }
design: { primary_color: "${color}" }
output: { dir: ../restyled, files: [] }
`;

it("jobs over codes that exist follow their server, too", async () => {
  const { files, before, after } = await makePlaces();
  const restyle = path.join(path.dirname(files.manifest), "restyle.yaml");
  writeFileSync(restyle, restyleTo("#112233"));
  const first = await runInProcess(["run", restyle, "--yes"], before);
  expect(first.code, first.err).toBe(0);
  writeFileSync(restyle, restyleTo("#332211"));
  for (const command of ["plan", "run"]) {
    const refused = await runInProcess([command, restyle], after);
    expect([command, refused.code]).toEqual([command, 6]);
    expect(refused.err).toContain(`got ${MOVED}`);
  }
  const verified = await runInProcess(["verify", restyle], after);
  expect(verified.code, verified.err).toBe(0);
  expect(verified.err).toMatch(/only the files were proven, .*got https:\/\/moved\.example/u);
  expect((await runInProcess(["plan", restyle, CHANGE], after)).code).toBe(0);
  const followed = await runInProcess(["run", restyle, "--yes", CHANGE], after);
  expect(followed.code, followed.err).toBe(0);
  expect(followed.out).toContain("3 changed");
});

it("codes that a remote server no longer has are told of, never made twice, and not for the press", async () => {
  const places = await makePlaces();
  const { files, before } = places;
  const call = (command: string) => runInProcess([command, files.manifest, "--yes"], before);
  places.lose = () => true;
  const hidden = await runInProcess(["plan", files.manifest], before);
  expect([hidden.code, hidden.out]).toEqual([0, expect.not.stringContaining("no longer has")]);
  places.lose = () => false;
  const ids = await listIds(before);
  for (const id of ids) await ask(before, "DELETE", `qrcode/${id}/delete/`);
  before.forget();
  const plan = await runInProcess(["plan", files.manifest], before);
  expect([plan.code, plan.out]).toEqual([
    0,
    expect.stringContaining("no longer has 3 of 3 codes: Nord"),
  ]);
  expect(plan.out).toMatch(/restore a newer one; .*run .*--fresh --yes/su);
  for (const command of ["run", "retry"]) {
    const { code, out, err } = await call(command);
    expect([code, err]).toEqual([0, expect.not.stringContaining("anew")]);
    expect(out).toContain("3 codes are no longer at the server");
    expect(out).not.toMatch(/Ready/u);
  }
  expect(countCreates(places)).toBe(0);
  const proof = await runInProcess(["verify", files.manifest], before);
  expect([proof.code, proof.out + proof.err]).toEqual([
    3,
    expect.stringContaining("no longer has 3 of 3 codes"),
  ]);
});

it("a code that a server shows late is not gone", async () => {
  const places = await makePlaces();
  const { files, before } = places;
  let asked = 0;
  places.lose = () => (asked += 1) <= 2;
  const ran = await runInProcess(["run", files.manifest], before);
  expect(ran.code, ran.err).toBe(0);
  expect(ran.out).toContain("no longer has 1 of 3 codes");
  expect(ran.out).not.toContain("no longer at the server");
});

it("a row whose code is gone is not blamed when it is to be changed", async () => {
  const files = makeJobFolder(makeRows(3));
  const remote = await openRemote(files.data, "https://codes.example", ({ method }) =>
    method === "PATCH" || method === "PUT" ? 404 : undefined,
  );
  open.push(remote);
  expect((await runInProcess(["run", files.manifest, "--yes"], remote)).code).toBe(0);
  writeFileSync(files.csv, makeRows(3).replace("example/1", "example/other"));
  const { code, out, err } = await runInProcess(["run", files.manifest, "--yes"], remote);
  expect(code).toBe(3);
  expect(out + err).toContain(
    "if the server no longer has what was made of this row, the row has no mistake",
  );
});
