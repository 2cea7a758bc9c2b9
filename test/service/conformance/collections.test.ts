/**
 * docs/spec/api.md sections 1, 2, 2.1 to 2.5 and 2.9: what every list and every thing has in
 * common.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeService, type Answer, type TestService, type Wire } from "../make-service.ts";

const PDF = Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64");
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;
const SECRET = "office-only";

let service: TestService;
/** kind of thing -> three of it, in the order they were made. */
const made: Record<string, Wire[]> = {};

const post = (path: string, fields: object): Promise<Answer> =>
  service.send("POST", path, { workspace: service.workspace, ...fields });

beforeAll(async () => {
  service = await makeService();
  const makers: Record<string, (n: number) => Promise<Wire>> = {
    code: () => service.code({ dynamic: true }),
    folder: (n) => service.folder(`Folder ${n}`),
    link: async () => (await post("/link/create/", { link: "https://example.com/" })).body,
    page: async (n) => (await post("/page/create/", { title: `Page ${n}` })).body,
    form: async (n) => (await post("/form/create/", { title: `Form ${n}` })).body,
    product: async (n) =>
      (await post("/gs1/products/", { identifier_value: "9506000134352", batch_lot: `L${n}` }))
        .body,
  };
  for (const [kind, make] of Object.entries(makers)) {
    made[kind] = [await make(1), await make(2), await make(3)];
  }
  const { code, link } = { code: made["code"]![0], link: made["link"]![0] };
  const titles = [{ title: "Tag 1" }, { title: "Tag 2" }, { title: "Tag 3" }];
  made["tag"] = (await service.send("POST", `/qrcode/${code.id}/tags/add/`, titles)).body.tags;
  for (const { shortlink_url: url } of [code, code, code, link, link, link])
    await service.scan(url);
});
afterAll(() => service.close());

/** A list and, for another one's workspace, the same. */
const lists: Record<string, (workspace: string) => string> = {
  qrcodes: (workspace) => `/workspace/${workspace}/qrcodes/`,
  templates: (workspace) => `/workspace/${workspace}/templates/`,
  tags: (workspace) => `/workspace/${workspace}/tags/`,
  folders: (workspace) => `/workspace/${workspace}/folders/`,
  links: (workspace) => `/workspace/${workspace}/links/`,
  pages: (workspace) => `/workspace/${workspace}/pages/`,
  forms: (workspace) => `/forms/?workspace=${workspace}`,
  products: (workspace) => `/workspace/${workspace}/gs1/products/`,
  "a code's activity": () => `/qrcode/${made["code"]![0].id}/activity/`,
  "a link's activity": () => `/link/${made["link"]![0].id}/activity/`,
};
const withQuery = (path: string, query: string): string =>
  `${path}${path.includes("?") ? "&" : "?"}${query}`;

describe.each(Object.keys(lists))("docs/spec/api.md section 2: the list of %s", (name) => {
  const path = (): string => lists[name]!(service.workspace);

  it("has count, next, previous and results, and a message only when it is empty", async () => {
    const { status, body } = await service.get(path());
    expect([status, Object.keys(body)]).toEqual([200, ["count", "next", "previous", "results"]]);
    expect(body).toMatchObject({ next: null, previous: null });
    expect(body.count).toBe(body.results.length);
    expect(body.count).toBeGreaterThanOrEqual(3);
    const behind = (await service.get(withQuery(path(), "page=99"))).body;
    expect(behind).toMatchObject({ message: expect.stringMatching(/./u), results: [], next: null });
  });

  it("is walked over next and back over previous, URLs that can be asked as they are", async () => {
    const ask = async (url: string): Promise<Wire> => {
      const headers = { authorization: `Token ${service.account.token}` };
      return (await service.fetch(new Request(url, { headers }))).json();
    };
    const all = (await service.get(path())).body;
    let page = (await service.get(withQuery(path(), "page_size=2"))).body;
    const seen: Wire[] = [...page.results];
    while (page.next !== null) {
      page = await ask(page.next);
      seen.push(...page.results);
    }
    expect(seen).toEqual(all.results);
    for (let left = Math.ceil(all.count / 2); page.previous !== null; left -= 1) {
      page = await ask(page.previous);
      expect(page.results).toHaveLength(2);
      expect(left).toBeGreaterThan(1);
    }
    expect(page.results).toEqual(all.results.slice(0, 2));
  });

  it.each(["page", "page_size"])("%s is a whole number from 1", async (field) => {
    for (const wrong of ["0", "-1", "", "x", "1.5", "1e2", "0x1", "%2B1", "%201", "null"]) {
      const { status, body } = await service.get(withQuery(path(), `${field}=${wrong}`));
      expect([wrong, status, Object.keys(body)]).toEqual([wrong, 400, [field]]);
    }
  });

  it("takes the last of a parameter that is sent twice, and ignores unknown ones", async () => {
    const { status, body } = await service.get(withQuery(path(), "page_size=1&page_size=2&x[y]=1"));
    expect([status, body.results.length]).toEqual([200, 2]);
  });

  it("answers HEAD like GET, without the body, in JSON whatever is accepted", async () => {
    const head = await service.send("HEAD", path(), undefined, {
      headers: { accept: "text/html" },
    });
    expect([head.status, head.text, head.headers.get("content-type")]).toEqual([
      200,
      "",
      "application/json",
    ]);
  });
});

it.each(["qrcodes", "tags", "folders", "links", "pages", "forms", "products"])(
  "docs/spec/api.md section 2: an empty list of %s is a message and empty results",
  async (name) => {
    const { token, workspaceId } = service.other;
    const path = lists[name]!(workspaceId);
    const { status, body } = await service.send("GET", path, undefined, { token });
    expect(status).toBe(200);
    expect(body).toEqual({
      message: expect.stringMatching(/./u),
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
  },
);

it.each(["code", "folder", "link", "page", "form", "product", "tag"])(
  "docs/spec/api.md section 2: the id of a %s looks like a UUID",
  (kind) => {
    const ids = made[kind]!.map(({ id }) => id);
    for (const id of ids) expect(id).toMatch(ID);
    expect(new Set(ids).size).toBe(3);
  },
);

describe("docs/spec/api.md section 2.1: codes", () => {
  const contact = { first_name: "Ada" };

  it("display_name is not shown to scanners", async () => {
    const codes = [
      await service.code({ qr_type: "vCard", vcard: contact, dynamic: true, display_name: SECRET }),
      await service.code({ dynamic: true, gps_tracking: true, display_name: SECRET }),
      (await post("/pdf/create/", { pdf_base64: PDF, display_name: SECRET })).body,
    ];
    for (const { shortlink_url: url } of codes) {
      const answer = await service.scan(url);
      expect(JSON.stringify([...answer.headers])).not.toContain(SECRET);
      expect(await answer.text()).not.toContain(SECRET);
    }
  });

  it("vcard and pdf_file_url stand in contacts and PDF codes only", async () => {
    const card = await service.code({ qr_type: "vCard", vcard: contact });
    const pdf = (await post("/pdf/create/", { pdf_base64: PDF })).body;
    for (const one of [made["code"]![1], card, pdf]) {
      const { body } = await service.get(`/qrcode/${one.id}/`);
      expect(["vcard" in body, "pdf_file_url" in body]).toEqual([one === card, one === pdf]);
    }
  });

  it.each(["", "days=7", "start=2026-11-01", "start=2026-11-01&end=2026-12-01", "end=2026-12-01"])(
    "the counts of static codes are null, of dynamic ones numbers: %j",
    async (window) => {
      await service.code({ qr_type: "Text", qr_data: "x" });
      const path = lists["qrcodes"]!(service.workspace);
      const { results } = (await service.get(`${path}?include=scans&${window}`)).body;
      expect(new Set(results.map(({ dynamic }: Wire) => dynamic))).toEqual(new Set([true, false]));
      for (const { dynamic, total_scans: total, unique_scans: unique } of results) {
        const type = dynamic ? "number" : "object";
        expect([typeof total, typeof unique]).toEqual([type, type]);
      }
    },
  );

  it("filing moves code_count (docs/spec/api.md section 2.4) from folder to folder, deleting takes it away", async () => {
    const [a, b] = [made["folder"]![0], made["folder"]![1]];
    const counts = async (): Promise<number[]> => {
      const { results } = (await service.get(lists["folders"]!(service.workspace))).body;
      return [a, b].map(({ id }) => results.find((one: Wire) => one.id === id).code_count);
    };
    const code = await service.code({ folder: a.slug });
    const move = (folder: string | null): Promise<Answer> =>
      service.send("PATCH", `/qrcode/${code.id}/update/`, { folder });
    expect(await counts()).toEqual([1, 0]);
    expect((await move(b.id)).body.folder).toEqual({
      id: b.id,
      name: b.name,
      slug: b.slug,
      path: b.path,
    });
    expect(await counts()).toEqual([0, 1]);
    await move(null);
    expect(await counts()).toEqual([0, 0]);
    await move(b.id);
    await service.send("DELETE", `/qrcode/${code.id}/delete/`);
    expect(await counts()).toEqual([0, 0]);
  });
});

describe("docs/spec/api.md section 2.2: designs", () => {
  it("are the same when the defaults are sent", async () => {
    const plain = await service.code();
    for (const fields of [
      { primary_color: "#111111" },
      { eye_color: "#111111", frame_color: "#111111" },
      { pattern: "Original", eye_style: "Square", error_correction: "Q", size: 220 },
      { has_border: false, text: "", logo_round: false },
      { logo_round: true },
      { frame_color: "#aa0000" },
      { has_border: true },
    ]) {
      expect((await service.code(fields)).svg).toBe(plain.svg);
    }
  });

  it.each([
    [39, 400],
    [40, 200],
    [5000, 200],
    [5001, 400],
    [null, 200],
  ])("size %j is answered with %i", async (size, status) => {
    const answer = await post("/qrcode/create/", { qr_data: "https://example.com/", size });
    expect(answer.status).toBe(status);
  });

  it("names all wrong fields at once (docs/spec/api.md section 7)", async () => {
    const wrong = {
      primary_color: "red",
      pattern: "x",
      eye_style: 1,
      frame: "y",
      size: -1,
      text: 2,
    };
    for (const method of ["POST", "PATCH"]) {
      const path = method === "POST" ? "/qrcode/create/" : `/qrcode/${made["code"]![2].id}/design/`;
      const sent = { workspace: service.workspace, qr_data: "https://example.com/", ...wrong };
      const { status, body } = await service.send(method, path, sent);
      expect([status, Object.keys(body).toSorted()]).toEqual([400, Object.keys(wrong).toSorted()]);
    }
  });
});

it("docs/spec/api.md section 2.3: a built-in template has every field, and its fields make the same code", async () => {
  const { results } = (await service.get(lists["templates"]!(service.workspace))).body;
  for (const template of results) {
    const { id, title, has_logo: _logo, preview, is_default: builtIn, ...design } = template;
    expect(Object.keys(design)).toEqual(
      expect.arrayContaining(
        "primary_color eye_color background_color pattern eye_style frame_color has_border text frame".split(
          " ",
        ),
      ),
    );
    expect([builtIn, typeof title, template.has_logo]).toEqual([true, "string", false]);
    expect((await service.fetch(new Request(preview))).headers.get("content-type")).toMatch(
      /^image\//u,
    );
    const { text_secondary: _second, ...sent } = design;
    expect((await service.code({ template: id })).svg).toBe((await service.code(sent)).svg);
  }
});

describe("docs/spec/api.md section 2.4: folders", () => {
  it("a rename makes another slug and other breadcrumbs, and nothing else", async () => {
    const top = await service.folder("Top");
    const low = await service.folder("Low", (await service.folder("Middle", top.id)).id);
    const { body } = await service.send("PATCH", `/folder/${top.id}/update/`, {
      name: "Other Top",
    });
    expect(body).toEqual({ ...top, name: "Other Top", slug: "other-top", path: "Other Top" });
    const filed = await service.code({ folder: low.id });
    expect(filed.folder.path).toBe("Other Top/Middle/Low");
    const old = { qr_data: "https://example.com/", folder: top.slug };
    expect((await post("/qrcode/create/", old)).status).toBe(404);
    expect((await service.code({ folder: "other-top" })).folder.id).toBe(top.id);
  });

  it.each(["a/b", "Größe", "🎉", "<b>&\"'", "..", "null", "create", "x"])(
    "the name %j is kept, with a slug that finds it",
    async (name) => {
      const folder = await service.folder(name);
      expect(folder).toMatchObject({ name, path: name, parent: null, code_count: 0 });
      expect((await service.code({ folder: folder.slug })).folder.id).toBe(folder.id);
    },
  );

  it("another case is another name, another parent another folder", async () => {
    const [a, b] = [await service.folder("Case"), await service.folder("case")];
    const c = await service.folder("Case", a.id);
    expect(new Set([a.id, b.id, c.id]).size).toBe(3);
    expect(new Set([a.slug, b.slug, c.slug]).size).toBe(3);
  });
});

it("docs/spec/api.md section 2.5: tags have id, title and slug, and belong to a workspace", async () => {
  const { token, workspaceId } = service.other;
  const [tag] = made["tag"]!;
  expect(Object.keys(tag)).toEqual(["id", "title", "slug"]);
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.send(method, path, body, { token });
  const fields = { workspace: workspaceId, qr_data: "https://example.com/" };
  const theirs = (await send("POST", "/qrcode/create/", fields)).body.id;
  const path = `/qrcode/${theirs}/tags/add/`;
  const added = (await send("POST", path, [{ title: tag.title }])).body.tags;
  expect(added).toEqual([{ id: expect.any(String), title: tag.title, slug: tag.slug }]);
  expect(added[0].id).not.toBe(tag.id);
  expect((await send("POST", path, [{ id: tag.id }])).status).toBe(404);
  expect((await send("GET", lists["tags"]!(workspaceId))).body.results).toEqual(added);
  expect((await send("DELETE", `/qrcode/${theirs}/delete/`)).status).toBe(204);
});

it("docs/spec/api.md section 2.9: a PDF code is always dynamic", async () => {
  const fields = { pdf_base64: PDF, dynamic: false, qr_type: "Text", qr_data: "x" };
  const { status, body } = await post("/pdf/create/", fields);
  expect([status, body.dynamic, body.qr_data]).toEqual([200, true, body.pdf_file_url]);
});
