/** Labels that programs have rendered: proven before they are handed out, refused with every reason. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { PDFDocument } from "pdf-lib";
import { afterAll, describe, expect, it, vi } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { sha256 } from "../../src/base/ids/ids.ts";
import { readScannedPages } from "../../src/qr/png/raster.ts";
import { makeRender, type RenderOptions } from "../../src/render/render.ts";
import { readOrder } from "../../src/render/render-request.ts";
import { type Rendered, renderSheets } from "../../src/render/render-sheets.ts";
import { RenderTurns } from "../../src/render/turns.ts";
import type { Render } from "../../src/service/http/render-port.ts";
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { openRenderer } from "../../src/verify/pixels/render.ts";
import { makeService, type TestService } from "../service/make-service.ts";
import { openTestDesk } from "../desk/open-desk.ts";

const open: TestService[] = [];
afterAll(() => Promise.all(open.map((service) => service.close())));

async function serve(
  options: Partial<RenderOptions> = {},
  wrap: (render: Render) => Render = (render) => render,
): Promise<TestService> {
  const render = wrap(makeRender({ clock: systemClock, ...options }));
  const service = await makeService({ render });
  open.push(service);
  return service;
}

const shelves = ["A-01", "A-02", "B-01"].map((shelf) => ({
  shelf,
  url: `https://example.com/shelf/${shelf}?a=$HOME&b=\${HOME}`,
}));

const job = (more: object = {}) => ({
  rows: shelves,
  code: { type: "Link", qr_data: "{{ url }}" },
  sheets: { sheet: "a4-24up-63.5x33.9", caption: "{{ shelf }} $HOME" },
  ...more,
});

const post = (
  service: Pick<TestService, "fetch" | "account">,
  body: object | string,
  { token = service.account.token, ...headers }: Record<string, string> & { token?: string } = {},
): Promise<Response> =>
  service.fetch(
    new Request("http://localhost/render/sheets", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === "" ? {} : { authorization: `Token ${token}` }),
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );

interface Answer {
  readonly file: { media_type: string; bytes: number; sha256: string; base64: string };
  readonly proof: Rendered["proof"];
}

interface Refused {
  readonly errors: { row?: number; field?: string; message: string; hint?: string }[];
  readonly error_count: number;
}

const dataUrl = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

const designed = (design: object) => ({ type: "Link", qr_data: "{{ url }}", design });

function countPixels(
  rgba: Uint8Array,
  is: (rgb: readonly [r: number, g: number, b: number]) => boolean,
): number {
  let count = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    const [r = 0, g = 0, b = 0] = rgba.subarray(at, at + 3);
    count += Number(is([r, g, b]));
  }
  return count;
}

async function refused(service: TestService, body: object | string): Promise<Refused["errors"]> {
  const answer = await post(service, body);
  const text = await answer.text();
  expect(answer.status, text.slice(0, 500)).toBe(422);
  const { errors, error_count } = JSON.parse(text) as Refused;
  expect(error_count).toBeGreaterThanOrEqual(errors.length);
  return errors;
}

/** What codes say that an engine reads out of a PDF. */
async function readCodes(pdf: Uint8Array): Promise<string[]> {
  const document = await openRenderer(pdf);
  try {
    const page = await document.render(0, { width: 2480, height: 3508 });
    const found = (await loadDecoder()).look(page);
    return found.map(({ text }) => text).toSorted();
  } finally {
    document.close();
  }
}

const leftFolders = (): string[] =>
  readdirSync(os.tmpdir()).filter((name) => name.startsWith("makeready-render-"));

describe("POST /render/sheets", () => {
  it("answers a PDF with its proof, as JSON or as it is, and keeps nothing", async () => {
    const before = leftFolders();
    const service = await serve();
    const answer = await post(service, job());
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    const { file, proof } = JSON.parse(text) as Answer;
    const pdf = Buffer.from(file.base64, "base64");
    expect(file).toMatchObject({ media_type: "application/pdf", bytes: pdf.length });
    expect(sha256(pdf)).toBe(file.sha256);
    const links = shelves.map(({ url }) => url);
    expect(await readCodes(pdf)).toEqual(links);
    expect(proof).toMatchObject({
      pages: 1,
      codes: 3,
      decoded: 3,
      symbols: 0,
      ready_for_press: true,
      device_dpi: 600,
    });
    expect(proof.cells).toEqual(
      links.map((link, index) => ({
        row: index + 1,
        page: 1,
        at: [1, index + 1],
        sha256: sha256(link),
      })),
    );
    const raw = await post(service, job(), { accept: "application/pdf" });
    expect(raw.headers.get("content-type")).toBe("application/pdf");
    const bytes = new Uint8Array(await raw.arrayBuffer());
    expect(await readCodes(bytes)).toEqual(links);
    expect(JSON.parse(raw.headers.get("makeready-proof") ?? "{}")).toMatchObject({
      codes: 3,
      decoded: 3,
      ready_for_press: true,
      sha256: sha256(bytes),
    });
    expect(leftFolders().filter((name) => !before.includes(name))).toEqual([]);
  });

  it("draws labels of a roll with text, GTIN and copies of a column, as a PNG that is read as well", async () => {
    const service = await serve();
    const body = {
      rows: [{ name: "Brie", gtin: "09506000134352", pieces: 1 }],
      code: { type: "Link", qr_data: "https://id.example/01/{{ gtin }}" },
      sheets: {
        sheet: { roll: 60, label: [60, 40], stock: "labels" },
        copies: "{{ pieces }}",
        label: {
          items: [
            { code: true, at: [2, 2, 22, 22] },
            { text: "{{ name }}", at: [26, 2, 32, 8] },
            { symbol: "ean-13", data: "{{ gtin }}", at: [26, 12, 32, 25] },
          ],
        },
      },
    };
    const answer = await post(service, { ...body, format: "png", dpi: 203 });
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    const { file, proof } = JSON.parse(text) as Answer;
    expect(proof).toMatchObject({ pages: 1, codes: 2, decoded: 2, symbols: 1 });
    const png = Buffer.from(file.base64, "base64");
    for await (const { image, dpi } of readScannedPages(png)) {
      expect(dpi).toBe(203);
      expect([image.width, image.height]).toEqual([480, 320]);
      const found = (await loadDecoder()).look(image).map((code) => code.text);
      expect(found).toEqual(["https://id.example/01/09506000134352"]);
    }
    const two = { ...body, rows: [{ ...body.rows[0], pieces: 2 }] };
    const made = (await (await post(service, two)).json()) as Answer;
    expect(made.proof).toMatchObject({ pages: 2, codes: 4, decoded: 4 });
    expect(await refused(service, { ...two, format: "png" })).toMatchObject([
      { field: "format", message: "a png must be one page, got 2", hint: "ask for a pdf" },
    ]);
    const long = [{ shelf: "A", url: `https://example.com/${"abcdefg".repeat(22)}` }];
    expect(await refused(service, job({ rows: long, format: "png", dpi: 72 }))).toMatchObject([
      { field: "dpi", message: expect.stringMatching(/got 72, at which 1 of 1 can't be read/u) },
    ]);
  });

  it("names every bad row by its number, field, rule and value", async () => {
    const service = await serve();
    const rows = [
      { url: "https://example.com/1", gtin: "09506000134352" },
      { url: "htp://nowhere", gtin: "09506000134352" },
      { url: "", gtin: "09506000134353" },
    ];
    const errors = await refused(service, {
      rows,
      columns: { url: { type: "url", required: true }, gtin: { type: "gtin" } },
      code: { type: "Link", qr_data: "{{ url }}" },
      sheets: { sheet: "a4-24up-63.5x33.9" },
    });
    expect(errors.map(({ row, field }) => [row, field])).toEqual([
      [2, "url"],
      [3, "url"],
      [3, "gtin"],
    ]);
    expect(errors[0]?.message).toBe('must be a URL, got "htp://nowhere"');
    expect(errors[2]?.message).toContain("got");
  });

  it("names the row of a warning, isn't ready where phones look at themselves, and takes no number that lost digits", async () => {
    const service = await serve();
    const rows = [
      { shelf: "A\n1", url: "https://a.de/1" },
      { shelf: "A-2", url: "http://localhost:3000/2" },
      { shelf: "\u0628", url: "https://a.de/3" },
    ];
    const { proof } = (await (await post(service, job({ rows }))).json()) as Answer;
    expect(proof.ready_for_press).toBe(false);
    expect(proof.warnings).toContain(
      "row 2: leads to localhost or another address of one's own device: phones look for it on themselves",
    );
    const text = job({ rows: rows.slice(1, 2), code: { type: "Text", qr_data: "{{ url }}" } });
    const told = (await (await post(service, text)).json()) as Answer;
    expect(told.proof.ready_for_press).toBe(false);
    expect(told.proof.warnings.join()).toContain("row 1: leads to localhost");
    expect(proof.warnings.join("\n")).toContain("no font has \u0628 U+0628");
    expect(proof.warnings.join("\n")).not.toContain("fonts that");
    expect(proof.warnings.join("\n")).not.toContain("sheets.fonts");
    const lost = await refused(service, job({ rows: [{ shelf: 2 ** 60, url: "https://a.de/1" }] }));
    const message = "shelf must be a text: as a number, it lost digits beyond 9007199254740991";
    expect(lost).toMatchObject([{ row: 1, field: "shelf", message }]);
  });

  it("prints codes as they are designed, with a logo and pictures that come along", async () => {
    const service = await serve();
    const logo =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="#c00000" d="M1 1h8v8H1z"/></svg>';
    const png = readFileSync(path.resolve("templates/logos/winter.png"));
    const design = {
      primary_color: "#0a3d62",
      pattern: "Circles",
      frame: "card",
      text: "$HOME",
      logo_file: dataUrl("image/svg+xml", Buffer.from(logo)),
    };
    const items = [
      { code: true, at: [2, 2, 38, 44] },
      { image: dataUrl("image/png", png), at: [44, 4, 12, 12] },
    ];
    const sheets = { sheet: { roll: 60, label: [60, 48], stock: "labels" }, label: { items } };
    const code = designed(design);
    const answer = await post(service, job({ code, sheets }));
    const text = await answer.text();
    expect(answer.status, text.slice(0, 500)).toBe(200);
    const { file, proof } = JSON.parse(text) as Answer;
    expect(proof).toMatchObject({ pages: 3, codes: 3, decoded: 3, ready_for_press: true });
    const pdf = await PDFDocument.load(Buffer.from(file.base64, "base64"));
    const names = pdf.context.enumerateIndirectObjects().map(([, object]) => String(object));
    expect(names.some((object) => object.includes("/Image"))).toBe(true);
    const page = (await openRenderer(Buffer.from(file.base64, "base64"))).paint(0, {
      width: 600,
      height: 480,
    });
    const { rgba } = await page;
    const blue = countPixels(rgba, ([r, , b]) => b > r + 40);
    const red = countPixels(rgba, ([r, g]) => r > g + 90);
    expect([blue > 5000, red > 500]).toEqual([true, true]);
    const plain = await post(service, job({ code, sheets: { ...sheets, print: "plain" } }));
    const told = ((await plain.json()) as Answer).proof.warnings.join("\n");
    expect(told).toContain("the sheets print 3 codes plain black: without colours, pattern");
  });

  it("gives no hint that it refuses itself, and says what must be given", async () => {
    const service = await serve();
    const READABLE = "take a darker ink or a lighter background";
    const yellow = await refused(service, job({ code: designed({ primary_color: "#ffff00" }) }));
    expect(yellow.map(({ hint }) => hint)).toEqual([READABLE]);
    const rows = [{ shelf: "A", url: "https://example.com/1", ink: "#ffff00" }];
    const ofRow = job({ rows, code: designed({ primary_color: "{{ ink }}" }) });
    expect(await refused(service, ofRow)).toMatchObject([{ row: 1, hint: READABLE }]);
    const none = await refused(service, { rows: [[1]], columns: [] });
    expect(none.map(({ message }) => message)).toEqual([
      "rows must be a map of columns",
      "columns must be a map of fields",
      "code must be given",
      "sheets must be given",
    ]);
  });

  it("refuses pictures that are none, and names no place on this computer", async () => {
    const service = await serve();
    const errors = await refused(
      service,
      job({ code: designed({ logo_file: "/etc/passwd", template: "Confetti" }) }),
    );
    expect(errors.map(({ field }) => field)).toEqual([
      "code.design.template",
      "code.design.logo_file",
    ]);
    const texts = ["data:image/png;base64,AAAA", "data:image/svg+xml;base64,PHN2Zy8+"];
    for (const text of texts) {
      const broken = await refused(service, job({ code: designed({ logo_file: text }) }));
      expect(JSON.stringify(broken)).not.toMatch(/picture-1|manifest/u);
      expect(JSON.stringify(broken)).not.toContain(os.tmpdir());
      expect(JSON.stringify(broken)).toMatch(/logo/u);
    }
  });

  it("refuses what names files, asks others or is not known, all of it at once", async () => {
    const service = await serve();
    const errors = await refused(
      service,
      job({
        code: {
          type: "Link",
          qr_data: "{{ url }}",
          dynamic: true,
          design: { logo_url: "http://127.0.0.1/", error_correction: "H" },
        },
        sheets: {
          sheet: "../../etc/passwd",
          fonts: ["/etc/passwd"],
          background: { file: "/etc/passwd" },
          icc: { file: "/etc/passwd", condition: "x" },
          label: { items: [{ image: "/etc/passwd", at: [0, 0, 5, 5] }] },
          start: "continue",
        },
      }),
    );
    expect(errors.map(({ field }) => field)).toEqual([
      "code.dynamic",
      "sheets.fonts",
      "sheets.background",
      "code.design.logo_url",
      "sheets.sheet",
      "sheets.start: continue",
      "sheets.icc.file",
      "sheets.label.items[0].image",
    ]);
    const unknown = await refused(service, job({ sheets: { shet: "x" }, code: { type: "Link" } }));
    expect(unknown.map(({ message }) => message).join("\n")).toContain("shet");
    expect(await refused(service, { ...job(), source: "x" })).toMatchObject([{ field: "source" }]);
    expect(await refused(service, "{")).toMatchObject([
      { message: "the body must be JSON in UTF-8" },
    ]);
    expect(await refused(service, job({ rows: [{ shelf: ["x"] }] }))).toMatchObject([
      { row: 1, field: "shelf" },
    ]);
    expect(await refused(service, job({ rows: [{ Row: "1", url: "x" }] }))).toMatchObject([
      { field: "Row" },
    ]);
    expect((await refused(service, job({ sheets: { sheet: "a4-24up" } })))[0]?.message).toContain(
      "a4-24up",
    );
  });

  it("offers no files of your own, and says what a body is and that GS1 codes are none of it", async () => {
    const service = await serve();
    for (const sheet of ["nope", "own.json", "OWN.JSON"]) {
      const [error, ...more] = await refused(service, job({ sheets: { sheet } }));
      expect(more).toEqual([]);
      expect(error).toMatchObject({
        field: "sheets.sheet",
        message: expect.stringMatching(/must be the name of a label sheet, got "/u),
      });
      expect(JSON.stringify(error).replace(sheet, "")).not.toContain("json");
    }
    const labels = [
      ["sheets.label", { label: "/etc/secret.yaml" }],
      ["sheets.label.template", { label: { template: "OWN.JSON" } }],
      ["sheets.back.label", { back: { label: "/etc/secret.yaml" } }],
      ["sheets.back.label.template", { back: { label: { template: "/etc/secret.json" } } }],
      ["sheets.label", { label: "nope" }],
    ] as const;
    for (const [field, label] of labels) {
      const sheets = { sheet: "a4-24up-63.5x33.9", ...label };
      const [error, ...more] = await refused(service, job({ sheets }));
      expect(more).toEqual([]);
      const message = expect.stringMatching(/must be (?:the name of )?a label template, got "/u);
      expect(error).toMatchObject({ field, message });
    }
    const gs1 = { type: "GS1", qr_data: "{{ url }}" };
    expect(await refused(service, job({ code: gs1 }))).toMatchObject([
      { field: "code.type", message: expect.stringContaining('got "GS1"') },
    ]);
    expect(await refused(service, [])).toEqual([
      { field: "body", message: "body must be a map with rows, code and sheets" },
    ]);
  });

  it("has caps on rows, labels and bytes", async () => {
    const service = await serve();
    const many = Array.from({ length: 1001 }, (_, n) => ({
      shelf: `${n}`,
      url: `https://e.x/${n}`,
    }));
    expect(await refused(service, job({ rows: many }))).toMatchObject([
      { field: "rows", message: "rows must have at most 1,000 rows" },
    ]);
    const copies = job({ sheets: { sheet: "a4-24up-63.5x33.9", copies: 700 } });
    expect(await refused(service, copies)).toMatchObject([
      { message: "rows, copies and overs must make at most 2000 labels, got 2100" },
    ]);
    const long = { caption: "{{ shelf }}".repeat(20_000) };
    const texts = [
      { rows: [{ shelf: "x".repeat(600), url: "https://e.x/" }], sheets: long },
      {
        columns: { shelf: { default: "x".repeat(600) } },
        rows: [{ shelf: "", url: "https://e.x/" }],
        sheets: { label: { items: [long.caption] } },
      },
      { sheets: { caption: "x".repeat(3_400_000) } },
    ];
    for (const text of texts)
      expect(await refused(service, job(text))).toMatchObject([
        { message: "texts of all rows must have at most 4,000,000 characters, got more" },
      ]);
    const items = Array.from({ length: 40_000 }, () => ({ line: [0, 0, 1, 1] }));
    const crowded = { sheets: { label: { items } } };
    expect(await refused(service, job(crowded))).toMatchObject([
      { message: "labels of all rows must have at most 100,000 items, got 120,000" },
    ]);
    const large = await post(service, job({ name: "x".repeat(5 * 1024 * 1024) }));
    expect([400, 413]).toContain(large.status);
    expect((await post(service, job(), { "content-type": "text/plain" })).status).toBe(415);
  });

  it("answers good tokens only, at no path of the API", async () => {
    const service = await serve();
    expect((await post(service, job(), { token: "" })).status).toBe(401);
    expect((await post(service, job(), { token: "f".repeat(40) })).status).toBe(401);
    const got = await service.fetch(new Request("http://localhost/render/sheets"));
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    const api = await service.send("POST", "/render/sheets", job());
    expect(api.status).toBe(404);
    const described = await service.fetch(new Request("http://localhost/openapi.json"));
    expect(await described.text()).not.toContain("render/sheets");
    const plain = await makeService();
    open.push(plain);
    expect((await post(plain, job())).status).toBe(404);
  });

  it("lets others be heard between two rows, and stops there once its time is over", async () => {
    const { signal } = new AbortController();
    const asked = vi.spyOn(signal, "throwIfAborted");
    const rows = Array.from({ length: 30 }, () => shelves[0]);
    await renderSheets(readOrder(job({ rows })), { clock: systemClock, signal });
    expect(asked.mock.calls.length).toBeGreaterThan(rows.length);
  });

  it("ends what takes too long, and what is no longer waited for", async () => {
    const slow = await serve({ mostMs: 1 });
    expect((await post(slow, job())).status).toBe(503);
    const ended: Promise<unknown>[] = [];
    let begun: (() => void) | undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const service = await serve({}, (render) => (visit) => {
      const { signal } = visit.request;
      ended.push(new Promise((resolve) => signal.addEventListener("abort", resolve)));
      const answer = render(visit);
      ended.push(answer.then(({ status }) => expect(status).toBe(499)));
      begun?.();
      return answer;
    });
    const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
    const client = new AbortController();
    const asked = fetch(`${url}/render/sheets`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Token ${service.account.token}`,
      },
      body: JSON.stringify(job()),
      signal: client.signal,
    }).catch((error: unknown) => (error as Error).name);
    await isBegun;
    client.abort();
    expect(await asked).toBe("AbortError");
    await Promise.all(ended);
  });
});

describe("the desk", () => {
  it("renders for holders of its session only", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "desk-render-"));
    const desk = await openTestDesk(folder);
    try {
      const session = await fetch(desk.link, { redirect: "manual" });
      const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
      const ask = (headers: Record<string, string>): Promise<Response> =>
        fetch(`${desk.origin}/render/sheets`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(job()),
        });
      expect((await ask({ origin: desk.origin })).status).toBe(403);
      expect((await ask({ cookie, origin: "https://elsewhere.example" })).status).toBe(403);
      const made = await ask({ cookie, origin: desk.origin, accept: "application/pdf" });
      expect(made.status).toBe(200);
      expect(await readCodes(new Uint8Array(await made.arrayBuffer()))).toHaveLength(3);
    } finally {
      await desk.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe("turns", () => {
  const never = new AbortController().signal;

  it("are shared out to as many as may, others wait in order, and too many are turned away", async () => {
    const turns = new RenderTurns({ atOnce: 1, waiting: 1, ofOne: 2 });
    const first = await turns.take("a", never);
    const order: string[] = [];
    const second = turns.take("b", never).then((turn) => {
      order.push("b");
      return turn;
    });
    expect(await turns.take("c", never)).toBeUndefined();
    first?.end();
    const turn = await second;
    expect(order).toEqual(["b"]);
    turn?.end();
    const again = await turns.take("c", never);
    expect(again).toBeDefined();
    again?.end();
  });

  it("are at most two for one sender, and end when the sender leaves", async () => {
    const turns = new RenderTurns({ atOnce: 1, waiting: 8, ofOne: 2 });
    const first = await turns.take("a", never);
    const gone = new AbortController();
    const second = turns.take("a", gone.signal);
    expect(await turns.take("a", never)).toBeUndefined();
    gone.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    const third = turns.take("a", never);
    first?.end();
    (await third)?.end();
    expect(await turns.take("b", never)).toBeDefined();
  });
});
