/** Folders against a model: any order of creates, renames, moves and deletes keeps the laws. */
import * as fc from "../help/property.ts";
import { afterEach, expect, it } from "vitest";

import { sweepSteps } from "../../src/service/resources/folders/rows/folder-leftovers.ts";

import { makeService, type TestService, type Wire } from "./make-service.ts";

interface Model {
  /** id -> parent and name */
  readonly folders: Map<string, { parent: string | null; name: string }>;
  /** code -> folder */
  readonly codes: Map<string, string | null>;
}

const pathOf = ({ folders }: Model, id: string): string => {
  const folder = folders.get(id);
  if (folder === undefined) return "?";
  return folder.parent === null
    ? folder.name
    : `${pathOf({ folders, codes: new Map() }, folder.parent)}/${folder.name}`;
};

const isBelow = ({ folders }: Model, id: string, top: string): boolean => {
  for (let at: string | null = id; at !== null; at = folders.get(at)?.parent ?? null) {
    if (at === top) return true;
  }
  return false;
};

const hasSibling = ({ folders }: Model, parent: string | null, name: string, self = ""): boolean =>
  [...folders].some(([id, one]) => id !== self && one.parent === parent && one.name === name);

type Step =
  | { do: "create" | "move"; at: number; to: number; name: string }
  | { do: "rename"; at: number; name: string }
  | { do: "delete"; at: number }
  | { do: "code"; to: number }
  | { do: "file"; at: number; to: number }
  | { do: "touch"; at: number };

const at = fc.nat({ max: 20 });
const name = fc.constantFrom("a", "b", "c", "A", "é");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("create" as const), at, to: at, name }),
  fc.record({ do: fc.constant("move" as const), at, to: at, name }),
  fc.record({ do: fc.constant("rename" as const), at, name }),
  fc.record({ do: fc.constant("delete" as const), at }),
  fc.record({ do: fc.constant("code" as const), to: at }),
  fc.record({ do: fc.constant("code" as const), to: at }),
  fc.record({ do: fc.constant("file" as const), at: fc.nat({ max: 5 }), to: at }),
  fc.record({ do: fc.constant("touch" as const), at: fc.nat({ max: 5 }) }),
);

/** A folder of the model, or null for "none" now and then. */
const pick = (model: Model, index: number): string | null => {
  const ids = [...model.folders.keys()];
  return index % (ids.length + 1) === ids.length ? null : (ids[index % (ids.length + 1)] ?? null);
};

async function create(service: TestService, model: Model, one: { to: number; name: string }) {
  const parent = pick(model, one.to);
  const body = { workspace: service.workspace, name: one.name, parent };
  const answer = await service.send("POST", "/folder/create/", body);
  expect(answer.status).toBe(hasSibling(model, parent, one.name) ? 200 : 201);
  model.folders.set(answer.body.id, { parent, name: one.name });
}

async function change(
  service: TestService,
  model: Model,
  id: string,
  to: { parent?: string | null; name?: string },
) {
  const before = model.folders.get(id) ?? { parent: null, name: "" };
  const after = { parent: before.parent, name: before.name, ...to };
  const isRefused =
    (after.parent !== null && isBelow(model, after.parent, id)) ||
    hasSibling(model, after.parent, after.name, id);
  const { status } = await service.send("PATCH", `/folder/${id}/update/`, to);
  expect(status).toBe(isRefused ? 400 : 200);
  if (!isRefused) model.folders.set(id, after);
}

async function remove(service: TestService, model: Model, id: string) {
  expect((await service.send("DELETE", `/folder/${id}/delete/`)).status).toBe(204);
  const parent = model.folders.get(id)?.parent ?? null;
  for (const [code, folder] of model.codes) {
    if (folder !== null && isBelow(model, folder, id)) model.codes.set(code, null);
  }
  model.folders.delete(id);
  for (const folder of model.folders.values()) if (folder.parent === id) folder.parent = parent;
}

async function run(service: TestService, model: Model, one: Step): Promise<void> {
  if (one.do === "create") return create(service, model, one);
  if (one.do === "code") {
    const folder = pick(model, one.to);
    const { id } = await service.code({ folder });
    model.codes.set(id, folder);
    return;
  }
  if (one.do === "file" || one.do === "touch") {
    const code = [...model.codes.keys()][one.at];
    if (code === undefined) return;
    const sent = one.do === "touch" ? { display_name: "x" } : { folder: pick(model, one.to) };
    const { body } = await service.send("PATCH", `/qrcode/${code}/update/`, sent);
    if (sent.folder !== undefined) model.codes.set(code, sent.folder);
    expect(body.folder?.id ?? null).toBe(model.codes.get(code));
    return;
  }
  const id = pick(model, one.at);
  if (id === null) return;
  if (one.do === "delete") return remove(service, model, id);
  if (one.do === "rename") return change(service, model, id, { name: one.name });
  return change(service, model, id, { parent: pick(model, one.to) });
}

const byId = ([a]: unknown[], [b]: unknown[]): number => String(a).localeCompare(String(b));

async function checkAll(service: TestService, model: Model): Promise<void> {
  const listed = await service.get(`/workspace/${service.workspace}/folders/?page_size=200`);
  const { results } = listed.body;
  const found = results.map((folder: Wire) => [folder.id, folder.path, folder.parent]);
  const expected = [...model.folders].map(([id, { parent }]) => [id, pathOf(model, id), parent]);
  expect(found.toSorted(byId)).toEqual(expected.toSorted(byId));
  expect(new Set(results.map((folder: Wire) => folder.slug)).size).toBe(results.length);
  for (const folder of results) {
    const inside = [...model.codes.values()].filter((id) => id === folder.id);
    expect(folder.code_count).toBe(inside.length);
  }
  const codes = (await service.get(`/workspace/${service.workspace}/qrcodes/?page_size=200`)).body;
  for (const code of codes.results) {
    expect(code.folder?.id ?? null).toBe(model.codes.get(code.id) ?? null);
  }
  // Lists and searches by folder, too.
  for (const folder of [null, ...model.folders.keys()]) {
    const inside = [...model.codes].filter(([, id]) => id === folder).map(([id]) => id);
    for (const q of ["", "&q=example"]) {
      const path = `/workspace/${service.workspace}/qrcodes/?folder=${folder ?? "none"}&page_size=200${q}`;
      const { body } = await service.get(path);
      expect([body.count, body.results.map(({ id }: Wire) => id).toSorted()]).toEqual([
        inside.length,
        inside.toSorted(),
      ]);
    }
  }
}

/** One folder in the other, with codes. */
const nested: readonly Step[] = [
  ...[0, 0, 1].map((to, n): Step => ({ do: "create", at: 0, to, name: `n${n}` })),
  ...[0, 1, 1, 2].map((to): Step => ({ do: "code", to })),
];

const steps = { ...sweepSteps };
afterEach(() => Object.assign(sweepSteps, steps));

it.each([
  ["codes are unfiled at once", { few: 1000, slice: 256 }, 20],
  ["codes are unfiled one by one, later", { few: 0, slice: 1 }, 20],
  ["codes never say that they are unfiled", { few: 0, slice: 0 }, 30],
])("keeps the laws of 4.3 in any order of requests: %s", async (_, sweeping, numRuns) => {
  Object.assign(sweepSteps, sweeping);
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 20, size: "max" }),
    async (taken) => {
      const service = await makeService();
      const model: Model = { folders: new Map(), codes: new Map() };
      for (const one of [...nested, ...taken]) await run(service, model, one);
      await checkAll(service, model);
      await service.close();
    },
  );
  await expect(fc.assert(property, { numRuns })).resolves.toBeUndefined();
});
