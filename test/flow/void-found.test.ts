/** Codes that are void, gone or lead elsewhere, in the jobs that made them and in those that find them. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";

import { openService } from "../../src/service/service.ts";
import { DEFAULT_PUBLIC_URL } from "../../src/pipeline/address/server.ts";
import { look, submit } from "../service/visit-form.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

interface ListedCode {
  readonly id: string;
  readonly display_name: string;
  readonly shortlink_url: string;
}

const SERIALS = `version: 1
name: passes
kind: codes
source: { rows: 4, serial: { length: 10 } }
code: { type: Link, dynamic: true, qr_data: "https://id.example/{{ serial }}", display_name: "{{ serial }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9, reprint: new } }
`;

const MAKER = `version: 1
name: shelves
kind: codes
source: { file: ../rows.csv, key: [shelf] }
code: { type: Link, dynamic: true, qr_data: "https://id.example/{{ shelf }}", display_name: "{{ shelf }}" }
output: { dir: ../out, files: [], sheets: { sheet: a4-24up-63.5x33.9 } }
`;

const EXPORT = `version: 1
name: all-codes
kind: export
select: {}
output: { dir: ../out-all, files: [], sheets: { sheet: a4-24up-63.5x33.9 } }
`;

const FORM = `version: 1
name: rooms
kind: forms
source: { file: ../rows.csv, key: [shelf] }
form:
  title: "Room {{ shelf }}"
  slug: "room-{{ shelf | slug }}"
  fields: [{ field_type: text, label: Name }]
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9 } }
`;

const PAGE = `version: 1
name: doors
kind: pages
source: { file: ../rows.csv, key: [shelf] }
page: { title: "Door {{ shelf }}", links: [{ url: "https://id.example/{{ shelf }}", title: Menu }] }
output: { dir: ../out, files: [] }
`;

type Ask = (method: string, path: string, body?: object) => Promise<Response>;

async function withService<T>(
  { data }: JobFolder,
  use: (ask: Ask, service: Awaited<ReturnType<typeof openService>>) => Promise<T>,
): Promise<T> {
  const service = await openService({
    dataDir: data,
    publicUrl: DEFAULT_PUBLIC_URL,
    limits: "off",
  });
  const headers = {
    authorization: `Token ${service.account.token}`,
    "content-type": "application/json",
  };
  try {
    return await use((method, at, body) => {
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return Promise.resolve(service.fetch(new Request(`http://localhost/api/v2/${at}`, sent)));
    }, service);
  } finally {
    await service.close();
  }
}

const listCodes = (files: JobFolder): Promise<ListedCode[]> =>
  withService(files, async (ask, { account }) => {
    const answer = await ask("GET", `workspace/${account.workspaceId}/qrcodes/`);
    return ((await answer.json()) as { results: ListedCode[] }).results;
  });

async function deleteCode(files: JobFolder, name: string): Promise<void> {
  const code = (await listCodes(files)).find((one) => one.display_name === name);
  await withService(files, async (ask) => {
    expect((await ask("DELETE", `qrcode/${code?.id}/delete/`)).status).toBe(204);
  });
}

/** Changes where a code leads, as the console does. */
async function leadElsewhere(files: JobFolder, name: string): Promise<void> {
  const code = (await listCodes(files)).find((one) => one.display_name === name);
  await withService(files, async (ask) => {
    const body = { qr_data: "https://other.example/" };
    expect((await ask("PATCH", `qrcode/${code?.id}/update/`, body)).status).toBe(200);
  });
}

it("codes that lead elsewhere are named by the lines of today, those of forms as well", async () => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", MAKER);
  expect((await runInProcess(["run", files.manifest])).code).toBe(0);
  await leadElsewhere(files, "C");
  writeFileSync(files.csv, "shelf\nC\nB\n");
  const plan = await runInProcess(["plan", files.manifest]);
  expect(plan.out + plan.err).toContain("line 2 to https://other.example/ instead of");
  writeFileSync(files.csv, "shelf\nB\n");
  const without = await runInProcess(["plan", files.manifest]);
  expect(without.out + without.err).toContain('"C" to https://other.example/ instead of');
  const forms = makeJobFolder("shelf\nA\nB\n", FORM);
  expect((await runInProcess(["run", forms.manifest])).code).toBe(0);
  await leadElsewhere(forms, "Room B");
  for (const command of ["plan", "run", "plan"]) {
    const { out, err } = await runInProcess([command, forms.manifest]);
    expect(out + err, command).toContain("line 3 to https://other.example/ instead of");
    expect(out + err, command).toContain("in the console or by a job of kind retarget");
  }
});

it("a void code that is gone is replaced for good: it leads nowhere, and no retry makes it anew", async () => {
  const files = makeJobFolder("", SERIALS);
  const run = (...args: string[]) =>
    runInProcess([args[0] ?? "", files.manifest, ...args.slice(1)]);
  expect((await run("run")).code).toBe(0);
  const key = (await listCodes(files)).at(-1)?.display_name ?? "";
  await deleteCode(files, key);
  const gone = await run("plan");
  expect(gone.err + gone.out).toContain(`note that it is void: makeready void`);
  const replaced = await run("replace", "--key", key, "--yes");
  expect(replaced.code, replaced.err).toBe(0);
  expect(replaced.out).not.toContain("can still be read");
  const later = await run("run");
  expect(later.code, later.err).toBe(0);
  expect(later.out).not.toContain("Not ready for press");
  expect(await listCodes(files)).toHaveLength(4);
  const retried = await run("retry");
  expect(retried.err + retried.out).toContain(
    `1 code is void and gone, ${key}: a retry makes none anew`,
  );
  const names = (await listCodes(files)).map((one) => one.display_name);
  expect(names).toHaveLength(4);
  expect(names).not.toContain(key);
});

it("a job that prints codes which it has found names those that are void", async () => {
  const files = makeJobFolder("shelf\nA\nB\n", MAKER);
  expect((await runInProcess(["run", files.manifest])).code).toBe(0);
  await runInProcess(["void", files.manifest, "--key", "A", "--yes"]);
  const found = makeJobFolder("", EXPORT);
  const again = (command: string) => runInProcess([command, found.manifest, "--data", files.data]);
  for (const command of ["plan", "run", "verify", "run"]) {
    const { out, err } = await again(command);
    expect(out + err, command).toContain("1 void code is printed again: A");
  }
});

it("a form whose code was deleted keeps its answers: a retry gives it another code", async () => {
  const files = makeJobFolder("shelf\nA\nB\n", FORM);
  const run = (command: string) => runInProcess([command, files.manifest]);
  expect((await run("run")).code).toBe(0);
  const [row] = parse<Record<string, string>>(
    readFileSync(path.join(files.out, "index.csv"), "utf8"),
    { columns: true, bom: true },
  );
  const url = row?.["destination"] ?? "";
  await withService(files, async (_ask, service) => {
    const { html } = await look(service, url);
    const [, name = ""] = /name="([0-9a-f-]{36})"/u.exec(html) ?? [];
    expect((await submit(service, url, { answers: { [name]: "Ann" } })).status).toBe(303);
  });
  expect((await run("answers")).out).toContain("1 response");
  await deleteCode(files, "Room A");
  const retried = await run("retry");
  expect(retried.code, retried.err).toBe(0);
  expect(retried.err + retried.out).toContain("1 form is still there, A: it gets a new code");
  // Its short link is as before, and so is its label.
  expect(readFileSync(path.join(files.out, "sheet-map.json"), "utf8")).toContain('"key":"A"');
  const forms = await withService(files, async (ask, { account }) => {
    const answer = await ask("GET", `forms/?workspace=${account.workspaceId}`);
    return ((await answer.json()) as { results: unknown[] }).results;
  });
  expect(forms).toHaveLength(2);
  expect((await listCodes(files)).map((one) => one.display_name)).toContain("Room A");
  expect((await run("answers")).out).toContain("1 response");
  expect(readFileSync(path.join(files.out, "answers.csv"), "utf8")).toContain("Ann");
  expect((await run("run")).out).toContain("0 writes");
});

it("a page whose code was deleted is named before a retry makes another", async () => {
  const files = makeJobFolder("shelf\nA\nB\n", PAGE);
  const ran = await runInProcess(["run", files.manifest]);
  expect(ran.code, ran.err).toBe(0);
  await deleteCode(files, "Door A");
  const { code, out, err } = await runInProcess(["retry", files.manifest]);
  expect(code, err).toBe(0);
  expect(out + err).toMatch(
    /1 page is still there, A at http\S+\/page\/\S+: a page gets no new code/u,
  );
});

it("a page whose code was deleted keeps its slug: a retry fails, and doesn't count it as made", async () => {
  const files = makeJobFolder(
    "shelf,slug\nA,door-a\nB,door-b\n",
    PAGE.replace("links:", 'slug: "{{ slug }}", links:'),
  );
  expect((await runInProcess(["run", files.manifest])).code).toBe(0);
  await deleteCode(files, "Door A");
  for (const says of ["a slug that it has stays taken", "1 failed"]) {
    const { code, out, err } = await runInProcess(["retry", files.manifest]);
    expect(out + err).toContain(says);
    expect(code, out + err).toBe(3);
    expect(out + err).toContain("slug: Must be neither taken nor reserved");
  }
  writeFileSync(files.csv, "shelf,slug\nA,door-a2\nB,door-b\n");
  expect((await runInProcess(["retry", files.manifest])).code).toBe(0);
  expect((await listCodes(files)).map((one) => one.display_name)).toContain("Door A");
});
