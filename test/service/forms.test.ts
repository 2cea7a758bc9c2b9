/** Forms over the API: docs/spec/api.md sections 2.11, 3.1, 4.7 and 8. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { fieldTypes } from "../../src/api/form.ts";

import {
  makeService,
  PUBLIC_URL,
  type Answer,
  type TestService,
  type Wire,
} from "./make-service.ts";
import { readCode } from "./read-code.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

let service: TestService;
beforeEach(async () => {
  service = await makeService();
});
afterEach(() => service.close());

const post = (id: string, action: string, body?: unknown) =>
  service.send("POST", `/form/${id}/${action}/`, body);
const create = (fields: Record<string, unknown> = {}) =>
  service.send("POST", "/form/create/", {
    workspace: service.workspace,
    title: "Feedback",
    ...fields,
  });
const form = async (fields: Record<string, unknown> = {}): Promise<Wire> =>
  (await create(fields)).body;
const list = (query = "") => service.get(`/forms/?workspace=${service.workspace}${query}`);
const expectField = (answer: Answer, ...fields: string[]): void => {
  expect([answer.status, Object.keys(answer.body)]).toEqual([400, fields]);
};
const text = { id: "temp-1", field_type: "text", label: "Name" };
const options = [
  { value: "s", label: "Small" },
  { value: "l", label: "Large" },
];
const published = async (): Promise<Wire> => {
  const { id } = await form();
  await post(id, "save", { fields: [text] });
  return (await post(id, "publish", {})).body;
};

describe("POST /form/create/ (docs/spec/api.md section 4.7)", () => {
  it("makes an unpublished form with an id (docs/spec/api.md section 3.1)", async () => {
    const { status, body } = await create({ description: "Tell us" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/u) as string,
      title: "Feedback",
      description: "Tell us",
      status: "Draft",
      response_count: 0,
      workspace: service.workspace,
      fields: [],
      share_url: null,
      shortlink_url: null,
      qr_code_svg: null,
      created: "2026-11-20T08:00:00.000Z",
      modified: "2026-11-20T08:00:00.000Z",
    });
  });

  it("needs a title and a workspace of the caller", async () => {
    expectField(await create({ title: undefined }), "title");
    expectField(await create({ title: " " }), "title");
    expectField(await create({ workspace: undefined }), "workspace");
    expect((await create({ workspace: service.other.workspaceId })).status).toBe(404);
  });

  it("answers a repeated Idempotency-Key with the same form", async () => {
    const body = { workspace: service.workspace, title: "Once" };
    const headers = { "idempotency-key": "k1" };
    const send = () => service.send("POST", "/form/create/", body, { headers });
    expect((await send()).body).toEqual((await send()).body);
    expect((await list()).body.count).toBe(1);
  });
});

describe("POST /form/{form_id}/save/ (docs/spec/api.md section 4.7)", () => {
  it("gives new fields of all 15 types their ids, in the order of the array (docs/spec/api.md section 2.11)", async () => {
    const { id } = await form();
    const fields = fieldTypes.map((type, n) => ({
      id: `temp-${n}`,
      field_type: type,
      label: `Question ${n}`,
      required: n % 2 === 0,
      placeholder: "e.g. this",
      ...(["select", "radio", "checkbox"].includes(type) ? { options } : {}),
    }));
    const { status, body } = await post(id, "save", { fields });
    expect(status).toBe(200);
    expect(body.fields).toEqual(
      fields.map((field) => ({
        ...field,
        id: expect.stringMatching(/^[0-9a-f]{8}-/u) as string,
      })),
    );
    expect(new Set(body.fields.map((field: Wire) => field.id)).size).toBe(15);
    expect(body.status).toBe("Draft");
  });

  it("keeps real ids, takes new ones in, removes what is left out, reorders (docs/spec/api.md section 3.1)", async () => {
    const { id } = await form();
    const first = (
      await post(id, "save", {
        fields: [text, { ...text, id: "temp-2", label: "Two" }, { ...text, id: "temp-3" }],
      })
    ).body.fields;
    const kept = { ...first[1], label: "Second", field_type: "textarea" };
    const { body } = await post(id, "save", { fields: [{ ...text, id: "temp-1" }, kept] });
    expect(body.fields).toHaveLength(2);
    expect(body.fields[1]).toMatchObject({ id: first[1].id, label: "Second" });
    expect(first.map((field: Wire) => field.id)).not.toContain(body.fields[0].id);
    // A removed field's id is unknown from then on.
    const answer = await post(id, "save", { fields: [kept, first[0], { ...text, id: "nope" }] });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        fields: {
          1: { id: ["Must be a field of the form, or begin with temp-."] },
          2: { id: ["Must be a field of the form, or begin with temp-."] },
        },
      },
    ]);
    // All or nothing.
    const same = await post(id, "save", { fields: body.fields });
    expect(same.body.fields).toEqual(body.fields);
    expect((await post(id, "save", { fields: [] })).body.fields).toEqual([]);
  });

  it("knows no field of another form", async () => {
    const one = await form();
    const two = await form();
    const { fields } = (await post(one.id, "save", { fields: [text] })).body;
    expect((await post(two.id, "save", { fields })).status).toBe(400);
  });

  it.each(["https://müller.example/danke", "https://example.com/a|b?q={x}"])(
    "answers the redirect_url %s as it was sent",
    async (redirect_url) => {
      const { id } = await form();
      const { status, body } = await post(id, "save", { fields: [text], redirect_url });
      expect([status, body.redirect_url]).toEqual([200, redirect_url]);
    },
  );

  it("sets settings, keeps those left out, takes back with null (docs/spec/api.md section 2.11)", async () => {
    const { id } = await form({ description: "D" });
    const settings = {
      title: "New",
      redirect_url: "https://example.com/thanks",
      thank_you_message: "Danke!",
      bg_color: "#fff",
      text_color: "#112233",
      button_color: "#0055aa",
      button_text_color: "#ffffff",
    };
    const set = await post(id, "save", { fields: [text], ...settings });
    expect(set.body).toMatchObject({ ...settings, description: "D" });
    expect((await list("&q=NEW")).body.results).toMatchObject([{ id, title: "New" }]);
    const kept = await post(id, "save", {
      fields: set.body.fields,
      redirect_url: null,
      title: null,
    });
    expect(kept.body).toMatchObject({ ...settings, redirect_url: null });
    const cleared = { description: null, thank_you_message: null, bg_color: null };
    expect((await post(id, "save", { fields: [], ...cleared })).body).toMatchObject({
      description: "",
      thank_you_message: "",
      bg_color: null,
    });
  });

  it("changes nothing when anything is refused: settings and fields are one call (docs/spec/api.md section 3.1)", async () => {
    const { id } = await form();
    const before = (await post(id, "save", { fields: [text], title: "Before" })).body;
    await service.clock.advance(1000);
    const label = { ...before.fields[0], label: "After" };
    for (const refused of [
      { title: "After", fields: [label, { ...text, field_type: "none" }] },
      { title: "After", fields: [label], bg_color: "blue" },
    ]) {
      expect((await post(id, "save", refused)).status).toBe(400);
      const { title, modified } = (await list()).body.results[0];
      expect([title, modified]).toEqual(["Before", before.modified]);
    }
    expect((await post(id, "publish")).body.fields).toEqual(before.fields);
  });

  it.each([
    [{ fields: undefined }, ["fields"]],
    [{ fields: null }, ["fields"]],
    [{ fields: {} }, ["fields"]],
    [{ title: "" }, ["title"]],
    [{ redirect_url: "javascript:alert(1)" }, ["redirect_url"]],
    [{ redirect_url: "mailto:a@example.com" }, ["redirect_url"]],
    [{ bg_color: "blue" }, ["bg_color"]],
    [{ text_color: "#12" }, ["text_color"]],
    [{ button_color: 5 }, ["button_color"]],
    [{ button_text_color: "#gggggg" }, ["button_text_color"]],
    [{ thank_you_message: ["x"] }, ["thank_you_message"]],
  ])("refuses %j", async (fields, faults) => {
    const { id } = await form();
    const { status, body } = await post(id, "save", { fields: [text], ...fields });
    expect([status, Object.keys(body)]).toEqual([400, faults]);
  });

  it.each(["javascript:alert(1)", "mailto:a@example.com", "no address"])(
    "says what a redirect_url must be in one sentence, given %s",
    async (redirect_url) => {
      const { id } = await form();
      const { body } = await post(id, "save", { fields: [text], redirect_url });
      expect(body.redirect_url).toEqual([`Must be an http or https URL, got "${redirect_url}".`]);
    },
  );

  it.each([
    [{ id: undefined }, "id"],
    [{ id: "" }, "id"],
    [{ field_type: undefined }, "field_type"],
    [{ field_type: "file" }, "field_type"],
    [{ field_type: "Text" }, "field_type"],
    [{ label: undefined }, "label"],
    [{ label: " " }, "label"],
    [{ required: "yes" }, "required"],
    [{ placeholder: 5 }, "placeholder"],
    [{ field_type: "select" }, "options"],
    [{ field_type: "radio", options: [] }, "options"],
    [{ field_type: "checkbox", options: "s,l" }, "options"],
    [{ field_type: "select", options: [{ value: "s" }] }, "options"],
    [{ field_type: "select", options: [{ label: "Small" }] }, "options"],
    [{ field_type: "select", options: [options[0], options[0]] }, "options"],
  ])("refuses a field with %j, naming its place", async (fault, name) => {
    const { id } = await form();
    const { status, body } = await post(id, "save", {
      fields: [
        { ...text, id: "temp-0" },
        { ...text, ...fault },
      ],
    });
    expect([status, Object.keys(body), Object.keys(body.fields)]).toEqual([400, ["fields"], ["1"]]);
    expect(Object.keys(body.fields["1"])).toEqual([name]);
  });

  it("says what an option and a field must be, given texts in their place", async () => {
    const { id } = await form();
    const fields = [{ ...text, field_type: "select", options: ["a", options[0]] }, "Name", null];
    const { status, body } = await post(id, "save", { fields });
    expect([status, body]).toEqual([
      400,
      {
        fields: {
          0: { options: { 0: ['Must be an object with value and label, got "a".'] } },
          1: ['Must be an object with id, field_type and label, got "Name".'],
          2: ["Must be an object with id, field_type and label, got null."],
        },
      },
    ]);
  });

  it("refuses one id twice, and more fields than a page bears", async () => {
    const { id } = await form();
    expectField(await post(id, "save", { fields: [text, text] }), "fields");
    const many = Array.from({ length: 201 }, (_, n) => ({ ...text, id: `temp-${n}` }));
    expectField(await post(id, "save", { fields: many }), "fields");
    expect((await post(id, "save", { fields: many.slice(1) })).status).toBe(200);
  });
});

/**
 * docs/spec/api.md section 3.1, and for every pair that the table leaves out what happens instead.
 */
describe("the life of a form (docs/spec/api.md section 3.1)", () => {
  const reach: Record<string, (id: string) => Promise<unknown>> = {
    Draft: async () => {},
    Published: (id) => post(id, "publish", {}),
    Closed: async (id) => {
      await post(id, "publish", {});
      await post(id, "close");
    },
  };

  it.each([
    ["Draft", "save", 200, "Draft"],
    ["Draft", "publish", 200, "Published"],
    ["Draft", "close", 400, "Draft"],
    ["Draft", "reopen", 400, "Draft"],
    ["Published", "save", 200, "Published"],
    ["Published", "publish", 200, "Published"],
    ["Published", "close", 200, "Closed"],
    // Sent again after a lost answer.
    ["Published", "reopen", 200, "Published"],
    ["Closed", "save", 200, "Closed"],
    ["Closed", "publish", 400, "Closed"],
    ["Closed", "close", 200, "Closed"],
    ["Closed", "reopen", 200, "Published"],
  ])("%s, %s -> %i %s", async (from, action, status, to) => {
    const { id } = await form();
    const { fields } = (await post(id, "save", { fields: [text] })).body;
    await reach[from]?.(id);
    const bodies: Record<string, unknown> = { save: { fields }, publish: {} };
    const answer = await post(id, action, bodies[action]);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.status).toBe(to);
    else expect(Object.keys(answer.body)).toEqual(["non_field_errors"]);
    expect((await list()).body.results).toMatchObject([{ id, status: to }]);
  });

  it("is published with fields only", async () => {
    const { id } = await form();
    expect((await post(id, "publish", {})).body).toEqual({
      non_field_errors: ["The form must have fields to be published."],
    });
  });

  it("takes a publish without a body, and with an empty one", async () => {
    const { id } = await form();
    await post(id, "save", { fields: [text] });
    expect((await post(id, "publish")).status).toBe(200);
    expect((await post(id, "publish", {})).status).toBe(200);
  });
});

describe("POST /form/{form_id}/publish/ (docs/spec/api.md section 4.7)", () => {
  it("makes a short link and a code, listed like any dynamic one (docs/spec/api.md section 3.1)", async () => {
    const body = await published();
    expect(body).toMatchObject({
      status: "Published",
      shortlink_url: expect.stringMatching(/^https:\/\/go\.example\/[2-9a-z]{8}$/u) as string,
      share_url: `${PUBLIC_URL}/form/${body.slug}`,
    });
    expect(await readCode(Buffer.from(body.qr_code_svg))).toBe(body.shortlink_url);
    const codes = await service.get(`/workspace/${service.workspace}/qrcodes/`);
    expect(codes.body.results).toMatchObject([
      { id: body.qr_id, display_name: "Feedback", qr_data: body.share_url, dynamic: true },
    ]);
    expect((await service.get(`/qrcode/${body.qr_id}/download/`)).status).toBe(200);
    const scanned = await service.scan(body.shortlink_url);
    expect(scanned.headers.get("location")).toBe(body.share_url);
  });

  it("keeps code and addresses when published again", async () => {
    const first = await published();
    const again = (await post(first.id, "publish", {})).body;
    for (const name of ["qr_id", "shortlink_url", "share_url", "qr_code_svg"]) {
      expect(again[name]).toBe(first[name]);
    }
    const codes = await service.get(`/workspace/${service.workspace}/qrcodes/`);
    expect(codes.body.count).toBe(1);
  });

  it("makes one code when it is sent several times at once", async () => {
    const { id } = await form();
    await post(id, "save", { fields: [text] });
    const answers = await Promise.all([1, 2, 3].map(() => post(id, "publish", {})));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.qr_id)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.share_url)).size).toBe(1);
    const codes = await service.get(`/workspace/${service.workspace}/qrcodes/`);
    expect(codes.body.count).toBe(1);
  });

  it("takes slug and domain the first time, and the same ones again", async () => {
    const { id } = await form();
    await post(id, "save", { fields: [text] });
    for (const slug of ["api", "a b", ""]) expectField(await post(id, "publish", { slug }), "slug");
    expectField(await post(id, "publish", { domain: "evil.example" }), "domain");
    const wanted = { slug: "Feedback-26", domain: "go.example" };
    const { body } = await post(id, "publish", wanted);
    expect(body).toMatchObject({
      shortlink_url: `${PUBLIC_URL}/Feedback-26`,
      share_url: `${PUBLIC_URL}/form/Feedback-26`,
    });
    expect((await post(id, "publish", wanted)).status).toBe(200);
    // Printed codes lead there.
    expectField(await post(id, "publish", { slug: "other" }), "slug");
    const second = await form();
    await post(second.id, "save", { fields: [text] });
    expectField(await post(second.id, "publish", { slug: "Feedback-26" }), "slug");
  });

  it("gives a form whose code was deleted a new one at the same address", async () => {
    const first = await published();
    await service.send("DELETE", `/qrcode/${first.qr_id}/delete/`);
    expect((await list()).body.results).toMatchObject([{ share_url: first.share_url }]);
    const link = { workspace: service.workspace, link: "https://a.example/", slug: first.slug };
    expect((await service.send("POST", "/link/create/", link)).status).toBe(200);
    const again = (await post(first.id, "publish", {})).body;
    expect(again.share_url).toBe(first.share_url);
    expect(again.shortlink_url).not.toBe(first.shortlink_url);
    const scanned = await service.scan(again.shortlink_url);
    expect(scanned.headers.get("location")).toBe(first.share_url);
  });

  it("counts toward the dynamic-code limit, once (docs/spec/api.md section 8)", async () => {
    const limited = await makeService({ plan: { dynamicCodes: 1 } });
    const send = (path: string, body: unknown) => limited.send("POST", path, body);
    const make = async (): Promise<string> => {
      const { body } = await send("/form/create/", { workspace: limited.workspace, title: "F" });
      await send(`/form/${body.id}/save/`, { fields: [text] });
      return body.id as string;
    };
    const [one, two] = [await make(), await make()];
    expect((await send(`/form/${one}/publish/`, {})).status).toBe(200);
    expect((await send(`/form/${one}/publish/`, {})).status).toBe(200);
    const refused = await send(`/form/${two}/publish/`, {});
    expect([refused.status, refused.body]).toEqual([
      400,
      { non_field_errors: ["The plan's limit of 1 dynamic code (dynamic_codes) is reached."] },
    ]);
    await limited.close();
  });

  it("takes an image field with an active paid subscription only (docs/spec/api.md section 3.1)", async () => {
    const free = await makeService({ plan: { paid: false } });
    const { body } = await free.send("POST", "/form/create/", {
      workspace: free.workspace,
      title: "F",
    });
    const image = { ...text, field_type: "image" };
    const saved = await free.send("POST", `/form/${body.id}/save/`, { fields: [image] });
    expect(saved.status).toBe(200);
    const refused = await free.send("POST", `/form/${body.id}/publish/`, {});
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, ["non_field_errors"]]);
    await free.send("POST", `/form/${body.id}/save/`, { fields: [text] });
    expect((await free.send("POST", `/form/${body.id}/publish/`, {})).status).toBe(200);
    await free.close();
    const { id } = await form();
    await post(id, "save", { fields: [image] });
    expect((await post(id, "publish", {})).status).toBe(200);
  });
});

describe("POST /form/{form_id}/logo-url/ (docs/spec/api.md section 4.7)", () => {
  it("keeps a copy of the image, fetched once for its owner only", async () => {
    const fetched: [string, number][] = [];
    const fetching = await makeService({
      fetch: (url, { maxBytes }) => {
        fetched.push([url, maxBytes]);
        return Promise.resolve(PIXEL);
      },
    });
    const { body } = await fetching.send("POST", "/form/create/", {
      workspace: fetching.workspace,
      title: "F",
    });
    const logo_url = "https://example.com/logo.png";
    const path = `/form/${body.id}/logo-url/`;
    const { token } = fetching.other;
    expect((await fetching.send("POST", path, { logo_url }, { token })).status).toBe(404);
    expect(fetched).toEqual([]);
    const { status, body: set } = await fetching.send("POST", path, { logo_url });
    expect([status, fetched]).toEqual([200, [[logo_url, 2 * 1024 * 1024]]]);
    const file = await fetching.fetch(new Request(set.logo_url));
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/png"]);
    const saved = await fetching.send("POST", `/form/${body.id}/save/`, { fields: [text] });
    expect(saved.body.logo_url).toBe(set.logo_url);
    await fetching.close();
  });

  it("takes 2 MB and no more, of the four types by their bytes (docs/spec/api.md section 8)", async () => {
    // What stands behind the end of a PNG is no part of it.
    let bytes = Buffer.concat([PIXEL, Buffer.alloc(2 * 1024 * 1024 - PIXEL.length)]);
    const fetching = await makeService({ fetch: () => Promise.resolve(bytes) });
    const { body } = await fetching.send("POST", "/form/create/", {
      workspace: fetching.workspace,
      title: "F",
    });
    const set = () =>
      fetching.send("POST", `/form/${body.id}/logo-url/`, { logo_url: "https://a.example/l.png" });
    expect((await set()).status).toBe(200);
    const refused = [
      Buffer.concat([bytes, Buffer.from([0])]),
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      Buffer.from("%PDF-1.7"),
      Buffer.alloc(0),
      PIXEL.subarray(0, 40),
    ];
    for (const each of refused) {
      bytes = each;
      expectField(await set(), "logo_url");
    }
    await fetching.close();
  });

  it.each([undefined, null, "", "logo.png", "javascript:alert(1)", "ftp://a.example/l.png", 5])(
    "refuses %j",
    async (logo_url) => {
      const { id } = await form();
      const { status, body } = await post(id, "logo-url", { logo_url });
      expect([status, Object.keys(body)]).toEqual([400, ["logo_url"]]);
    },
  );

  it("refuses private addresses", async () => {
    const { id } = await form();
    const answer = await post(id, "logo-url", { logo_url: "http://127.0.0.1:1/l.png" });
    expect(answer.body).toEqual({
      logo_url: [
        "Must lead to an image, but the address must be public, unless the service or the job is run with MAKEREADY_ALLOW_PRIVATE_FETCH=true.",
      ],
    });
    const named = await post(id, "logo-url", { logo_url: "http://localhost:1/l.png" });
    expect(named.body).toEqual(answer.body);
  });
});

describe("GET /forms/ (docs/spec/api.md section 4.7)", () => {
  it("lists newest first with the fields of 2.11", async () => {
    const one = await form({ title: "One" });
    const two = await published();
    const { body } = await list();
    expect(body).toMatchObject({ count: 2, next: null, previous: null });
    expect(body.results.map(({ id }: Wire) => id)).toEqual([two.id, one.id]);
    expect(Object.keys(body.results[0]).toSorted()).toEqual(
      "created id modified response_count share_url status title workspace".split(" "),
    );
  });

  it("needs a workspace of the caller in its query (docs/spec/api.md section 5)", async () => {
    expect((await service.get("/forms/")).body).toEqual({ workspace: ["This field is required."] });
    const theirs = await service.get(`/forms/?workspace=${service.other.workspaceId}`);
    expect([theirs.status, theirs.body]).toEqual([404, { detail: "Not found." }]);
  });

  it("searches titles, whatever their case, and says so when none matches", async () => {
    await form({ title: "Umfrage ÄPFEL 50%" });
    await form({ title: "Survey" });
    for (const q of ["äpfel", "50%", "UMFRAGE"]) {
      expect((await list(`&q=${encodeURIComponent(q)}`)).body.count).toBe(1);
    }
    expect((await list("&q=pears")).body).toMatchObject({
      message: expect.any(String) as string,
      results: [],
    });
  });

  it("has 50 a page unless asked, and 100 at most (docs/spec/api.md section 8)", async () => {
    for (let n = 0; n < 101; n += 1) await form({ title: `F${n}` });
    expect((await list()).body.results).toHaveLength(50);
    expect((await list("&page_size=100")).body.results).toHaveLength(100);
    const most = (await list("&page_size=200")).body;
    expect(most.results).toHaveLength(100);
    expect(new URL(most.next).searchParams.get("workspace")).toBe(service.workspace);
    expect((await list("&page=3&page_size=50")).body.results).toHaveLength(1);
  });
});
