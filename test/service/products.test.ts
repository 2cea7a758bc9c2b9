import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { makeService, PUBLIC_URL, type TestService, type Wire } from "./make-service.ts";
import { readCode } from "./read-code.ts";

const GTIN = "09506000134352";
const DESTINATION = "https://example.com/p";

let service: TestService;
beforeEach(async () => {
  service = await makeService();
});
afterEach(() => service.close());

const register = (fields: Record<string, unknown> = {}, token?: string) =>
  service.send(
    "POST",
    "/gs1/products/",
    { workspace: service.workspace, identifier_value: GTIN, ...fields },
    token === undefined ? {} : { token },
  );
const product = async (fields: Record<string, unknown> = {}): Promise<Wire> =>
  (await register({ destination_url: DESTINATION, ...fields })).body;
const addLink = (id: string, fields: Record<string, unknown> = {}) =>
  service.send("POST", `/gs1/products/${id}/links/`, {
    link_type: "gs1:instructions",
    title: "Manual",
    destination_url: "https://example.com/m",
    ...fields,
  });
const visit = (path: string, init: RequestInit = {}) =>
  service.fetch(new Request(`${PUBLIC_URL}${path}`, { redirect: "manual", ...init }));
const read = async (id: string): Promise<Wire> => (await service.get(`/gs1/products/${id}/`)).body;
const defaults = (body: Wire): string[] =>
  body.link_types
    .filter((link: Wire) => link.is_default)
    .map((link: Wire) => link.link_type as string);

const seededTitle = async (fields: Record<string, unknown>): Promise<unknown> =>
  (await product(fields)).link_types[0].title as unknown;

describe("POST /gs1/products/ (docs/spec/api.md sections 4.9 and 2.12)", () => {
  it("titles the seeded link as asked (ours), and keeps the title when it isn't", async () => {
    expect(await seededTitle({ destination_title: "Earl Grey" })).toBe("Earl Grey");
    expect(await seededTitle({ destination_url: "https://example.com/other" })).toBe("Earl Grey");
    expect(await seededTitle({ destination_title: "Darjeeling" })).toBe("Darjeeling");
  });

  it("registers a product: all fields, one seeded default link", async () => {
    const { status, body } = await register({
      batch_lot: "LOT 1".replace(" ", "/"),
      serial_number: "S1",
      expiry_date: "261120",
      destination_url: DESTINATION,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String) as string,
      identifier_type: "01",
      identifier_value: GTIN,
      batch_lot: "LOT/1",
      serial_number: "S1",
      expiry_date: "261120",
      identifier_label: "GTIN",
      digital_link_path: `/01/${GTIN}/10/LOT%2F1/21/S1`,
      link_types: [
        {
          id: expect.any(String) as string,
          link_type: "gs1:pip",
          title: "Product Information Page",
          destination_url: DESTINATION,
          is_default: true,
          language: null,
          media_type: "text/html",
        },
      ],
      created: "2026-11-20T08:00:00.000Z",
    });
  });

  it("knows all lengths of one GTIN as one product, and updates it (2.12 rule 2)", async () => {
    const first = await register({ destination_url: DESTINATION });
    const again = await register({
      identifier_value: "9506000134352",
      destination_url: "https://example.com/new",
      expiry_date: "270101",
    });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toMatchObject({ id: first.body.id, expiry_date: "270101" });
    expect(again.body.link_types).toHaveLength(1);
    expect(again.body.link_types[0]).toMatchObject({
      destination_url: "https://example.com/new",
      is_default: true,
    });
    const { body } = await service.get(`/workspace/${service.workspace}/gs1/products/`);
    expect(body.count).toBe(1);
  });

  it("is another product with another batch or serial (2.12 rule 1)", async () => {
    const ids = [
      (await product()).id,
      (await product({ batch_lot: "A" })).id,
      (await product({ batch_lot: "a" })).id,
      (await product({ serial_number: "A" })).id,
    ];
    expect(new Set(ids).size).toBe(4);
  });

  it("keeps two accounts apart that register one GTIN", async () => {
    const mine = await product();
    const theirs = await register(
      { workspace: service.other.workspaceId, destination_url: "https://other.example/" },
      service.other.token,
    );
    expect(theirs.status).toBe(201);
    expect((await visit(mine.digital_link_path)).headers.get("location")).toBe(DESTINATION);
    expect((await service.get(`/gs1/products/${theirs.body.id}/`)).status).toBe(404);
    const code = await service.send(
      "POST",
      "/qrcode/create/",
      { workspace: service.other.workspaceId, qr_type: "GS1", gs1_product: theirs.body.id },
      { token: service.other.token },
    );
    const path = code.body.shortlink_url.slice(PUBLIC_URL.length);
    expect(path).toMatch(/^\/[a-z0-9]{6}\/01\/09506000134352$/u);
    expect((await visit(path)).headers.get("location")).toBe("https://other.example/");
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ identifier_value: "09506000134353" }, ["identifier_value"]],
    [{ identifier_value: undefined }, ["identifier_value"]],
    [{ identifier_value: "" }, ["identifier_value"]],
    [{ identifier_value: 9506000134352 }, ["identifier_value"]],
    [{ identifier_type: "02" }, ["identifier_type"]],
    [{ identifier_type: "414", identifier_value: "9506000134352", batch_lot: "A" }, ["batch_lot"]],
    [{ batch_lot: "", serial_number: "a b" }, ["batch_lot", "serial_number"]],
    [{ batch_lot: "A".repeat(21) }, ["batch_lot"]],
    [{ expiry_date: "300230" }, ["expiry_date"]],
    [{ identifier_type: "8004", identifier_value: "1234", expiry_date: "260101" }, ["expiry_date"]],
    [{ destination_url: "javascript:alert(1)" }, ["destination_url"]],
    [
      { identifier_value: "1", batch_lot: ".", expiry_date: "x", destination_url: "x" },
      ["batch_lot", "destination_url", "expiry_date", "identifier_value"],
    ],
  ])("refuses %j, naming %j", async (fields, names) => {
    const { status, body } = await register(fields);
    expect(status).toBe(400);
    expect(Object.keys(body).toSorted()).toEqual(names);
  });
});

describe("PATCH and DELETE (docs/spec/api.md section 4.9)", () => {
  it("judges the merged record", async () => {
    const { id } = await product({ batch_lot: "A" });
    const patch = (body: unknown) => service.send("PATCH", `/gs1/products/${id}/`, body);
    const bad = await patch({ identifier_type: "414", identifier_value: "9506000134352" });
    expect([bad.status, bad.body]).toEqual([400, { batch_lot: ["GLN (414) takes no batch/lot."] }]);
    const good = await patch({ batch_lot: null, serial_number: "S" });
    expect(good.body).toMatchObject({
      id,
      batch_lot: null,
      digital_link_path: `/01/${GTIN}/21/S`,
    });
  });

  it("refuses another product's identity", async () => {
    await product();
    const { id } = await product({ batch_lot: "A" });
    const { status, body } = await service.send("PATCH", `/gs1/products/${id}/`, {
      batch_lot: null,
    });
    expect([status, Object.keys(body)]).toEqual([400, ["non_field_errors"]]);
  });

  it("takes the codes of the product along, and gives them back to it after a delete", async () => {
    const { id } = await product();
    const code = await service.code({ qr_type: "GS1", qr_data: undefined, gs1_product: id });
    await service.send("PATCH", `/gs1/products/${id}/`, { batch_lot: "B" });
    const moved = (await service.get(`/qrcode/${code.id}/`)).body;
    expect(moved.shortlink_url).toBe(`${PUBLIC_URL}/01/${GTIN}/10/B`);
    expect((await service.send("DELETE", `/gs1/products/${id}/`)).status).toBe(204);
    expect((await visit(`/01/${GTIN}/10/B`)).status).toBe(404);
    const orphan = (await service.get(`/qrcode/${code.id}/`)).body;
    expect(orphan).toMatchObject({ gs1_product: null, shortlink_url: moved.shortlink_url });
    const back = await product({ batch_lot: "B" });
    expect((await service.get(`/qrcode/${code.id}/`)).body.gs1_product).toBe(back.id);
  });
});

describe("link types (docs/spec/api.md section 4.9)", () => {
  it("keeps exactly one default through add, change and delete (rules 2 to 4)", async () => {
    const { id } = (await register()).body;
    expect(defaults(await read(id))).toEqual([]);
    const manual = (await addLink(id)).body;
    expect(manual).toMatchObject({ is_default: true, media_type: "text/html", language: null });
    const review = (await addLink(id, { link_type: "gs1:review", is_default: true })).body;
    expect(defaults(await read(id))).toEqual(["gs1:review"]);
    const at = `/gs1/products/${id}/links`;
    await service.send("PATCH", `${at}/${manual.id}/`, { is_default: true });
    expect(defaults(await read(id))).toEqual(["gs1:instructions"]);
    await service.send("PATCH", `${at}/${manual.id}/`, { is_default: false });
    expect(defaults(await read(id))).toEqual(["gs1:review"]);
    expect((await service.send("DELETE", `${at}/${review.id}/`)).status).toBe(204);
    expect(defaults(await read(id))).toEqual(["gs1:instructions"]);
    await service.send("PATCH", `${at}/${manual.id}/`, { is_default: false });
    expect(defaults(await read(id))).toEqual(["gs1:instructions"]);
    await service.send("DELETE", `${at}/${manual.id}/`);
    expect((await read(id)).link_types).toEqual([]);
  });

  it("has one destination per type (rule 1)", async () => {
    const { id } = await product();
    const first = (await addLink(id)).body;
    const second = (await addLink(id, { destination_url: "https://example.com/m2" })).body;
    expect(second).toMatchObject({ id: first.id, destination_url: "https://example.com/m2" });
    const clash = await service.send("PATCH", `/gs1/products/${id}/links/${first.id}/`, {
      link_type: "gs1:pip",
    });
    expect([clash.status, Object.keys(clash.body)]).toEqual([400, ["link_type"]]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ link_type: "gs1:epil" }, "link_type"],
    [{ link_type: undefined }, "link_type"],
    [{ title: " " }, "title"],
    [{ destination_url: "nope" }, "destination_url"],
    [{ language: "fil" }, "language"],
    [{ media_type: "html" }, "media_type"],
    [{ is_default: "yes" }, "is_default"],
  ])("refuses %j", async (fields, name) => {
    const { id } = await product();
    const { status, body } = await addLink(id, fields);
    expect([status, Object.keys(body)]).toEqual([400, [name]]);
  });

  it("does not know a link of another product", async () => {
    const one = await product();
    const two = await product({ batch_lot: "A" });
    const path = `/gs1/products/${one.id}/links/${two.link_types[0].id}/`;
    expect((await service.send("PATCH", path, {})).status).toBe(404);
    expect((await service.send("DELETE", path)).status).toBe(404);
  });
});

describe("the linkset (docs/spec/api.md section 4.9)", () => {
  it("lists the product, then what is registered above it, below the domain asked for", async () => {
    await product();
    const { id } = await product({ batch_lot: "A", destination_url: undefined });
    const { headers, body } = await service.get(`/gs1/products/${id}/linkset/?domain=id.example`);
    expect(headers.get("content-type")).toBe("application/linkset+json");
    expect(body.linkset.map(({ anchor }: Wire) => anchor)).toEqual([
      `https://id.example/01/${GTIN}/10/A`,
      `https://id.example/01/${GTIN}`,
    ]);
    expect(body.linkset[0]["https://ref.gs1.org/voc/defaultLink"]).toBeUndefined();
    const asked = async (domain: string): Promise<number> =>
      (await service.get(`/gs1/products/${id}/linkset/?domain=${domain}`)).status;
    const label = "a".repeat(63);
    for (const one of ["ID.Example:8443", "localhost", "10.0.0.1:1", "xn--mller-kva.de", label])
      expect([one, await asked(one)]).toEqual([one, 200]);
    const none = "a/b a..b a-.example -a.b a.example:99999 a.example:0 a: 999.1.1.1".split(" ");
    for (const one of [...none, `${label}a`]) expect([one, await asked(one)]).toEqual([one, 400]);
    const own = await service.get(`/gs1/products/${id}/linkset/`);
    expect(own.body.linkset[0].anchor).toBe(`${PUBLIC_URL}/01/${GTIN}/10/A`);
  });
});

describe("GS1 codes (docs/spec/api.md section 4.1)", () => {
  it("are made with their product, dynamic, and hold the Digital Link", async () => {
    const code = await service.code({
      qr_type: "GS1",
      qr_data: undefined,
      generate_png: true,
      gs1_product: { identifier_value: "9506000134352", destination_url: DESTINATION },
    });
    const uri = `${PUBLIC_URL}/01/${GTIN}`;
    expect(code).toMatchObject({
      qr_type: "GS1",
      dynamic: true,
      qr_data: DESTINATION,
      shortlink_url: uri,
      total_scans: 0,
    });
    expect(await readCode(Buffer.from(code.svg))).toBe(uri);
    const { body } = await service.get(`/gs1/products/${code.gs1_product}/`);
    expect(body).toMatchObject({ identifier_value: GTIN, digital_link_path: `/01/${GTIN}` });
  });

  it("are made for an existing product, with its expiry in the link", async () => {
    const { id } = await product({ batch_lot: "A", expiry_date: "261120" });
    const code = await service.code({ qr_type: "GS1", qr_data: undefined, gs1_product: id });
    expect(await readCode(Buffer.from(code.svg))).toBe(`${PUBLIC_URL}/01/${GTIN}/10/A?17=261120`);
    expect(code.gs1_product).toBe(id);
    await service.scan(code.shortlink_url);
    expect((await service.get(`/qrcode/${code.id}/`)).body.total_scans).toBe(1);
  });

  it.each([
    [{}, "?17=261120"],
    [{ expiry_date: "270131" }, "?17=270131"],
    [{ expiry_date: null }, ""],
  ])(
    "bring a product that has an expiry up to date by %j, as registering does",
    async (given, query) => {
      const { id } = await product({ batch_lot: "E", expiry_date: "261120" });
      const destination_url = "https://example.com/again";
      const gs1_product = { identifier_value: GTIN, batch_lot: "E", destination_url, ...given };
      const code = await service.code({ qr_type: "GS1", qr_data: undefined, gs1_product });
      expect(code).toMatchObject({ gs1_product: id, qr_data: destination_url });
      expect(await readCode(Buffer.from(code.svg))).toBe(`${PUBLIC_URL}/01/${GTIN}/10/E${query}`);
    },
  );

  it("follow the default link of their product, and move it by qr_data", async () => {
    const { id, link_types: links } = await product();
    const code = await service.code({ qr_type: "GS1", qr_data: undefined, gs1_product: id });
    const link = `/gs1/products/${id}/links/${links[0].id}/`;
    await service.send("PATCH", link, { destination_url: "https://example.com/2" });
    expect((await service.get(`/qrcode/${code.id}/`)).body.qr_data).toBe("https://example.com/2");
    const updated = await service.send("PATCH", `/qrcode/${code.id}/update/`, {
      qr_data: "https://example.com/3",
    });
    expect(updated.body).toMatchObject({ qr_data: "https://example.com/3", svg: code.svg });
    expect((await visit(`/01/${GTIN}`)).headers.get("location")).toBe("https://example.com/3");
  });

  it.each<[unknown, number, unknown]>([
    [
      { identifier_value: "1", destination_url: "x" },
      400,
      {
        gs1_product: {
          identifier_value: [expect.stringContaining("GTIN") as string],
          destination_url: expect.arrayContaining([expect.any(String)]) as string[],
        },
      },
    ],
    [{}, 400, { gs1_product: expect.any(Object) as object }],
    [5, 400, { gs1_product: [expect.any(String) as string] }],
    ["00000000-0000-4000-8000-ffffffffffff", 404, { detail: "Not found." }],
  ])("answer %j with %i", async (given, status, body) => {
    const answer = await service.send("POST", "/qrcode/create/", {
      workspace: service.workspace,
      qr_type: "GS1",
      gs1_product: given,
    });
    expect([answer.status, answer.body]).toEqual([status, body]);
  });

  it("of another account's product are a 404", async () => {
    const theirs = await register({ workspace: service.other.workspaceId }, service.other.token);
    const answer = await service.send("POST", "/qrcode/create/", {
      workspace: service.workspace,
      qr_type: "GS1",
      gs1_product: theirs.body.id,
    });
    expect(answer.status).toBe(404);
  });

  it("are found by their GTIN", async () => {
    const { id } = await product();
    await service.code({ qr_type: "GS1", qr_data: undefined, gs1_product: id });
    for (const q of [GTIN, "go.example/01/"]) {
      const { body } = await service.get(
        `/workspace/${service.workspace}/qrcodes/?q=${encodeURIComponent(q)}`,
      );
      expect(body.count).toBe(1);
    }
  });
});

describe("the resolver (docs/spec/gs1.md section 6)", () => {
  it("redirects with 307, passes the query on and names the linkset", async () => {
    await product({ destination_url: "https://example.com/p?a=1#top" });
    const answer = await visit(`/01/${GTIN}?utm=1&17=261120`);
    expect(answer.status).toBe(307);
    expect(answer.headers.get("location")).toBe("https://example.com/p?a=1&utm=1&17=261120#top");
    expect(answer.headers.get("link")).toContain(`<${PUBLIC_URL}/01/${GTIN}?linkType=linkset>`);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("vary")).toBe("Accept");
  });

  it("walks up, strips one slash and works under any stem", async () => {
    await product();
    for (const path of [`/01/${GTIN}/10/X/21/Y`, `/01/${GTIN}/`, `/some/stem/01/${GTIN}`]) {
      expect((await visit(path)).headers.get("location")).toBe(DESTINATION);
    }
  });

  it("finds values that had to be escaped, as the path was sent", async () => {
    const { digital_link_path: path } = await product({
      batch_lot: "A/B%",
      serial_number: "!'()*",
    });
    expect(path).toBe(`/01/${GTIN}/10/A%2FB%25/21/%21%27%28%29%2A`);
    for (const sent of [path, `/01/${GTIN}/10/A%2fB%25/21/!'()*`]) {
      expect((await visit(sent)).headers.get("location")).toBe(DESTINATION);
    }
  });

  it("answers the type asked for, 404 for one that is not there", async () => {
    const { id } = await product();
    await addLink(id, { link_type: "gs1:ePIL" });
    for (const type of ["gs1:epil", "gs1:ePIL", "https://ref.gs1.org/voc/epil"]) {
      const answer = await visit(`/01/${GTIN}?LinkType=${encodeURIComponent(type)}`);
      expect(answer.headers.get("location")).toContain("https://example.com/m?");
    }
    for (const type of ["gs1:nosuchlt", "all", "gs1:review"]) {
      expect((await visit(`/01/${GTIN}?linkType=${type}`)).status).toBe(404);
    }
  });

  it("answers the linkset by type and by Accept", async () => {
    await product();
    const answers = [
      await visit(`/01/${GTIN}?linkType=linkset`),
      await visit(`/01/${GTIN}`, { headers: { accept: "application/linkset+json" } }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/linkset+json");
      expect(((await answer.json()) as Wire).linkset[0].anchor).toBe(`${PUBLIC_URL}/01/${GTIN}`);
    }
  });

  it.each([
    [`/01/${GTIN}/foo`, 400],
    ["/01/9506000134352", 400],
    [`/01/${GTIN}?17=261320`, 400],
    ["/01/09506000134376", 404],
  ])("%s is %i", async (path, status) => {
    await product();
    const answer = await visit(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await answer.json()).toEqual({ detail: expect.any(String) as string });
  });

  it("describes itself", async () => {
    const answer = await visit("/.well-known/gs1resolver");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    const body = (await answer.json()) as Wire;
    expect(body).toMatchObject({ resolverRoot: PUBLIC_URL, supportsLanguageVariants: false });
    expect(body.supportedPrimaryKeys).toHaveLength(14);
  });

  it("counts redirects only", async () => {
    const { id } = await product();
    const code = await service.code({ qr_type: "GS1", qr_data: undefined, gs1_product: id });
    await visit(`/01/${GTIN}`, { method: "HEAD" });
    await visit(`/01/${GTIN}?linkType=linkset`);
    expect((await visit(`/01/${GTIN}`, { method: "OPTIONS" })).status).toBe(204);
    const post = await visit(`/01/${GTIN}`, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    await service.scan(`${PUBLIC_URL}/01/${GTIN}/10/LOT`);
    expect((await service.get(`/qrcode/${code.id}/`)).body.total_scans).toBe(1);
  });
});
