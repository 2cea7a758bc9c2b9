/** What a stranger with the document in hand would try: types, bounds and fields, table by table. */
import { gzipSync } from "node:zlib";

import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeService, type Answer, type TestService, type Wire } from "../make-service.ts";

const UNKNOWN = "00000000-0000-4000-8000-ffffffffffff";
const MB = 1024 * 1024;
const PDF = Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n");
const pdf_base64 = PDF.toString("base64");

let service: TestService;
let code: Wire;
let fixed: Wire;
let link: Wire;
let folder: Wire;
let png: Buffer;

beforeAll(async () => {
  const pixels = { width: 30, height: 30, channels: 3 as const, background: "#cc0000" };
  png = await sharp({ create: pixels }).png().toBuffer();
  service = await makeService({
    fetch: (url) => (url.endsWith(".pdf") ? Promise.resolve(PDF) : Promise.resolve(png)),
  });
  code = await service.code({ dynamic: true });
  fixed = await service.code();
  folder = await service.folder("Edge");
  link = (await post("/link/create/", { link: "https://example.com/" })).body;
});
afterAll(() => service.close());

const post = (path: string, fields: object): Promise<Answer> =>
  service.send("POST", path, { workspace: service.workspace, ...fields });
const patch = (path: string, fields: unknown): Promise<Answer> =>
  service.send("PATCH", path, fields);
const keysOf = ({ status, body }: Answer): unknown => [status, Object.keys(body)];

const restyle = (bytes: Buffer) =>
  patch(`/qrcode/${fixed.id}/design/`, { logo_base64: bytes.toString("base64") });
const padded = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)]);

const list = (query: string): Promise<Answer> =>
  service.get(`/workspace/${service.workspace}/qrcodes/${query}`);

const creators: Record<string, Record<string, unknown>> = {
  "/qrcode/create/": { qr_data: "https://example.com/" },
  "/folder/create/": { name: "New" },
  "/pdf/create/": { pdf_base64 },
  "/link/create/": { link: "https://example.com/" },
};

describe.each(Object.keys(creators))("docs/spec/api.md sections 4.1 to 4.5: POST %s", (path) => {
  it.each([undefined, null, "", 5, true, [], {}])(
    "workspace is required, not %j",
    async (value) => {
      expect(keysOf(await post(path, { ...creators[path], workspace: value }))).toEqual([
        400,
        ["workspace"],
      ]);
    },
  );

  it("all wrong fields are named at once (docs/spec/api.md section 7)", async () => {
    const { status, body } = await post(path, {
      workspace: 5,
      display_name: 5,
      name: 5,
      parent: 5,
    });
    expect(status).toBe(400);
    expect(Object.keys(body)).toContain("workspace");
    expect(Object.keys(body).length).toBeGreaterThan(1);
    for (const messages of Object.values(body)) expect(messages).toEqual([expect.any(String)]);
  });
});

/** field -> what it must not be. */
const NO_TEXT = [5, true, [], {}];
const NO_FLAG = ["true", "yes", 1, 0, "", [], {}];
const wrongTypes: [string, string, () => string, Record<string, readonly unknown[]>][] = [
  [
    "4.1",
    "POST",
    () => "/qrcode/create/",
    {
      qr_type: [...NO_TEXT, "", "link", "text", "VCARD", "Gs1", "PDF"],
      dynamic: NO_FLAG,
      display_name: NO_TEXT,
      domain: NO_TEXT,
      generate_png: NO_FLAG,
      gps_tracking: NO_FLAG,
      folder: [...NO_TEXT, ""],
      template: NO_TEXT,
    },
  ],
  [
    "4.1 update",
    "PATCH",
    () => `/qrcode/${code.id}/update/`,
    {
      display_name: NO_TEXT,
      qr_data: [...NO_TEXT, null, "", "nope"],
      gps_tracking: NO_FLAG,
      folder: NO_TEXT,
    },
  ],
  [
    "4.1 design",
    "PATCH",
    () => `/qrcode/${code.id}/design/`,
    {
      has_border: NO_FLAG,
      logo_round: NO_FLAG,
      remove_logo: NO_FLAG,
      text: NO_TEXT,
      text_secondary: NO_TEXT,
      logo_url: [...NO_TEXT, "nope", "ftp://example.com/x.png"],
      logo_base64: [...NO_TEXT, "%%%"],
    },
  ],
  ["4.3", "POST", () => "/folder/create/", { name: [...NO_TEXT, null, "", " "], parent: NO_TEXT }],
  [
    "4.3 update",
    "PATCH",
    () => `/folder/${folder.id}/update/`,
    { name: [...NO_TEXT, null, "", " "], parent: NO_TEXT },
  ],
  [
    "4.4",
    "POST",
    () => "/pdf/create/",
    {
      pdf_base64: [...NO_TEXT, ""],
      filename: NO_TEXT,
      display_name: NO_TEXT,
      domain: [...NO_TEXT, "other.example"],
    },
  ],
  [
    "4.5",
    "POST",
    () => "/link/create/",
    {
      link: [...NO_TEXT, null, ""],
      link_type: [...NO_TEXT, "link", "Text"],
      slug: [...NO_TEXT, "a b", "a_b", "a/b", "a.b", "ä", "%41", "a\n"],
      domain: NO_TEXT,
      display_name: NO_TEXT,
      gps: NO_FLAG,
    },
  ],
  [
    "4.5 update",
    "PATCH",
    () => `/link/${link.id}/update/`,
    { link: [...NO_TEXT, null, "", "nope"], display_name: NO_TEXT, gps: NO_FLAG },
  ],
];
const wrongFields = wrongTypes.flatMap(([section, method, path, fields]) =>
  Object.entries(fields).map(
    ([field, values]): [string, string, string, () => string, readonly unknown[]] => [
      section,
      field,
      method,
      path,
      values,
    ],
  ),
);

it.each(wrongFields)(
  "docs/spec/api.md section %s: %s refuses wrong types and values",
  async (_, field, method, path, values) => {
    for (const value of values) {
      const sent = { ...(method === "POST" ? creators[path()] : {}), [field]: value };
      const answer =
        method === "POST" ? await post(path(), sent) : await service.send(method, path(), sent);
      expect([value, keysOf(answer)]).toEqual([value, [400, [field]]]);
    }
  },
);

describe("docs/spec/api.md section 4.1: update", () => {
  it.each(["PATCH", "POST", "PUT"])("%s takes each field alone, and none", async (method) => {
    const path = `/qrcode/${code.id}/update/`;
    for (const [field, value] of Object.entries({
      display_name: `By ${method}`,
      qr_data: `https://example.com/${method}`,
      gps_tracking: false,
      folder: folder.id,
    })) {
      const { status, body } = await service.send(method, path, { [field]: value });
      expect(status).toBe(200);
      expect(field === "folder" ? body.folder.id : body[field]).toBe(value);
      expect(body.svg).toBe(code.svg);
    }
    const { status, body } = await service.send(method, path, {});
    expect([status, body.display_name]).toEqual([200, `By ${method}`]);
    expect((await service.send(method, path, { folder: null })).body.folder).toBeNull();
  });
});

describe("docs/spec/api.md section 4.1: images of the design update", () => {
  it("logo_base64 is under 2 MB (docs/spec/api.md section 8)", async () => {
    const taken = await restyle(padded(2 * MB - 1));
    expect([taken.status, taken.body.design.has_logo]).toEqual([200, true]);
    expect(keysOf(await restyle(padded(2 * MB)))).toEqual([400, ["logo_base64"]]);
    expect(keysOf(await restyle(padded(3 * MB)))).toEqual([400, expect.any(Array)]);
    expect((await patch(`/qrcode/${fixed.id}/design/`, { remove_logo: true })).status).toBe(200);
  });

  it("logo_base64 is a JPEG, PNG, GIF or WebP, nothing else", async () => {
    for (const type of ["tiff", "avif"] as const) {
      const bytes = await sharp(png).toFormat(type).toBuffer();
      expect(keysOf(await restyle(bytes))).toEqual([400, ["logo_base64"]]);
    }
  });

  it("logo_url sets a logo, remove_logo clears it", async () => {
    const path = `/qrcode/${fixed.id}/design/`;
    const set = await patch(path, { logo_url: "https://cdn.example/logo.png", logo_round: true });
    expect(set.body.design).toMatchObject({ has_logo: true, logo_round: true });
    expect((await patch(path, { remove_logo: true })).body.design.has_logo).toBe(false);
  });
});

describe("docs/spec/api.md section 4.1: list", () => {
  it("a window counts only with include=scans, and is checked without it, too", async () => {
    const { body } = await list("?days=7");
    expect(body.results[0]).not.toHaveProperty("total_scans");
    expect(keysOf(await list("?days=0"))).toEqual([400, ["days"]]);
  });

  it.each(["scans,tags", "tags,scans", "tags", "scans"])("include=%s", async (include) => {
    const [item] = (await list(`?include=${include}`)).body.results;
    for (const [part, fields] of [
      ["scans", ["total_scans", "unique_scans"]],
      ["tags", ["tags"]],
    ] as const) {
      for (const field of fields) expect(field in item).toBe(include.includes(part));
    }
  });

  it.each(["true", "1", "True", "false", "0"])("subfolders=%s is a boolean", async (value) => {
    expect((await list(`?folder=${folder.slug}&subfolders=${value}`)).status).toBe(200);
  });
});

describe("docs/spec/api.md section 4.1: workspace analytics", () => {
  it("top: 10 unless asked, 1 to 100 (docs/spec/api.md section 8)", async () => {
    const fresh = await makeService();
    for (let n = 0; n < 12; n += 1) {
      await fresh.scan((await fresh.code({ dynamic: true })).shortlink_url);
    }
    const path = `/workspace/${fresh.workspace}/analytics/`;
    for (const [query, expected] of [
      ["", 10],
      ["?top=1", 1],
      ["?top=11", 11],
      ["?top=100", 12],
    ] as const) {
      expect((await fresh.get(path + query)).body.top_codes).toHaveLength(expected);
    }
    await fresh.close();
  });

  it("is one row, not one per code, and a code's has no top_codes (docs/spec/api.md section 2.7)", async () => {
    const whole = (await service.get(`/workspace/${service.workspace}/analytics/`)).body;
    expect(Object.keys(whole).toSorted()).toEqual(
      [
        "scans_by_day",
        "top_browsers",
        "top_cities",
        "top_codes",
        "top_countries",
        "top_os",
        "total_scans",
        "unique_scans",
      ].toSorted(),
    );
    const one = (await service.get(`/qrcode/${code.id}/analytics/`)).body;
    expect([...Object.keys(one), "top_codes"].toSorted()).toEqual(Object.keys(whole).toSorted());
  });
});

it("docs/spec/api.md section 4.1: nothing is left of a deleted code", async () => {
  const gone = await service.code({ dynamic: true });
  expect((await service.send("DELETE", `/qrcode/${gone.id}/delete/`)).status).toBe(204);
  for (const rest of ["", "activity/", "analytics/", "download/"]) {
    expect((await service.get(`/qrcode/${gone.id}/${rest}`)).status).toBe(404);
  }
  expect((await patch(`/qrcode/${gone.id}/update/`, { display_name: "x" })).status).toBe(404);
  expect((await patch(`/qrcode/${gone.id}/design/`, { text: "x" })).status).toBe(404);
  const tags = await service.send("POST", `/qrcode/${gone.id}/tags/add/`, [{ title: "x" }]);
  expect(tags.status).toBe(404);
});

describe("docs/spec/api.md section 4.2: tags", () => {
  it("adds very many at once, lists 50 or up to 200 of them by title (docs/spec/api.md section 8)", async () => {
    const titles = Array.from({ length: 301 }, (_, n) => ({ title: `T ${1000 + n}` }));
    const { status, body } = await service.send("POST", `/qrcode/${fixed.id}/tags/add/`, titles);
    expect([status, body.tags.length]).toEqual([200, 301]);
    const path = `/workspace/${service.workspace}/tags/`;
    const all = (await service.get(`${path}?page_size=200`)).body;
    expect([all.count, all.results.length]).toEqual([301, 200]);
    expect(all.results.map(({ title }: Wire) => title)).toEqual(
      titles.slice(0, 200).map(({ title }) => title),
    );
    expect((await service.get(path)).body.results).toHaveLength(50);
  });

  it.each([[null], ["x"], [5], [{ title: null }], [{ title: 5 }], [{ id: 5 }], [{ title: " " }]])(
    "refuses the item %j",
    async (item) => {
      const answer = await service.send("POST", `/qrcode/${code.id}/tags/add/`, [item]);
      expect(keysOf(answer)).toEqual([400, ["0"]]);
    },
  );

  it("an unknown id is a 404 (docs/spec/api.md section 7)", async () => {
    const answer = await service.send("POST", `/qrcode/${code.id}/tags/add/`, [{ id: UNKNOWN }]);
    expect(answer.status).toBe(404);
  });
});

describe("docs/spec/api.md section 4.3: folders", () => {
  it.each(["x", "🎉"])(
    "a name has 150 characters at most: %s (docs/spec/api.md section 8)",
    async (letter) => {
      const longest = letter.repeat(150);
      const made = await post("/folder/create/", { name: longest });
      expect([made.status, made.body.name]).toEqual([201, longest]);
      expect(keysOf(await post("/folder/create/", { name: `${longest}x` }))).toEqual([
        400,
        ["name"],
      ]);
      const path = `/folder/${made.body.id}/update/`;
      expect(keysOf(await patch(path, { name: `${longest}x` }))).toEqual([400, ["name"]]);
      const renamed = await patch(path, { name: `y${letter.repeat(149)}` });
      expect([renamed.status, renamed.body.name]).toEqual([200, `y${letter.repeat(149)}`]);
    },
  );

  it.each([{}, { bogus: 1 }, { code_count: 5, slug: "x" }])(
    "an update of %j has no property",
    async (sent) => {
      expect((await patch(`/folder/${folder.id}/update/`, sent)).status).toBe(400);
    },
  );

  it("deleting a folder at the top moves its subfolders to the top", async () => {
    const top = await service.folder("Top of all");
    const below = await service.folder("Below", top.id);
    const lowest = await service.folder("Lowest", below.id);
    const filed = await service.code({ folder: lowest.id });
    expect((await service.send("DELETE", `/folder/${top.id}/delete/`)).status).toBe(204);
    const { results } = (
      await service.get(`/workspace/${service.workspace}/folders/?page_size=200`)
    ).body;
    const find = (id: string): Wire => results.find((one: Wire) => one.id === id);
    expect(find(top.id)).toBeUndefined();
    expect(find(below.id)).toMatchObject({ parent: null, path: "Below" });
    expect(find(lowest.id)).toMatchObject({ parent: below.id, code_count: 0 });
    expect((await service.get(`/qrcode/${filed.id}/`)).body.folder).toBeNull();
  });
});

it("docs/spec/api.md section 4.4: a PDF code by address has its file, name and the workspace's domain", async () => {
  const { status, body } = await post("/pdf/create/", {
    pdf_url: "https://files.example/menu.pdf",
    filename: "Card.pdf",
    display_name: "Card",
    domain: "go.example",
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ dynamic: true, display_name: "Card", qr_type: "Link" });
  expect(body.pdf_file_url).toMatch(/Card\.pdf$/u);
  const file = await service.fetch(new Request(body.pdf_file_url));
  expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF);
});

describe("docs/spec/api.md section 4.5: short links", () => {
  it.each(["a", "A-b-9", "0123", "-x-", "x".repeat(100)])("the slug %s is taken", async (slug) => {
    const { status, body } = await post("/link/create/", { link: "https://example.com/", slug });
    expect([status, body.slug, body.shortlink_url]).toEqual([
      200,
      slug,
      `https://go.example/${slug}`,
    ]);
    expect(keysOf(await post("/link/create/", { link: "https://example.com/", slug }))).toEqual([
      400,
      ["slug"],
    ]);
  });

  it.each(["link_type", "slug", "domain", "display_name", "gps"])(
    "%s may be left out or null",
    async (field) => {
      const { status, body } = await post("/link/create/", {
        link: "https://example.com/",
        [field]: null,
      });
      expect([status, body.link_type, body.gps]).toEqual([200, "Link", false]);
    },
  );

  it("the update keeps what is not sent, and the slug", async () => {
    const { body } = await patch(`/link/${link.id}/update/`, { slug: "other", display_name: "N" });
    expect(body).toEqual({ ...link, display_name: "N" });
    expect((await patch(`/link/${link.id}/update/`, {})).body).toEqual(body);
  });

  it.each(["gif", "PNG", "SVG", "png,svg"])("format=%s is refused", async (format) => {
    const answer = await service.get(`/link/${link.id}/qr/?format=${format}`);
    expect(keysOf(answer)).toEqual([400, ["format"]]);
  });

  it("clicks have the fields of 2.6", async () => {
    await service.scan(link.shortlink_url);
    const { results } = (await service.get(`/link/${link.id}/activity/`)).body;
    expect(Object.keys(results[0]).toSorted()).toEqual(
      [
        "device",
        "id",
        "location",
        "qr_code_id",
        "scanner_id",
        "time_timezone_aware",
        "time_utc",
      ].toSorted(),
    );
    expect(results[0].qr_code_id).toBe(link.id);
  });

  it("are no codes, nor codes short links (docs/spec/api.md section 7)", async () => {
    expect((await service.get(`/qrcode/${link.id}/`)).status).toBe(404);
    for (const rest of ["", "qr/", "activity/"]) {
      expect((await service.get(`/link/${code.id}/${rest}`)).status).toBe(404);
    }
  });
});

describe("docs/spec/api.md section 7: 415", () => {
  const types = [
    undefined,
    "multipart/form-data; boundary=x",
    "application/vnd.api+json",
    "application/jsonx",
    "*/*",
  ];

  it.each(types)("a body of type %s is refused", async (type) => {
    const raw = new TextEncoder().encode(JSON.stringify(creators["/folder/create/"]));
    for (const path of Object.keys(creators)) {
      const headers = type === undefined ? {} : { "content-type": type };
      const answer = await service.send("POST", path, undefined, { raw, headers });
      expect([answer.status, answer.body]).toEqual([415, { detail: expect.any(String) as string }]);
    }
  });

  it.each(["gzip", "br", "gzip, identity"])("a body in %s is refused", async (coding) => {
    const raw = gzipSync(JSON.stringify(creators["/folder/create/"]));
    const headers = { "content-type": "application/json", "content-encoding": coding };
    const answer = await service.send("POST", "/folder/create/", undefined, { raw, headers });
    const says = `The body must not be compressed, got "${coding}".`;
    expect([answer.status, answer.body]).toEqual([415, { detail: says }]);
  });

  it("comes after 401", async () => {
    const options = { raw: "x", headers: { "content-type": "text/plain" }, token: null };
    const answer = await service.send("POST", "/folder/create/", undefined, options);
    expect(answer.status).toBe(401);
  });

  it("application/json is known in any case", async () => {
    const raw = JSON.stringify({ workspace: service.workspace, name: "Case" });
    const headers = { "content-type": "Application/JSON ;charset=UTF-8" };
    const answer = await service.send("POST", "/folder/create/", undefined, { raw, headers });
    expect(answer.status).toBe(201);
  });
});

it("docs/spec/api.md section 5: a token in the query doesn't count", async () => {
  const path = `/qrcode/${code.id}/?token=${service.account.token}`;
  expect((await service.send("GET", path, undefined, { token: null })).status).toBe(401);
});
