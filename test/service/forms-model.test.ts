/**
 * Forms against a model (docs/spec/api.md section 3.1): any order of saves, publishes, closings,
 * reopenings, submissions and deletions of the code keeps the laws.
 */
import * as fc from "../help/property.ts";
import { expect, it } from "vitest";

import { makeService, type TestService, type Wire } from "./make-service.ts";
import { listResponses, look, submit } from "./visit-form.ts";

interface Model {
  readonly id: string;
  status: "Draft" | "Published" | "Closed";
  /** Label and id of the edited fields, and of those that respondents see. */
  draft: { id: string; label: string }[];
  live: { id: string; label: string }[];
  title: string;
  liveTitle: string;
  shareUrl: string | null;
  hasCode: boolean;
  /** Newest first: label -> answer. */
  responses: Record<string, string>[];
}

type Step =
  | { do: "save"; keep: boolean[]; add: number; title: string | undefined }
  | { do: "publish" | "close" | "reopen" | "delete code" }
  | { do: "submit"; text: string; twice: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("save" as const),
    keep: fc.array(fc.boolean(), { maxLength: 4 }),
    add: fc.nat({ max: 2 }),
    title: fc.option(fc.constantFrom("A", "B & <C>"), { nil: undefined }),
  }),
  fc.record({ do: fc.constantFrom("publish", "publish", "close", "reopen", "delete code") }),
  fc.record({
    do: fc.constant("submit" as const),
    text: fc.string({ unit: "grapheme", minLength: 1, maxLength: 10 }),
    twice: fc.boolean(),
  }),
) as fc.Arbitrary<Step>;

let labels = 0;

async function save(service: TestService, model: Model, one: Step & { do: "save" }) {
  const kept = model.draft.filter((_, index) => one.keep[index] ?? false);
  const fresh = Array.from({ length: one.add }, () => {
    labels += 1;
    return { id: `temp-${labels}`, label: `L${labels}` };
  });
  const fields = [...fresh, ...kept].map((field) => ({ ...field, field_type: "text" }));
  const { status, body } = await service.send("POST", `/form/${model.id}/save/`, {
    fields,
    title: one.title,
  });
  expect([status, body.status]).toEqual([200, model.status]);
  model.draft = body.fields.map(({ id, label }: Wire) => ({ id, label }));
  expect(model.draft.map(({ label }) => label)).toEqual(fields.map(({ label }) => label));
  expect(model.draft.slice(one.add)).toEqual(kept);
  model.title = one.title ?? model.title;
}

async function publish(service: TestService, model: Model) {
  const isRefused = model.status === "Closed" || model.draft.length === 0;
  const { status, body } = await service.send("POST", `/form/${model.id}/publish/`, {});
  expect(status).toBe(isRefused ? 400 : 200);
  if (isRefused) return;
  if (model.shareUrl !== null) expect(body.share_url).toBe(model.shareUrl);
  model.status = "Published";
  model.live = model.draft;
  model.liveTitle = model.title;
  model.shareUrl = body.share_url;
  model.hasCode = true;
}

async function toggle(service: TestService, model: Model, action: "close" | "reopen") {
  const { status, body } = await service.send("POST", `/form/${model.id}/${action}/`);
  expect(status).toBe(model.status === "Draft" ? 400 : 200);
  if (model.status === "Draft") return;
  model.status = action === "close" ? "Closed" : "Published";
  expect(body.status).toBe(model.status);
}

async function deleteCode(service: TestService, model: Model) {
  const codes = (await service.get(`/workspace/${service.workspace}/qrcodes/`)).body;
  expect(codes.results).toHaveLength(model.hasCode ? 1 : 0);
  if (!model.hasCode) return;
  await service.send("DELETE", `/qrcode/${codes.results[0].id}/delete/`);
  model.hasCode = false;
}

async function answer(service: TestService, model: Model, one: Step & { do: "submit" }) {
  if (model.shareUrl === null) return;
  const { html, ticket } = await look(service, model.shareUrl);
  const isOpen = model.status === "Published";
  expect(html.includes("<form")).toBe(isOpen);
  for (const { label } of model.live) expect(html.includes(`>${label}<`)).toBe(isOpen);
  const text = one.text.trim();
  const answers = Object.fromEntries(model.live.map(({ id }) => [id, one.text]));
  for (let time = 0; time < (one.twice ? 2 : 1); time += 1) {
    const sent = await submit(service, model.shareUrl, { answers, ticket });
    expect(sent.status).toBe(isOpen ? 303 : 403);
  }
  if (!isOpen) return;
  model.responses.unshift(Object.fromEntries(model.live.map(({ label }) => [label, text])));
}

async function run(service: TestService, model: Model, one: Step): Promise<void> {
  if (one.do === "save") return save(service, model, one);
  if (one.do === "publish") return publish(service, model);
  if (one.do === "delete code") return deleteCode(service, model);
  if (one.do === "submit") return answer(service, model, one);
  return toggle(service, model, one.do);
}

async function checkAll(service: TestService, model: Model): Promise<void> {
  const list = (await service.get(`/forms/?workspace=${service.workspace}`)).body;
  expect(list.results).toMatchObject([
    {
      id: model.id,
      title: model.title,
      status: model.status,
      share_url: model.shareUrl,
      response_count: model.responses.length,
    },
  ]);
  const { results } = await listResponses(service, model.id);
  const found = results.map((one: Wire) =>
    Object.fromEntries(
      one.field_responses.map((each: Wire) => [each.field_label, each.value ?? ""]),
    ),
  );
  expect(found).toEqual(model.responses);
  if (model.shareUrl === null) return;
  const { html } = await look(service, model.shareUrl);
  const shown = model.liveTitle.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  expect(html).toContain(model.status === "Closed" ? `“${shown}”` : `>${shown}</h1>`);
}

it("keeps the laws of 3.1 in any order of calls and answers", async () => {
  const property = fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const service = await makeService();
      const { workspace } = service;
      const { body } = await service.send("POST", "/form/create/", { workspace, title: "T" });
      const model: Model = {
        id: body.id,
        status: "Draft",
        draft: [],
        live: [],
        title: "T",
        liveTitle: "",
        shareUrl: null,
        hasCode: false,
        responses: [],
      };
      for (const one of steps) await run(service, model, one);
      await checkAll(service, model);
      await service.close();
    }),
    { numRuns: 25 },
  );
  await expect(property).resolves.toBeUndefined();
});
