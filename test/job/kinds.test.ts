import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { isRowJob } from "../../src/kinds/any-job.ts";
import { kinds } from "../../src/kinds/names.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import { readFences } from "../docs/markdown.ts";
import { load, problemsOf, writeManifest } from "./make-manifest.ts";

const head = (kind: string): string => `version: 1\nkind: ${kind}\n`;

const spec = readFileSync(new URL("../../docs/spec/jobs.md", import.meta.url), "utf8");
/** The manifests of docs/spec/jobs.md section 1, as they stand there. */
const manifestOf = (kind: string): string =>
  readFences(spec).find(({ text }) => text.includes(`\nkind: ${kind}\n`))?.text ?? "";
const PRODUCTS = manifestOf("products");
const REDESIGN = manifestOf("redesign");
const RETARGET = manifestOf("retarget");
const REPORT = manifestOf("report");

/** 2026-02-28, 23:30 in UTC: the next day, and the next month, in Berlin. */
const nowMs = Date.UTC(2026, 1, 28, 23, 30);

describe("the manifests of docs/spec/jobs.md section 1", () => {
  it("products", async () => {
    const job = await load<"products">(PRODUCTS);
    expect(job.product).toMatchObject({
      identifierType: "01",
      identifierValue: "{{ gtin }}",
      batchLot: "{{ lot }}",
      serialNumber: null,
      expiryDate: "{{ expiry | date: YYMMDD }}",
    });
    expect(
      job.product.links.map(({ linkType, isDefault, language }) => [linkType, isDefault, language]),
    ).toEqual([
      ["gs1:pip", true, null],
      ["gs1:instructions", false, "de"],
    ]);
    expect(job.hasCode).toBe(true);
    expect(job.code).toMatchObject({ type: "GS1", dynamic: true, folder: "GTIN/{{ brand }}" });
    expect(job.source).toMatchObject({ sheet: "Spring", headerRow: 3, key: ["gtin", "lot"] });
  });

  it("products without code", async () => {
    const job = await load<"products">(PRODUCTS.replace(/^code:.*\n/mu, ""));
    expect(job.hasCode).toBe(false);
  });

  it("redesign, in a folder of the day where the schedule is", async () => {
    const job = await load<"redesign">(REDESIGN, { nowMs });
    expect(job.schedule).toEqual({ cron: "0 3 1 * *", timezone: "Europe/Berlin" });
    expect(job.select).toEqual({
      folder: "Tables/Deutschland Süd",
      subfolders: true,
      tags: [],
      q: null,
      dynamic: true,
      type: null,
    });
    expect(job.design).toMatchObject({ primary_color: "#6a1b9a", frame: "speech-bubble" });
    expect(path.isAbsolute(String(job.design["logo_file"]))).toBe(true);
    expect(job.output.dir).toMatch(/out[/\\]restyle[/\\]2026-03-01$/u);
    expect(job.safety).toMatchObject({ keepPrevious: true, skipUnchanged: true, maxCodes: 2000 });
  });

  it("retarget", async () => {
    const job = await load<"retarget">(RETARGET);
    expect(job.match).toEqual({ by: ["id", "shortlink_url", "display_name"], value: "{{ code }}" });
    expect(job.expect).toBe("{{ old_url }}");
    expect(job.set).toEqual({ qrData: "{{ new_url }}", displayName: null, folder: null, tags: [] });
    expect(job.safety).toEqual({
      keepPrevious: true,
      checkDestination: "head",
      confirmOver: 100,
      maxCodes: null,
    });
  });

  it("report", async () => {
    const job = await load<"report">(REPORT, { nowMs });
    expect(job.window).toEqual({ days: 7, start: null, end: null, compare: "previous" });
    expect(job.groupBy).toBe("folder");
    expect(job.details).toEqual({ top: 50, include: ["scans_by_day", "top_countries", "top_os"] });
    expect(job.flag).toEqual({ zeroScansForDays: 30 });
    expect(job.output.dir).toMatch(/out[/\\]reports[/\\]2026-03-01$/u);
    expect(job.output.formats).toEqual(["xlsx", "csv", "html"]);
  });

  it("report over fixed days", async () => {
    const fixed = REPORT.replace(
      "{ days: 7, compare: previous }",
      "{ start: 2026-01-01, end: 2026-03-31 }",
    );
    const job = await load<"report">(fixed);
    expect(job.window).toEqual({
      days: null,
      start: "2026-01-01",
      end: "2026-03-31",
      compare: "none",
    });
  });
});

/** The least that is a job of each kind. */
const LEAST: Readonly<Record<(typeof kinds)[number], string>> = {
  codes: 'source: rows.csv\ncode: { qr_data: "{{ url }}" }\n',
  products:
    'source: rows.csv\nproduct: { identifier_value: "{{ gtin }}", links: [{ link_type: "gs1:pip", title: x, destination_url: "{{ url }}" }] }\n',
  links: 'source: rows.csv\nlink: { link: "{{ url }}" }\n',
  pdfs: "source: { folder: pdfs }\n",
  pages: 'source: rows.csv\npage: { title: "{{ title }}" }\n',
  forms: "form: { title: Visit, fields: [{ field_type: text, label: Name }] }\n",
  redesign: 'select: { folder: A }\ndesign: { primary_color: "#111111" }\n',
  retarget: 'source: rows.csv\nmatch: { value: "{{ code }}" }\nset: { qr_data: "{{ url }}" }\n',
  report: "",
  export: "",
};

describe("every kind", () => {
  it.each(kinds)("%s needs little, and can have a schedule", async (kind) => {
    const schedule = "schedule: { cron: '0 3 1 * *' }\n";
    const file = writeManifest(head(kind) + LEAST[kind] + schedule);
    const job = await loadJob(file, { env: {} });
    expect(job.kind).toBe(kind);
    expect(job.schedule).toEqual({ cron: "0 3 1 * *", timezone: "UTC" });
    expect(path.isAbsolute(job.output.dir)).toBe(true);
    expect(isRowJob(job)).toBe(
      ["codes", "products", "links", "pdfs", "pages", "forms"].includes(kind),
    );
  });

  it.each(kinds)(
    "%s: an unknown field is reported with the known ones of its kind",
    async (kind) => {
      const problems = await problemsOf(`${head(kind)}${LEAST[kind]}outptu: {}\n`);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(
        'outptu must be a known field, got "outptu" (did you mean "output"?',
      );
    },
  );

  it("a block of another kind is an unknown field", async () => {
    const problems = await problemsOf(`${head("links")}${LEAST.links}code: { type: Link }\n`);
    expect(problems.join("\n")).toContain('code must be a known field, got "code"');
  });

  it.each([
    ["prodcts", LEAST.products, 'did you mean "products"'],
    ["page", LEAST.pages, 'did you mean "pages"'],
  ])("a misspelled kind, %s, is the only mistake", async (kind, rest, hint) => {
    const problems = await problemsOf(head(kind) + rest);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(hint);
  });

  it("without a kind the fields show which was meant", async () => {
    const problems = await problemsOf(`version: 1\n${LEAST.retarget}`);
    expect(problems.map((problem) => problem.slice(0, 24))).toEqual(["1:1 kind must be given, "]);
  });

  it("dates name folders only where every run may have its own", async () => {
    const dated = 'output: { dir: "out/{{ date }}" }\n';
    expect((await problemsOf(head("links") + LEAST.links + dated)).join()).toContain(
      "output.dir must be one fixed folder for kind links",
    );
    const named = 'output: { dir: "out/{{ display_name }}" }\n';
    expect((await problemsOf(head("export") + named)).join()).toContain(
      'output.dir must name nothing but date and month, got "display_name"',
    );
  });

  it.each([
    [
      "cron: every monday",
      'schedule.cron must be five fields (minute hour day month weekday) like "0 3 1 * *", got "every monday"',
    ],
    ["cron: '61 * * * *'", "schedule.cron must be five fields"],
    [
      "{ cron: '0 3 1 * *', timezone: Berlin }",
      'schedule.timezone must be a time zone like "Europe/Berlin", got "Berlin"',
    ],
  ])("schedule: %s", async (schedule, message) => {
    const text = schedule.startsWith("{") ? schedule : `{ ${schedule} }`;
    const problems = await problemsOf(`${head("report")}schedule: ${text}\n`);
    expect(problems.join("\n")).toContain(message);
  });

  it("safety: limits of changes and codes", async () => {
    const job = await load<"links">(
      `${head("links")}${LEAST.links}safety: { confirm_over: 100, max_codes: 5000 }\n`,
    );
    expect(job.safety).toEqual({ contrast: "refuse", confirmOver: 100, maxCodes: 5000 });
  });
});

describe("templates of each kind are read at their place", () => {
  const columns = "columns: { title: {}, url: { type: url }, gtin: { type: gtin } }";
  const source = `source: { file: rows.csv, ${columns} }\n`;

  it.each([
    [
      "products",
      'product: { identifier_value: "{{ gitn }}", links: [{ link_type: "gs1:pip", title: x, destination_url: "{{ url }}" }] }\n',
      "product.identifier_value",
      "gitn",
    ],
    [
      "products",
      'product: { identifier_value: "{{ gtin }}", links: [{ link_type: "gs1:pip", title: x, destination_url: "{{ ulr }}" }] }\n',
      "product.links[0].destination_url",
      "ulr",
    ],
    ["links", 'link: { link: "{{ url }}", slug: "{{ titel }}" }\n', "link.slug", "titel"],
    ["pdfs", 'pdf: { pdf_url: "{{ pdf }}" }\n', "pdf.pdf_url", "pdf"],
    [
      "pages",
      'page: { title: "{{ title }}", links: [{ url: "{{ url }}", title: "{{ label }}" }] }\n',
      "page.links[0].title",
      "label",
    ],
    [
      "forms",
      'form: { title: x, fields: [{ field_type: radio, label: y, options: [a, { value: b, label: "{{ c }}" }] }] }\n',
      "form.fields[0].options[1].label",
      "c",
    ],
    [
      "retarget",
      'match: { value: "{{ code }}" }\nset: { qr_data: "{{ url }}" }\n',
      "match.value",
      "code",
    ],
  ])("%s: %s", async (kind, rest, field, column) => {
    // Beside another mistake: alone, the header of the spreadsheet would be asked first.
    const text = (head(kind) + source + rest).replace("version: 1", "version: 2");
    expect((await problemsOf(text)).join("\n")).toContain(
      `${field} must name a column of the source, got "${column}"`,
    );
  });

  it("codes that exist have columns of their own", async () => {
    const design = 'select: {}\ndesign: { text: "{{ displayname }}" }\n';
    expect((await problemsOf(head("redesign") + design)).join()).toContain(
      'got "displayname" (did you mean "display_name"? columns: id, display_name, qr_data,',
    );
  });

  it("PDFs of a folder have three, a single form has none", async () => {
    const name = 'source: { folder: x }\ncode: { display_name: "{{ nam }}" }\n';
    expect((await problemsOf(head("pdfs") + name)).join()).toContain("columns: file, name, folder");
    const form = 'form: { title: "{{ title }}", fields: [{ field_type: text, label: x }] }\n';
    expect((await problemsOf(head("forms") + form)).join()).toContain(
      'form.title must name a column of the source, got "title"',
    );
  });
});

const links = (list: string): string =>
  `${head("products")}source: rows.csv\nproduct: { identifier_value: "{{ gtin }}", links: [${list}] }\n`;

describe("rules of each kind", () => {
  const pip = '{ link_type: "gs1:pip", title: a, destination_url: "{{ url }}", is_default: true }';

  it("products: one destination per link type, one default (docs/spec/api.md section 4.9)", async () => {
    const problems = await problemsOf(links(`${pip}, ${pip}`));
    expect(problems.join("\n")).toContain(
      'product.links[1].link_type must be another for each link, got "gs1:pip" again',
    );
    expect(problems.join("\n")).toContain(
      "product.links[1].is_default must be true for one link only",
    );
  });

  it("products: the first link is the default when none says so", async () => {
    const job = await load<"products">(links(pip.replace(", is_default: true", "")));
    expect(job.product.links[0]?.isDefault).toBe(true);
  });

  it("products: an unknown link type is reported with the nearest", async () => {
    expect((await problemsOf(links(pip.replace("gs1:pip", "gs1:instruction")))).join()).toContain(
      '(did you mean "gs1:instructions"?)',
    );
  });

  it.each([
    [
      "links",
      'source: rows.csv\nlink: { link: "{{ url }}", slug: menu }\n',
      'link.slug must name a column, got "menu"',
    ],
    [
      "links",
      'source: rows.csv\nlink: { link: "{{ url }}", slug: "a b" }\n',
      "link.slug must be made of letters, digits and hyphens",
    ],
    ["pdfs", "source: rows.csv\n", "pdf.file must be given when rows come from a spreadsheet"],
    ["pdfs", "source: { folder: a, fiel: b }\n", 'source.fiel must be a known field, got "fiel"'],
    [
      "forms",
      "form: { title: x, fields: [{ field_type: radio, label: y }] }\n",
      "form.fields[0].options must be given for field_type radio",
    ],
    [
      "forms",
      "form: { title: x, fields: [{ field_type: text, label: y, options: [a] }] }\n",
      "form.fields[0].options must be left out for field_type text",
    ],
    ["redesign", "select: {}\ndesign: {}\n", "design must name at least one field, got none"],
    [
      "redesign",
      "select: {}\ndesign: { logo_file: a.png, remove_logo: true }\n",
      "must be the only field about a logo",
    ],
    [
      "retarget",
      'source: r.csv\nmatch: { value: "{{ x }}" }\nset: {}\n',
      "set must name at least one field, got none",
    ],
    [
      "report",
      "window: { days: 7, start: 2026-01-01 }\n",
      "window.days must stand without start and end",
    ],
    ["report", "window: { end: 2026-01-01 }\n", "window.end must go with start"],
    ["report", "window: { start: 2026-02-30 }\n", "window.start must be a date like"],
    [
      "report",
      "window: { start: 2026-02-01, end: 2026-01-01 }\n",
      "window.end must not be before start",
    ],
  ])("%s: %j", async (kind, rest, message) => {
    expect((await problemsOf(head(kind) + rest)).join("\n")).toContain(message);
  });
});
