import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";

import { makeService, openBeside, type TestService, type Wire } from "./make-service.ts";

let dataDir: string;
let service: TestService;
let templateId: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "templates-"));
  const first = await makeService({ dataDir, ids: randomIds });
  await first.close();
  const store = await openBeside(dataDir);
  templateId = randomIds.uuid();
  const design = JSON.stringify({ primaryColor: "#004400", frame: "card", text: "HELLO" });
  const row = { id: templateId, workspace_id: first.workspace, title: "House style", design };
  const created = fakeClock().nowMs();
  await store.write((tx) =>
    tx
      .insertInto("templates")
      .values({ ...row, created })
      .execute(),
  );
  await store.close();
  service = await makeService({ dataDir, ids: randomIds });
});
afterEach(async () => {
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});

it("lists the workspace's own first, then the built-in ones (docs/spec/api.md section 2.3)", async () => {
  const { body } = await service.get(`/workspace/${service.workspace}/templates/`);
  expect(body.results[0]).toEqual({
    id: templateId,
    title: "House style",
    primary_color: "#004400",
    eye_color: "#004400",
    background_color: null,
    pattern: "Original",
    eye_style: "Square",
    frame_color: "#004400",
    has_border: false,
    text: "HELLO",
    text_secondary: "",
    frame: "card",
    error_correction: "Q",
    size: 220,
    logo_round: false,
    has_logo: false,
    preview: expect.stringMatching(/\/media\/[a-z2-7]{32}\.svg$/u),
    is_default: false,
  });
  const flags = body.results.map((template: Wire) => template.is_default);
  expect(flags).toEqual([false, ...flags.slice(1).map(() => true)]);
});

it("shows and offers them to no other workspace", async () => {
  const { other } = service;
  const options = { token: other.token };
  const path = `/workspace/${other.workspaceId}/templates/`;
  const list = await service.send("GET", path, undefined, options);
  expect(list.body.results.map(({ id }: Wire) => id)).not.toContain(templateId);
  const create = (workspace: string, token: string) =>
    service.send(
      "POST",
      "/qrcode/create/",
      { workspace, qr_data: "https://example.com/", template: templateId },
      { token },
    );
  const theirs = await create(other.workspaceId, other.token);
  expect([theirs.status, Object.keys(theirs.body)]).toEqual([400, ["template"]]);
  const mine = await create(service.workspace, service.account.token);
  expect(mine.status).toBe(200);
  const { design } = (await service.get(`/qrcode/${mine.body.id}/`)).body;
  expect(design).toMatchObject({ primary_color: "#004400", text: "HELLO" });
});

it("pages through own and built-in ones together", async () => {
  const list = `/workspace/${service.workspace}/templates/`;
  const { count } = (await service.get(list)).body;
  const ids: string[] = [];
  for (let page = 1; ids.length < count; page += 1) {
    const { results } = (await service.get(`${list}?page_size=3&page=${page}`)).body;
    ids.push(...results.map(({ id }: Wire) => id));
  }
  expect(new Set(ids).size).toBe(count);
});
