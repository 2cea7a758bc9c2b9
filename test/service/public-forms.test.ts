/**
 * What respondents meet: `/form/{slug}` (docs/spec/api.md sections 2.11, 3.1 and 4.7;
 * docs/spec/design.md section 5). The page in a browser: test/e2e.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { crc32 } from "node:zlib";

import * as fc from "../help/property.ts";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { fieldTypes, type FieldType } from "../../src/api/form.ts";

import { makeService, type TestService, type Wire } from "./make-service.ts";
import { listResponses, look, publishForm, submit, type Answers } from "./visit-form.ts";

let service: TestService;
beforeEach(async () => {
  service = await makeService();
});
afterEach(() => service.close());

const options = [
  { value: "s", label: "Small" },
  { value: "l", label: "Large" },
];
const field = (type: FieldType, more: Record<string, unknown> = {}) => ({
  id: `temp-${type}`,
  field_type: type,
  label: `Your ${type}`,
  ...(["select", "radio", "checkbox"].includes(type) ? { options } : {}),
  ...more,
});
const act = (form: Wire, action: string, body?: unknown) =>
  service.send("POST", `/form/${form.id}/${action}/`, body);
const send = (form: Wire, value: Answers[string], more: Answers = {}) =>
  submit(service, form.share_url, { answers: { [form.fields[0].id]: value, ...more } });
const PART = 'Content-Disposition: form-data; name="a"\r\n\r\n\r\n';
const stored = async (form: Wire): Promise<number> =>
  (await listResponses(service, form.id)).results.length;
const toValue = (response: Wire): unknown => response.field_responses[0].value;
const picture = async (format: "png" | "webp" | "jpeg" | "gif"): Promise<Blob> => {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: "#c03" } });
  return new Blob([new Uint8Array(await image[format]().toBuffer())]);
};

describe("the published form", () => {
  it("has a control with a label for every type, and is sent as multipart for its image", async () => {
    const form = await publishForm(
      service,
      fieldTypes.map((type) => field(type, { required: true, placeholder: "Hint" })),
    );
    const { status, html, headers } = await look(service, form.share_url);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(html).toContain('enctype="multipart/form-data">');
    for (const { id } of form.fields as { id: string }[]) {
      expect(html).toContain(`name="${id}"`);
      expect(html).toMatch(new RegExp(`<label for="q-${id}"|<fieldset[^>]*>\\s*<legend`, "u"));
    }
    const types = [...html.matchAll(/<(?:input|select|textarea)[^>]*>/gu)].map(
      ([tag]) => /type="([a-z]+)"/u.exec(tag)?.[1] ?? tag.split(/[ >]/u)[0]?.slice(1),
    );
    expect(new Set(types)).toEqual(
      new Set(
        "text email tel number textarea select radio checkbox date time url file input hidden".split(
          " ",
        ),
      ),
    );
  });

  it("runs its own script and style only, loads nothing from elsewhere (docs/spec/design.md promise 10)", async () => {
    const form = await publishForm(service);
    const { html, headers } = await look(service, form.share_url);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/u,
    );
    expect(policy).toMatch(/base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/u);
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//u);
    expect(html).not.toMatch(/ on[a-z]+=| style=/u);
  });

  it("shows the published fields while a draft is edited, until it is published again (docs/spec/api.md section 3.1)", async () => {
    const form = await publishForm(service, [field("text")], { description: "First" });
    const fields = [{ ...form.fields[0], label: "New label" }, field("email")];
    await act(form, "save", { fields, title: "New title", description: "Second" });
    const before = (await look(service, form.share_url)).html;
    expect(before).toContain("Your text");
    expect(before).toContain("First");
    expect(before).not.toMatch(/New label|New title|Second|Your email/u);
    // What is taken is checked against what respondents saw.
    expect((await send(form, "A")).status).toBe(303);
    expect((await listResponses(service, form.id)).results[0].field_responses).toEqual([
      { field_id: form.fields[0].id, field_label: "Your text", field_type: "text", value: "A" },
    ]);
    await act(form, "publish", {});
    const after = (await look(service, form.share_url)).html;
    expect(after).toMatch(/New title[^]*Second[^]*New label[^]*Your email/u);
    // Old responses keep the words that were answered.
    const [old] = (await listResponses(service, form.id)).results;
    expect(old.field_responses[0].field_label).toBe("Your text");
  });

  it("is a page that says so when it is closed, and takes answers again when reopened (docs/spec/api.md section 3.1)", async () => {
    const form = await publishForm(service);
    const { ticket } = await look(service, form.share_url);
    await act(form, "close");
    const closed = await look(service, form.share_url);
    expect(closed.status).toBe(200);
    expect(closed.html).toContain("This form is closed");
    expect(closed.html).not.toContain("<form");
    const answers = { [form.fields[0].id]: "late" };
    const late = await submit(service, form.share_url, { answers, ticket });
    expect([late.status, late.html.includes("This form is closed")]).toEqual([403, true]);
    expect((await listResponses(service, form.id)).results).toEqual([]);
    await act(form, "reopen");
    expect((await submit(service, form.share_url, { answers, ticket })).status).toBe(303);
    expect((await listResponses(service, form.id)).count).toBe(1);
  });

  it("takes nothing that was on its way when it was closed (docs/spec/api.md section 3.1)", async () => {
    const form = await publishForm(service);
    const { ticket } = await look(service, form.share_url);
    const body = new URLSearchParams({ ticket, [form.fields[0].id]: "late" }).toString();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const begun = writer.write(Buffer.from(body.slice(0, 5)));
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const sending = service.fetch(
      new Request(form.share_url, { method: "POST", body: readable, headers, duplex: "half" }),
    );
    await begun;
    await act(form, "close");
    await writer.write(Buffer.from(body.slice(5)));
    await writer.close();
    expect((await sending).status).toBe(403);
    expect((await listResponses(service, form.id)).results).toEqual([]);
  });

  it("is 404 before it is published, and under unknown names", async () => {
    const { id } = (
      await service.send("POST", "/form/create/", { workspace: service.workspace, title: "Draft" })
    ).body;
    for (const slug of [id, "none", "__proto__", "%00", "..%2fx"]) {
      const { status, html } = await look(service, `https://go.example/form/${slug}`);
      expect([status, html.includes("Not found")]).toEqual([404, true]);
    }
    const sent = await submit(service, "https://go.example/form/none", {
      answers: {},
      ticket: "x",
    });
    expect(sent.status).toBe(404);
    expect((await look(service, "https://go.example/form/none/thanks")).status).toBe(404);
  });

  it("answers other methods with 405 and what it takes", async () => {
    const form = await publishForm(service);
    const ask = (method: string) => service.fetch(new Request(form.share_url, { method }));
    const put = await ask("PUT");
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
    expect((await ask("OPTIONS")).status).toBe(204);
    expect((await ask("HEAD")).status).toBe(200);
  });

  it("shows its logo from this service only (docs/spec/api.md section 4.7)", async () => {
    const png = Buffer.from(await (await picture("png")).arrayBuffer());
    const fetching = await makeService({ fetch: () => Promise.resolve(png) });
    const form = await publishForm(fetching);
    await fetching.send("POST", `/form/${form.id}/logo-url/`, {
      logo_url: "https://a.example/l.png",
    });
    expect((await look(fetching, form.share_url)).html).not.toContain("<img");
    await fetching.send("POST", `/form/${form.id}/publish/`, {});
    const { html, headers } = await look(fetching, form.share_url);
    const src = /<img src="([^"]+)"/u.exec(html)?.[1] ?? "";
    expect(src).toMatch(/^\/media\/[a-z2-7]{32}\.png$/u);
    expect(headers.get("content-security-policy")).toContain("img-src 'self'");
    expect((await fetching.fetch(new Request(new URL(src, form.share_url)))).status).toBe(200);
    await fetching.close();
  });
});

describe("a submission", () => {
  it("is stored with its time, and leads to the thank-you page (docs/spec/api.md section 2.11)", async () => {
    const form = await publishForm(service, [field("text"), field("number")], {
      thank_you_message: "Danke <schön>!",
    });
    const { ticket } = await look(service, form.share_url);
    await service.clock.advance(12_400);
    const [name, number] = form.fields.map(({ id }: Wire) => id);
    const answers = { [name]: "  Zoë 🎉 ", [number]: "3.5" };
    const sent = await submit(service, form.share_url, { answers, ticket });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, `/form/${form.slug}/thanks`]);
    const thanks = await look(service, `https://go.example/form/${form.slug}/thanks`);
    expect(thanks.html).toContain("Danke &lt;schön&gt;!");
    const { body } = await service.get(`/forms/${form.id}/responses/`);
    expect(body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/u) as string,
          submitted_at: "2026-11-20T08:00:12.400Z",
          is_complete: true,
          completion_time_seconds: 12,
          field_responses: [
            { field_id: name, field_label: "Your text", field_type: "text", value: "Zoë 🎉" },
            { field_id: number, field_label: "Your number", field_type: "number", value: 3.5 },
          ],
        },
      ],
    });
    const list = await service.get(`/forms/?workspace=${service.workspace}`);
    expect(list.body.results[0].response_count).toBe(1);
  });

  it("leads to the redirect URL, which the policy of the page lets through", async () => {
    const url = "https://example.com/thanks?from=form#top";
    const form = await publishForm(service, undefined, { redirect_url: url });
    const { headers } = await look(service, form.share_url);
    expect(headers.get("content-security-policy")).toContain("form-action 'self' https:;");
    const sent = await send(form, "A");
    expect([sent.status, sent.headers.get("location")]).toEqual([303, url]);
  });

  it("counts once when it is sent twice from one page", async () => {
    const form = await publishForm(service);
    const { ticket } = await look(service, form.share_url);
    const answers = { [form.fields[0].id]: "A" };
    const sent = await Promise.all(
      [1, 2, 3].map(() => submit(service, form.share_url, { answers, ticket })),
    );
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await listResponses(service, form.id)).count).toBe(1);
    await send(form, "B");
    expect((await listResponses(service, form.id)).count).toBe(2);
  });

  it("is listed newest first, page by page, 100 at most (docs/spec/api.md sections 4.7 and 8)", async () => {
    const form = await publishForm(service);
    for (let n = 0; n < 103; n += 1) await send(form, `A${n}`);
    const first = await listResponses(service, form.id);
    expect([first.count, first.results.length, toValue(first.results[0])]).toEqual([
      103,
      50,
      "A102",
    ]);
    const most = await listResponses(service, form.id, "?page_size=200");
    expect(most.results).toHaveLength(100);
    const last = await listResponses(service, form.id, "?page=2&page_size=100");
    expect(last.results.map(toValue)).toEqual(["A2", "A1", "A0"]);
    expect(last.next).toBeNull();
    const theirs = await service.send("GET", `/forms/${form.id}/responses/`, undefined, {
      token: service.other.token,
    });
    expect(theirs.status).toBe(404);
  });

  it("says in words that there are none (docs/spec/api.md section 2)", async () => {
    const form = await publishForm(service);
    expect(await listResponses(service, form.id)).toMatchObject({
      message: expect.any(String) as string,
      results: [],
    });
  });
});

/** type -> [what is sent, what is stored]. */
const good: Record<FieldType, [Answers[string], unknown][]> = {
  text: [
    ["a", "a"],
    ["  x  ", "x"],
    ["a\u0000b\u0007c", "abc"],
    ["x".repeat(1000), "x".repeat(1000)],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ],
  textarea: [
    ["one\r\ntwo\n\nthree", "one\ntwo\n\nthree"],
    ["y".repeat(10_000), "y".repeat(10_000)],
  ],
  email: [
    ["a@b.example", "a@b.example"],
    ["first.last+tag@sub.example.org", "first.last+tag@sub.example.org"],
  ],
  phone: [
    ["+49 (0)30 123-456", "+49 (0)30 123-456"],
    ["112", "112"],
  ],
  number: [
    ["12", 12],
    ["-3.5", -3.5],
    ["1e3", 1000],
    ["0", 0],
    [".5", 0.5],
    ["+2.50", 2.5],
    ["12e-1", 1.2],
    ["0.00", 0],
    ["9007199254740991", 9_007_199_254_740_991],
    ["1e25", 1e25],
  ],
  select: [["l", "l"]],
  radio: [["s", "s"]],
  checkbox: [
    [
      ["s", "l"],
      ["s", "l"],
    ],
    [["l", "l"], ["l"]],
    ["s", ["s"]],
  ],
  date: [
    ["2026-11-20", "2026-11-20"],
    ["2024-02-29", "2024-02-29"],
  ],
  time: [
    ["00:00", "00:00"],
    ["23:59", "23:59"],
    ["08:30:15", "08:30:15"],
  ],
  url: [
    ["https://example.com/a?b=c", "https://example.com/a?b=c"],
    ["HTTP://example.com", "HTTP://example.com"],
  ],
  rating: [
    ["1", 1],
    ["5", 5],
  ],
  scale: [
    ["1", 1],
    ["10", 10],
  ],
  yes_no: [
    ["yes", true],
    ["no", false],
  ],
  image: [],
};

/** As numbers, these would be others, or lose zeros. */
const ALTERED = [
  "123456789012345678901",
  "00493012345678901234",
  "007",
  "0.1234567890123456789",
  "9007199254740993",
  "1e-999",
];

const bad: Record<FieldType, Answers[string][]> = {
  text: ["x".repeat(1001), ["a", "b"]],
  textarea: ["x".repeat(10_001)],
  email: ["a", "a@", "@b.example", "a b@c.example", "a@b.example,c@d.example", "a@-b.example"],
  phone: ["12", "call me", "+49 30 <b>", "1".repeat(41)],
  number: ["x", "1,5", "0x10", "1e999", "NaN", "Infinity", "--1", "1 2", ...ALTERED],
  select: ["m", "S", "Small", ["s", "l"]],
  radio: ["m", ["s", "l"]],
  checkbox: ["m", ["s", "m"]],
  date: ["20.11.2026", "2026-02-29", "2026-13-01", "2026-00-10", "0000-01-01", "2026-11-20T00:00"],
  time: ["24:00", "8:30", "12:60", "noon"],
  url: ["example.com", "javascript:alert(1)", "ftp://example.com/", "https://", "https://a b"],
  rating: ["0", "6", "2.5", "-1", "five"],
  scale: ["0", "11", "1.5"],
  yes_no: ["maybe", "true", ["yes", "no"]],
  image: [],
};

describe.each(fieldTypes.filter((type) => type !== "image"))(
  "an answer of type %s (docs/spec/api.md section 2.11)",
  (type) => {
    it("is taken and stored as what it is", async () => {
      const form = await publishForm(service, [field(type)]);
      for (const [value] of good[type]) expect((await send(form, value)).status).toBe(303);
      const { results } = await listResponses(service, form.id);
      expect(results.map(toValue).toReversed()).toEqual(good[type].map(([, stored]) => stored));
    });

    it("is refused when it is no image, with the reason at the field and above the form", async () => {
      const form = await publishForm(service, [field(type)]);
      for (const value of bad[type]) {
        const { status, html } = await send(form, value);
        expect([status, value]).toEqual([400, value]);
        expect(html).toContain("Please check one answer");
        expect(html).toContain(`<a href="#q-${form.fields[0].id}">Your ${type}: Please `);
        expect(html).toContain('aria-invalid="true"');
      }
      expect((await listResponses(service, form.id)).results).toEqual([]);
    });

    it("may be left out unless it is required; then it is null", async () => {
      const optional = await publishForm(service, [field(type)]);
      for (const answers of [{}, { [optional.fields[0].id]: " " }]) {
        expect((await submit(service, optional.share_url, { answers })).status).toBe(303);
      }
      const { results } = await listResponses(service, optional.id);
      expect(results.map(toValue)).toEqual([null, null]);
      const required = await publishForm(service, [field(type, { required: true })]);
      for (const answers of [{}, { [required.fields[0].id]: " " }]) {
        expect((await submit(service, required.share_url, { answers })).status).toBe(400);
      }
    });
  },
);

it("says of a number that would be altered what to do", async () => {
  const form = await publishForm(service, [field("number")]);
  for (const value of ALTERED) {
    const { html } = await send(form, value);
    expect(html).toContain("without zeros in front: this one would be changed.");
    expect(html).toContain("needs a text field");
  }
});

it("knows an option by its value however it is written", async () => {
  const odd = [
    { value: "  with spaces ", label: "A" },
    { value: "two\nlines", label: "B" },
    { value: "<&\"'>", label: "C" },
  ];
  const form = await publishForm(service, [field("checkbox", { options: odd })]);
  const { html } = await look(service, form.share_url);
  expect(html).toContain('value="&lt;&amp;&quot;&#39;&gt;"');
  const values = odd.map(({ value }) => value);
  // Browsers send every line break as CR LF.
  const sent = await send(
    form,
    values.map((value) => value.replace("\n", "\r\n")),
  );
  expect(sent.status).toBe(303);
  expect((await listResponses(service, form.id)).results.map(toValue)).toEqual([values]);
});

describe("an image (docs/spec/api.md section 2.11)", () => {
  it.each(["png", "webp", "jpeg", "gif"] as const)(
    "as %s is stored as a JPEG of our own making",
    async (format) => {
      const form = await publishForm(service, [field("image")]);
      expect((await send(form, await picture(format))).status).toBe(303);
      const [{ field_responses: answers }] = (await listResponses(service, form.id)).results;
      const file = await service.fetch(new Request(answers[0].value as string));
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
      expect(file.headers.get("x-content-type-options")).toBe("nosniff");
      expect(file.headers.get("cache-control")).toBe("private, no-cache");
      expect(file.headers.get("x-robots-tag")).toBe("noindex");
      const {
        format: kind,
        width,
        height,
        exif,
      } = await sharp(await file.arrayBuffer()).metadata();
      expect([kind, width, height, exif]).toEqual(["jpeg", 40, 30, undefined]);
    },
  );

  it("loses the camera's data about its owner, and is turned upright", async () => {
    const form = await publishForm(service, [field("image")]);
    const bytes = await sharp({
      create: { width: 40, height: 30, channels: 3, background: "#0af" },
    })
      .withExif({ IFD0: { Artist: "Secret" }, IFD3: { GPSLatitude: "52/1 0/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    await send(form, new Blob([new Uint8Array(bytes)]));
    const [{ field_responses: answers }] = (await listResponses(service, form.id)).results;
    const file = await service.fetch(new Request(answers[0].value as string));
    const { width, height, exif, orientation } = await sharp(await file.arrayBuffer()).metadata();
    expect([width, height, exif, orientation]).toEqual([30, 40, undefined, undefined]);
  });

  it("is recognised by its bytes, whatever its name and type say", async () => {
    const form = await publishForm(service, [field("image")]);
    const html = new Blob(["<html><script>alert(1)</script>"], { type: "image/png" });
    const svg = new Blob(["<svg xmlns='http://www.w3.org/2000/svg'/>"], { type: "image/jpeg" });
    const broken = (await picture("png")).slice(0, 60);
    for (const file of [html, svg, broken, new Blob([new Uint8Array(1000)])]) {
      const { status, html: page } = await send(form, file);
      expect([status, page.includes("Your image: Please choose a JPEG, PNG, GIF or WebP")]).toEqual(
        [400, true],
      );
    }
    expect((await listResponses(service, form.id)).results).toEqual([]);
  });

  it("is not unpacked when it says that it is enormous", async () => {
    const form = await publishForm(service, [field("image")]);
    const bytes = Buffer.from(await (await picture("png")).arrayBuffer());
    // Width and height of the header, and its check sum anew: 30,000 pixels each way.
    bytes.writeUInt32BE(30_000, 16);
    bytes.writeUInt32BE(30_000, 20);
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
    expect((await send(form, new Blob([new Uint8Array(bytes)]))).status).toBe(400);
    expect(await stored(form)).toBe(0);
  });

  it("is needed when it is required, and an empty choice doesn't count", async () => {
    const form = await publishForm(service, [field("image", { required: true })]);
    expect((await send(form, new Blob([]))).status).toBe(400);
    const optional = await publishForm(service, [field("image")]);
    expect((await send(optional, new Blob([]))).status).toBe(303);
    expect(
      (await listResponses(service, optional.id)).results[0].field_responses[0].value,
    ).toBeNull();
  });

  it("has 10 MB at most, and the whole submission an end too (docs/spec/api.md section 8)", async () => {
    const form = await publishForm(service, [field("image")]);
    const png = new Uint8Array(await (await picture("png")).arrayBuffer());
    const padded = (size: number) => new Blob([png, new Uint8Array(size - png.length)]);
    expect((await send(form, padded(10 * 1024 * 1024))).status).toBe(303);
    expect((await send(form, padded(10 * 1024 * 1024 + 1))).status).toBe(400);
    expect((await send(form, padded(12 * 1024 * 1024))).status).toBe(413);
  });

  it("leaves no file behind where no response is stored", async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "makeready-forms-"));
    const onDisk = await makeService({ dataDir });
    const two = [field("image"), { ...field("image"), id: "temp-2" }];
    const form = await publishForm(onDisk, two);
    const [one, other] = form.fields.map(({ id }: Wire) => id);
    const countFiles = async (): Promise<number> =>
      (await readdir(path.join(dataDir, "media"), { recursive: true }).catch(() => [])).filter(
        (name) => name.endsWith(".jpg"),
      ).length;
    const broken = { [one]: await picture("png"), [other]: new Blob(["no image"]) };
    expect((await submit(onDisk, form.share_url, { answers: broken })).status).toBe(400);
    expect(await countFiles()).toBe(0);
    const answers = { [one]: await picture("png"), [other]: await picture("webp") };
    const { ticket } = await look(onDisk, form.share_url);
    const twice = [1, 2].map(() => submit(onDisk, form.share_url, { answers, ticket }));
    expect((await Promise.all(twice)).map(({ status }) => status)).toEqual([303, 303]);
    expect(await countFiles()).toBe(2);
    await onDisk.close();
    await rm(dataDir, { recursive: true });
  });

  it("has to be chosen again when something else was wrong, and the page says so", async () => {
    const form = await publishForm(service, [field("image"), field("email")]);
    const [image, email] = form.fields.map(({ id }: Wire) => id);
    const answers = { [image]: await picture("png"), [email]: "nonsense" };
    const { status, html } = await submit(service, form.share_url, { answers });
    expect([status, html.includes("Your image: Please choose the image once more.")]).toEqual([
      400,
      true,
    ]);
    expect(html).toContain("Please check 2 answers");
    const mended = { ...answers, [email]: "a@b.example" };
    expect((await submit(service, form.share_url, { answers: mended })).status).toBe(303);
    expect((await listResponses(service, form.id)).count).toBe(1);
  });
});

describe("what was written", () => {
  it("stands in the form again when something was wrong", async () => {
    const form = await publishForm(service, [
      field("text"),
      field("textarea"),
      field("select"),
      field("checkbox"),
      field("yes_no"),
      field("email"),
    ]);
    const ids = form.fields.map(({ id }: Wire) => id as string);
    const values: Answers[string][] = ['"<b>&', "\n<i>", "l", ["s", "l"], "no", "wrong"];
    const answers = Object.fromEntries(ids.map((id: string, n: number) => [id, values[n] ?? ""]));
    const { ticket } = await look(service, form.share_url);
    const { html, ticket: again } = await submit(service, form.share_url, { answers, ticket });
    expect(html).toContain('value="&quot;&lt;b&gt;&amp;"');
    expect(html).toContain(">\n\n&lt;i&gt;</textarea>");
    expect(html).toContain('<option value="l" selected>');
    expect(html.match(/type="checkbox"[^>]* checked/gu)).toHaveLength(2);
    expect(html).toMatch(/value="no" checked/u);
    expect(html).toContain("<title>Error: Feedback</title>");
    // The same page goes on: its time counts from the start, and it is still sent once.
    expect(again).toBe(ticket);
  });

  it("is no answer when the field has gone meanwhile", async () => {
    const form = await publishForm(service, [field("text"), field("email")]);
    const { ticket } = await look(service, form.share_url);
    const [name, email] = form.fields.map(({ id }: Wire) => id);
    await act(form, "save", { fields: [form.fields[0]] });
    await act(form, "publish", {});
    const odd = JSON.parse('{"other": "x", "__proto__": "y", "constructor": "z"}') as Answers;
    const answers = { [name]: "A", [email]: "a@b.example", ...odd };
    expect((await submit(service, form.share_url, { answers, ticket })).status).toBe(303);
    expect((await listResponses(service, form.id)).results[0].field_responses).toHaveLength(1);
  });
});

it("puts nothing into a header that would end it", async () => {
  const { id } = await publishForm(service);
  const attack = "https://a.example/\r\nSet-Cookie: taken=1";
  for (const redirect_url of [attack, attack.replace("\r", ""), "https://a.example/\u0000"]) {
    const save = await service.send("POST", `/form/${id}/save/`, { fields: [], redirect_url });
    expect([save.status, Object.keys(save.body)]).toEqual([400, ["redirect_url"]]);
  }
  const { workspace } = service;
  const page = { workspace, title: "P", slug: "a\r\nSet-Cookie: taken=1" };
  expect((await service.send("POST", "/page/create/", page)).status).toBe(400);
  // Letters that a header can't hold are written as browsers write them.
  const redirect_url = "https://bücher.example/größe?q=é";
  const form = await publishForm(service, undefined, { redirect_url });
  const { headers } = await send(form, "A");
  expect(headers.get("location")).toBe("https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe?q=%C3%A9");
});

describe("what is no respondent", () => {
  it("has no ticket, a foreign one or a forged one: the form comes back with what was written", async () => {
    const form = await publishForm(service);
    const other = await publishForm(service);
    const foreign = (await look(service, other.share_url)).ticket;
    const own = (await look(service, form.share_url)).ticket;
    const [shown = "", nonce = "", signature = ""] = own.split(".");
    const earlier = `${(Number.parseInt(shown, 36) - 60_000).toString(36)}.${nonce}.${signature}`;
    for (const ticket of ["", "x", foreign, earlier, `${own}a`, own.toUpperCase()]) {
      const answers = { [form.fields[0].id]: "kept" };
      const seen = await submit(service, form.share_url, { answers, ticket });
      expect(seen.status).toBe(400);
      expect(seen.html).toContain('value="kept"');
      expect(seen.ticket).not.toBe(ticket);
    }
    expect(await stored(form)).toBe(0);
  });

  it("waited for more than a day: it is asked once more, and loses nothing", async () => {
    const form = await publishForm(service);
    const { ticket } = await look(service, form.share_url);
    await service.clock.advance(24 * 60 * 60 * 1000 + 1);
    const answers = { [form.fields[0].id]: "kept" };
    const late = await submit(service, form.share_url, { answers, ticket });
    expect([late.status, late.html.includes("open for too long")]).toEqual([400, true]);
    const again = await submit(service, form.share_url, { answers, ticket: late.ticket });
    expect([again.status, await stored(form)]).toEqual([303, 1]);
  });

  it("fills in invisible fields", async () => {
    const form = await publishForm(service);
    const robot = await send(form, "spam", { "leave-empty": "https://spam.example" });
    expect([robot.status, robot.html.includes("robot"), await stored(form)]).toEqual([
      400,
      true,
      0,
    ]);
    expect(robot.html).toMatch(/name="leave-empty" tabindex="-1" autocomplete="off">/u);
  });

  it.each([
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ origin: "https://evil.example" }, 403],
    [{ "sec-fetch-site": "same-origin", origin: "null" }, 303],
    [{ "sec-fetch-site": "none" }, 303],
    [{ origin: "https://go.example" }, 303],
    [{}, 303],
  ])("comes from the page of another site (CSRF): %j -> %i", async (headers, status) => {
    const form = await publishForm(service);
    const answers = { [form.fields[0].id]: "A" };
    const sent = await submit(service, form.share_url, { answers, headers: { ...headers } });
    expect([sent.status, await stored(form)]).toEqual([status, status === 303 ? 1 : 0]);
  });

  it("sends more in a minute than people do: 300 from one address (429)", async () => {
    const limited = await makeService({ limits: { reads: 10_000, writes: 10_000 } });
    const form = await publishForm(limited);
    const answers = { [form.fields[0].id]: "A" };
    const statuses: number[] = [];
    for (let n = 0; n < 301; n += 1) {
      statuses.push((await submit(limited, form.share_url, { answers })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 300 }, () => 303), 429]);
    const over = await submit(limited, form.share_url, { answers });
    expect(over.headers.get("retry-after")).toMatch(/^\d+$/u);
    expect(over.html).toContain('value="A"');
    await limited.clock.advance(60_000);
    const { status } = await submit(limited, form.share_url, { answers, ticket: over.ticket });
    expect(status).toBe(303);
    expect((await listResponses(limited, form.id)).count).toBe(301);
    await limited.close();
  });

  it.each([
    ["application/json", "{}", 400],
    ["text/plain", "a=b", 400],
    ["multipart/form-data", "x", 400],
    ["multipart/form-data; boundary=b", "no boundary in here", 400],
    ["application/x-www-form-urlencoded", "a".repeat(1024 * 1024 + 1), 413],
    ["application/x-www-form-urlencoded", "a&".repeat(500_000), 400],
    ['multipart/form-data; boundary="a b"', `--a b\r\n${PART}`.repeat(15_000), 400],
    ["multipart/form-data; charset=x; boundary=b", `--b\r\n${PART}`.repeat(15_000), 400],
  ])("sends %s that is no form", async (type, body, status) => {
    const form = await publishForm(service);
    const headers = { "content-type": type };
    const answer = await service.fetch(
      new Request(form.share_url, { method: "POST", body, headers }),
    );
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      status,
      "text/html; charset=utf-8",
    ]);
    expect(await answer.text()).toContain(status === 413 ? "at most 1 MB" : "could not be read");
    expect(await stored(form)).toBe(0);
  });
});

it("answers whatever is sent, and never with a fault of its own", async () => {
  const form = await publishForm(
    service,
    fieldTypes.map((type) => field(type)),
  );
  const { ticket } = await look(service, form.share_url);
  const name = fc.oneof(
    fc.constantFrom(...form.fields.map(({ id }: Wire) => id as string), "ticket", "leave-empty"),
    fc.constantFrom("__proto__", "constructor", "", "a[b]"),
    fc.string({ unit: "binary", maxLength: 10 }),
  );
  const value = fc.oneof(
    fc.constantFrom(ticket, "yes", "s", "5", "2026-11-20", "https://example.com/", "a@b.example"),
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constant("x".repeat(20_000)),
  );
  const pairs = fc.array(fc.tuple(name, value), { maxLength: 20 });
  const bytes = fc.uint8Array({ maxLength: 300 }).map((one) => Buffer.from(one));
  const multipart = fc.tuple(pairs, bytes).map(([all, file]) => {
    const data = new FormData();
    for (const [key, one] of all) data.append(key.toWellFormed(), one.toWellFormed());
    data.append(form.fields.at(-1).id as string, new Blob([file]));
    return data;
  });
  const urlencoded = pairs.map(
    (all) =>
      new URLSearchParams(
        all.map(([key, one]): [string, string] => [key.toWellFormed(), one.toWellFormed()]),
      ),
  );
  const raw = bytes.map((one) => new Blob([one], { type: "multipart/form-data; boundary=x" }));
  const cut = bytes.map(
    (one) => new Blob([one], { type: "application/x-www-form-urlencoded; charset=utf-16" }),
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(multipart, urlencoded, raw, cut), async (body) => {
      const sent = new Request(form.share_url, { method: "POST", body, redirect: "manual" });
      const { status } = await service.fetch(sent);
      expect([303, 400]).toContain(status);
    }),
    { numRuns: 150 },
  );
});

it("escapes every text of a form, wherever it stands (docs/spec/design.md promise 10)", async () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`;
  const fields = fieldTypes.map((type) =>
    field(type, {
      label: `${evil}${type}`,
      placeholder: evil,
      options: [{ value: evil, label: evil }],
    }),
  );
  const form = await publishForm(service, fields, {
    title: evil,
    description: evil,
    thank_you_message: evil,
  });
  const text = form.fields[0].id as string;
  const pages = [
    await look(service, form.share_url),
    await submit(service, form.share_url, {
      answers: { [text]: `${evil}${"x".repeat(1000)}`, [form.fields[1].id]: evil },
    }),
    await look(service, `${form.share_url}/thanks`),
  ];
  await act(form, "close");
  pages.push(await look(service, form.share_url));
  for (const { html } of pages) {
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html.match(/<script/gu) ?? []).toHaveLength(html.includes("<form") ? 1 : 0);
    expect(html).not.toMatch(/<img|onerror=alert\(1\)>(?!&)/u);
  }
});
