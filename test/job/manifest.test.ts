import { writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { checkTemplates } from "../../src/job/template/column-uses.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import type { CodesJob } from "../../src/kinds/codes/job.ts";
import {
  failureOf,
  failureOfFile,
  folder,
  load,
  makeManifest,
  problemsOf,
  writeManifest,
} from "./make-manifest.ts";

const caption = async (yaml: string) =>
  (await load(makeManifest({ output: `output:\n  sheets:\n    caption: ${yaml}` }))).output.sheets
    ?.caption;

const sheet = async (text: string) =>
  (await load(makeManifest({ source: `source: { file: a.xlsx, sheet: ${text} }` }))).source.sheet;

describe("a good manifest", () => {
  it("becomes a job with every default and absolute paths", async () => {
    const job = await load(makeManifest());
    const base = path.dirname(job.file);
    expect(job).toMatchObject({
      name: "menu",
      kind: "codes",
      api: {},
      source: {
        file: path.join(base, "rows.csv"),
        sheet: null,
        headerRow: null,
        encoding: null,
        delimiter: null,
        key: ["site"],
        skipHiddenRows: false,
        merged: "warn",
      },
      code: {
        type: "Link",
        dynamic: false,
        qrData: "{{ url }}",
        displayName: "{{ site }}",
        folder: null,
        tags: [],
        gpsTracking: false,
        domain: null,
        vcard: null,
        gs1Product: null,
        design: {},
      },
      output: {
        dir: path.join(base, "out"),
        files: ["svg", "png"],
        fileName: "{{ site | slug }}",
        zip: null,
        sheets: null,
        index: ["csv"],
      },
      run: {
        concurrency: undefined,
        onRowError: "continue",
        maxFailures: { share: 1 },
        settleMs: 120_000,
        share: 1,
        marker: false,
        lateDoubles: "delete",
      },
      safety: { contrast: "refuse" },
    });
    expect({ ...job.source.columns }).toEqual({
      site: { type: "text", required: true, default: null, aliases: [] },
      url: { type: "url", required: false, default: null, aliases: [] },
    });
  });

  it("is frozen to the bottom", async () => {
    const job = await load(makeManifest());
    expect(Object.isFrozen(job)).toBe(true);
    expect(Object.isFrozen(job.source.columns["site"]?.aliases)).toBe(true);
    expect(Object.isFrozen(job.code.design)).toBe(true);
  });

  it("takes short forms", async () => {
    const job = await load(
      makeManifest({
        source: "source: rows.csv",
        code: 'code: { qr_data: "{{ url }}" }',
        output: "output: { zip: true, sheets: true, index: [xlsx, csv, xlsx] }",
      }),
    );
    expect(job.source.key).toEqual([]);
    expect(job.code.displayName).toBe("");
    expect(job.output).toMatchObject({
      dir: path.join(path.dirname(job.file), "out", "menu"),
      fileName: "",
      zip: { per: null, name: "menu.zip" },
      sheets: {
        per: null,
        name: "menu.pdf",
        sheet: "a4-24up-63.5x33.9",
        caption: [""].slice(1),
        marks: [],
        bleedMm: null,
        deviceDpi: null,
        application: "general",
        xDimensionMm: null,
        qrSizeMm: null,
        safeMm: null,
        order: "rows",
        reverse: false,
        corner: "top-left",
        start: 1,
        copies: 1,
        copyOrder: "adjacent",
        overs: 0,
        spares: 0,
        spareLabels: "empty",
        standard: "PDF/X-4",
        printer: null,
        fonts: [],
        icc: null,
        dieLine: null,
        volumeCodes: null,
      },
      index: ["xlsx", "csv"],
    });
  });

  it("reads how sheets are filled and drawn", async () => {
    const output = `output:
  sheets:
    { order: cut-and-stack, overs: 2.5%, die_line: true, icc: { file: press.icc, condition: X }, safe_mm: 2, marks: [crop, crop] }`;
    const job = await load(makeManifest({ output }));
    expect(job.output.sheets).toMatchObject({
      order: "cut-and-stack",
      overs: 0.025,
      safeMm: 2,
      marks: ["crop"],
      dieLine: { spot: "CutContour", cut: "through" },
      icc: { file: path.join(path.dirname(job.file), "press.icc"), condition: "X" },
    });
    const kiss = "output: { sheets: { die_line: { cut: kiss } } }";
    expect((await load(makeManifest({ output: kiss }))).output.sheets?.dieLine).toEqual({
      spot: "CutContour",
      cut: "kiss",
    });
  });

  it.each([
    ["order: row", "output.sheets.order must be one of rows, columns, cut-and-stack"],
    ["corner: top", "output.sheets.corner must be one of top-left"],
    ["start: 0", "output.sheets.start must be a whole number from 1 to 10000"],
    ["copies: 1.5", "output.sheets.copies must be a whole number from 1 to 10000"],
    ["overs: 2", 'output.sheets.overs must be a share of the rows, like "2%", got 2'],
    ["overs: 200%", 'output.sheets.overs must be a share of the rows, like "2%"'],
    ["spares: -1", "output.sheets.spares must be a whole number from 0"],
    ["x_dimension_mm: big", "output.sheets.x_dimension_mm must be a number of millimetres"],
    ["qr_size_mm: 1", "output.sheets.qr_size_mm must be a number of millimetres from 3 to 500"],
    ["safe_mm: -1", "output.sheets.safe_mm must be a number of millimetres from 0 to 50"],
    ["standard: PDF/X-3", "output.sheets.standard must be one of PDF/X-4, PDF/X-1a:2003"],
    [
      "icc: press.icc",
      "output.sheets.icc must be one of FOGRA39, FOGRA29, GRACoL, SWOP3, SNAP, or a map",
    ],
    ["icc: { file: a }", "output.sheets.icc.condition must be given"],
    ["die_line: { cut: deep }", "must be one of through, kiss"],
    ["marks: [slug]", "output.sheets.marks[0] must be one of crop, registration, bar"],
    ["volume_codes: 0", "output.sheets.volume_codes must be a whole number from 1"],
    ["copys: 2", "copies"],
  ])("refuses sheets of %s", async (field, says) => {
    const problems = await problemsOf(makeManifest({ output: `output: { sheets: { ${field} } }` }));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(says);
  });

  it("names groups by their column", async () => {
    const job = await load(
      makeManifest({
        output: "output: { zip: { per: site }, sheets: { per: site, sheet: roll } }",
      }),
    );
    expect(job.output.zip).toEqual({ per: "site", name: "menu-{{ site | slug }}.zip" });
    expect(job.output.sheets).toMatchObject({ name: "menu-{{ site | slug }}.pdf", sheet: "roll" });
  });

  it.each([
    ["[xlsx, csv, xlsx]", { index: ["xlsx", "csv"], indexPictures: false }],
    ["{ pictures: true }", { index: ["csv", "xlsx"], indexPictures: true }],
    ["{ formats: [xlsx] }", { index: ["xlsx"], indexPictures: false }],
  ])("takes the index as a list of formats or as a map: %s", async (index, expected) => {
    const job = await load(makeManifest({ output: `output: { index: ${index} }` }));
    expect(job.output).toMatchObject(expected);
  });

  it("takes the name of the file when it has none", async () => {
    const file = writeManifest(makeManifest({ name: "" }), "Spring Menü.yaml");
    const job = await loadJob(file, { env: {} });
    expect(job.name).toBe("Spring Menü");
  });

  it("splits captions into lines", async () => {
    expect(await caption('"{{ site }}"')).toEqual(["{{ site }}"]);
    expect(await caption('"{{ site }}\\nx"')).toEqual(["{{ site }}", "x"]);
    expect(await caption('["{{ site }}", x]')).toEqual(["{{ site }}", "x"]);
    expect(await caption("|\n      {{ site }}\n      #111111\n")).toEqual([
      "{{ site }}",
      "#111111",
    ]);
  });

  it("parses times and shares", async () => {
    const job = await load(
      makeManifest({ more: "run: { settle: 1.5m, max_failures: 2.5%, share: 0.9, marker: ref }" }),
    );
    expect(job.run).toMatchObject({ settleMs: 90_000, share: 0.9, marker: true });
    expect(job.run.maxFailures).toEqual({ share: 0.025 });
    const other = await load(makeManifest({ more: "run: { settle: 0s, max_failures: 12 }" }));
    expect(other.run).toMatchObject({ settleMs: 0, maxFailures: { count: 12 } });
  });

  it("keeps the text of the file where text is wanted", async () => {
    const job = await load(
      makeManifest({
        name: "name: 2026.10",
        source:
          "source: { file: 12, key: [site], columns: { site: { default: 1.50, aliases: [yes, 2026-01-01, null_, 0x1F] } } }",
        code: 'code: { qr_data: "{{ site }}", display_name: true, design: { text: 1e3 } }',
      }),
    );
    expect(job.name).toBe("2026.10");
    expect(path.basename(job.source.file)).toBe("12");
    expect(job.source.columns["site"]).toMatchObject({
      default: "1.50",
      aliases: ["yes", "2026-01-01", "null_", "0x1F"],
    });
    expect(job.code).toMatchObject({ displayName: "true", design: { text: "1e3" } });
  });

  it("distinguishes a sheet's position from its name", async () => {
    expect(await sheet("2")).toBe(2);
    expect(await sheet('"2"')).toBe("2");
    expect(await sheet("Spring")).toBe("Spring");
  });

  it("takes vCard and GS1 with their own content", async () => {
    const vcard = await load(
      makeManifest({
        code: 'code: { type: vCard, vcard: { first_name: "{{ site }}", city: Rome } }',
      }),
    );
    expect(vcard.code).toMatchObject({
      qrData: null,
      dynamic: false,
      displayName: "{{ site }}",
      vcard: { first_name: "{{ site }}", city: "Rome" },
    });
    const gs1 = await load(
      makeManifest({
        code: 'code: { type: GS1, gs1_product: { identifier_value: "{{ site }}", destination_url: "{{ url }}" } }',
      }),
    );
    expect(gs1.code).toMatchObject({
      dynamic: true,
      gs1Product: { identifier_value: "{{ site }}" },
    });
  });

  it("may be JSON", async () => {
    const json = JSON.stringify({
      $schema: "x",
      version: 1,
      kind: "codes",
      source: "rows.csv",
      code: { qr_data: "{{ url }}", design: { primary_color: "#111111" } },
    });
    const job = await loadJob(writeManifest(json, "job.json"), { env: {} });
    expect((job as CodesJob).code.design).toEqual({ primary_color: "#111111" });
    const error = await failureOf('{\n\t"version": 1,\n\t"knd": 2\n}', { name: "job.json" });
    expect(error.problems.map(({ where }) => where?.line)).toContain(3);
  });
});

describe("five mistakes", () => {
  const MANIFEST = `version: 1
name: menu
kind: codes
source:
  file: rows.csv
  key: [site, tabel]
  columns:
    site: { required: true }
    table: { type: intger }
    url: { type: url }
code:
  qr_data: {{ url }}
  display_name: "{{ site }} / {{ tabble | pad: 3 }}"
  design: { primary_color: #111111 }
output:
  fils: [svg]
`;

  it("are five problems, each at its place with its fix", async () => {
    const error = await failureOf(MANIFEST);
    expect(error.code).toBe("manifest-invalid");
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain("got 6 mistakes");
    expect(
      error.problems.map(({ where, message, hint }) => [
        where?.line,
        where?.column,
        where?.field,
        message,
        hint,
      ]),
    ).toEqual([
      [
        6,
        15,
        "source.key[1]",
        'source.key[1] must name a column of the source, got "tabel"',
        'did you mean "table"? columns: site, table, url',
      ],
      [
        9,
        20,
        "source.columns.table.type",
        'source.columns.table.type must be one of text, integer, number, url, email, date, gtin, boolean, got "intger"',
        'did you mean "integer"?',
      ],
      [
        12,
        12,
        undefined,
        "template must be in quotes, got {{ url }} (an unquoted { begins a map)",
        'write "{{ url }}"',
      ],
      [
        13,
        31,
        "code.display_name",
        'code.display_name must name a column of the source, got "tabble"',
        'did you mean "table"? columns: site, table, url',
      ],
      [
        14,
        28,
        undefined,
        "colour must be in quotes, got #111111 (an unquoted # begins a remark, so the value is lost)",
        'write "#111111"',
      ],
      [
        16,
        3,
        "output.fils",
        'output.fils must be a known field, got "fils"',
        'did you mean "files"?',
      ],
    ]);
    expect(error.problems.every(({ where }) => where?.file === error.where?.file)).toBe(true);
  });
});

describe("mistakes of shape", () => {
  it.each([
    [
      "a missing part",
      { code: "" },
      'code must be given, got nothing (add "code: …". The code of each row.)',
    ],
    ["an empty part", { output: "output:" }, "output must be a map (key: value), got nothing"],
    ["another version", { version: "version: 2" }, "version must be 1, got 2"],
    ["no version", { version: "" }, "version must be given, got nothing"],
    ["a list for a map", { code: "code: [a]" }, "code must be a map (key: value), got a list"],
    [
      "a list for a file",
      { source: "source: [a]" },
      "source must be text or a map (key: value), got a list",
    ],
    ["a map for text", { name: "name: { a: 1 }" }, "name must be text, got a map"],
    [
      "text for a list",
      { output: "output: { files: svg }" },
      'output.files must be a list, got "svg" (write [svg])',
    ],
    [
      "words for a list",
      { output: "output: { files: 'svg,png' }" },
      'output.files must be a list, got "svg,png" (write [svg, png])',
    ],
    [
      "a word that the list does not take",
      { output: "output: { files: pdf }" },
      /must be a list, got "pdf"$/mu,
    ],
    [
      "a word for a map of texts",
      { output: "output: { sheets: { label: { texts: Name } } }" },
      /label\.texts must be a map \(key: value\), got "Name"$/mu,
    ],
    [
      "a template for a list",
      { source: 'source: { file: rows.csv, key: "{{ url }}" }' },
      'source.key must be a list, got "{{ url }}" (write ["{{ url }}"])',
    ],
    [
      "nothing for a list",
      { source: "source: { file: rows.csv, key: ~ }" },
      /must be a list, got nothing$/mu,
    ],
    [
      "a sign for a column",
      { source: "source: { file: rows.csv, columns: { url: ',' } }" },
      'got "," (write { decimal: "," })',
    ],
    [
      "a type for a column",
      { source: "source: { file: rows.csv, columns: { url: url } }" },
      'source.columns.url must be a map (key: value), got "url" (write { type: url })',
    ],
    [
      "a word for a column",
      { source: "source: { file: rows.csv, columns: { url: link } }" },
      'got "link" (its fields are type, required, default, aliases, decimal)',
    ],
    [
      "a wrong entry",
      { output: "output: { files: [svg, pgn] }" },
      'output.files[1] must be one of svg, png, got "pgn" (did you mean "png"?)',
    ],
    [
      "yes for true",
      { output: "output: { zip: yes }" },
      'output.zip must be true or false or a map (key: value), got "yes"',
    ],
    ["an empty name", { name: 'name: ""' }, 'name must not be empty, got ""'],
    [
      "a colour by name",
      { code: "code: { qr_data: x, design: { primary_color: red } }" },
      'must be a colour like "#0a3d62", got "red"',
    ],
    [
      "a delimiter of two",
      { source: 'source: { file: a, delimiter: ";;" }' },
      'source.delimiter must be one character, got ";;"',
    ],
    [
      "half a row",
      { source: "source: { file: a, header_row: 1.5 }" },
      "source.header_row must be a whole number from 1 to 1048576, got 1.5",
    ],
    [
      "a pipe in a name",
      { source: 'source: { file: a, columns: { "a|b": {} } }' },
      "must be a name without |, { and }",
    ],
    [
      "a time without unit",
      { more: "run: { settle: 120 }" },
      'run.settle must be a time with a unit, like "120s", got 120',
    ],
    [
      "a design field of updates",
      { code: "code: { qr_data: x, design: { text_secondary: y } }" },
      "code.design.text_secondary must be a known field",
    ],
  ])("%s", async (_name, parts, expected) => {
    const problems = await problemsOf(makeManifest(parts));
    expect(problems.join("\n")).toMatch(expected);
  });

  it("everything that is missing, though it is all missing at one place", async () => {
    expect(await problemsOf("name: x\ncode: {}\n")).toEqual([
      '1:1 version must be given, got nothing (add "version: …". Version of this format.)',
      '1:1 kind must be given, got nothing (add "kind: …". What the job does: codes, products, links, pdfs, pages, forms, redesign, retarget, report, export.)',
      '1:1 source must be given, got nothing (add "source: …". Where rows come from: a file, a map with its details, a range, or serials.)',
      '2:7 code.qr_data must be given for type Link, got nothing (add "qr_data: …" under code)',
    ]);
  });

  it.each([
    ["zip: yes", "(write true)"],
    ["zip: Off", "(write false)"],
  ])("%s says what to write", async (zip, fix) => {
    expect((await problemsOf(makeManifest({ output: `output: { ${zip} }` })))[0]).toContain(fix);
  });

  it("numbers in quotes say what to do", async () => {
    const [problem] = await problemsOf(makeManifest({ more: 'run: { concurrency: "8" }' }));
    expect(problem).toContain('got "8" (remove the quotes)');
  });

  it("an unknown kind", async () => {
    const problems = await problemsOf(makeManifest({ kind: "kind: coeds" }));
    expect(problems).toEqual([
      '3:7 kind must be one of codes, products, links, pdfs, pages, forms, redesign, retarget, report, export, got "coeds" (did you mean "codes"?)',
    ]);
    // What the sentence lists is not listed again.
    const far = await problemsOf(makeManifest({ kind: "kind: xyz" }));
    expect(far).toEqual([expect.stringMatching(/report, export, got "xyz"$/u)]);
  });

  it("repeated keys", async () => {
    const problems = await problemsOf(
      makeManifest({ more: "name: other\nrun: { share: 1, share: 0.5 }" }),
    );
    expect(problems).toEqual([
      '7:1 "name" must stand here once, got it again (first on line 2) (remove one of the two)',
      '8:18 "share" must stand here once, got it again (first on line 8) (remove one of the two)',
    ]);
  });

  it.each(["token", "api_token", "password", "secret", "authorization"])("a %s", async (key) => {
    const error = await failureOf(
      makeManifest({ more: `api: { base_url: "https://x.example", ${key}: hunter2 }` }),
    );
    expect(error.problems[0]?.message).toBe(
      `api.${key} must not stand in a manifest: secrets never do`,
    );
    expect(JSON.stringify(error.problems)).not.toContain("hunter2");
  });
});

describe("text that is no YAML", () => {
  it("is reported once per line, without faults that follow from it", async () => {
    const problems = await problemsOf("version: 1\nkind: codes\n  name: x\nsource: [a\ncode: b\n");
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThan(4);
    expect(problems.every((problem) => problem.includes("YAML must be well-formed"))).toBe(true);
  });

  it("doesn't hide a trap beside it", async () => {
    const problems = await problemsOf("version: 1\ncode: {{ x }}.png\nsource: [a\n");
    expect(problems[0]).toContain('(write "{{ x }}.png")');
  });
});

describe("rules over several fields", () => {
  it.each([
    [
      "code: { qr_data: x, type: Text, dynamic: true }",
      "code.dynamic must be false for type Text, got true",
    ],
    [
      "code: { type: GS1, dynamic: false, gs1_product: { identifier_value: a, destination_url: b } }",
      "code.dynamic must be true for type GS1",
    ],
    ["code: { type: Link }", "code.qr_data must be given for type Link"],
    ["code: { type: vCard, qr_data: x }", "code.vcard must be given for type vCard"],
    ["code: { type: vCard, qr_data: x }", "code.qr_data must be left out for type vCard"],
    ["code: { type: vCard, vcard: { last_name: x } }", "code.vcard.first_name must be given"],
    ["code: { qr_data: x, gps_tracking: true }", "code.gps_tracking must go with a dynamic code"],
    ["code: { qr_data: x, domain: d.example }", "code.domain must go with a dynamic code"],
  ])("%s", async (code, expected) => {
    expect((await problemsOf(makeManifest({ code }))).join("\n")).toContain(expected);
  });

  it.each([
    ['output: { dir: "out/{{ date }}" }', "output.dir must be one fixed folder"],
    ["output: { file_name: x.png }", "output.file_name must be without extension"],
    [
      "output: { zip: { per: site, name: all.zip } }",
      "output.zip.name must contain the column of per",
    ],
    [
      'output: { zip: { name: "{{ site }}.zip" } }',
      'output.zip.name must name no column but that of per, got "site" (add "per: site")',
    ],
    [
      'output: { sheets: { per: site, name: "{{ site }}-{{ url }}.pdf" } }',
      'must name no column but that of per, got "url"',
    ],
    [
      "output: { index: { formats: [csv], pictures: true } }",
      "output.index.pictures must go with the format xlsx",
    ],
    [
      "output: { files: [], index: { pictures: true } }",
      "output.index.pictures must go with artwork",
    ],
    ["output: { index: { pictures: maybe } }", "output.index.pictures must be true or false"],
  ])("%s", async (output, expected) => {
    expect((await problemsOf(makeManifest({ output }))).join("\n")).toContain(expected);
  });

  it.each([
    ["stie", 'output.zip.per must name a column of the source, got "stie"', /did you mean "site"/u],
    ["date", 'output.zip.per must name a column of the source, got "date"', /columns: site, url/u],
  ])("columns that only the header can show: %s", async (column, message, hint) => {
    const job = await load(makeManifest({ output: `output: { zip: { per: ${column} } }` }));
    expect(checkTemplates(job, ["site", "url"])).toMatchObject([
      { message, hint: expect.stringMatching(hint) as string, where: { line: 6 } },
    ]);
    expect(checkTemplates(job, ["site", "url", column])).toEqual([]);
    const all = await problemsOf(
      makeManifest({ kind: "kind: cods", output: `output: { zip: { per: ${column} } }` }),
    );
    expect(all.join("\n")).toContain(message);
  });

  it("aliases that mean two columns", async () => {
    const source =
      "source: { file: a, columns: { site: { aliases: [URL, place] }, url: { aliases: [Place, link] } } }";
    const problems = await problemsOf(makeManifest({ source }));
    expect(problems.map((problem) => problem.replace(/^\S+ /u, ""))).toEqual([
      'source.columns.site.aliases[0] must mean one column, got "URL" twice ("URL" would mean both "url" and "site")',
      'source.columns.url.aliases[0] must mean one column, got "Place" twice ("Place" would mean both "site" and "url")',
    ]);
  });

  it("decimals of a column that holds no numbers", async () => {
    const source =
      'source: { file: a, columns: { site: { decimal: "," }, url: { type: number, decimal: "," } } }';
    const problems = await problemsOf(makeManifest({ source }));
    expect(problems.map((problem) => problem.replace(/^\S+ /u, ""))).toEqual([
      "source.columns.site.decimal must stand beside type: number or type: integer, got type: text (name the type, or take decimal out)",
    ]);
  });

  it("allows dates in names of groups", async () => {
    const output =
      'output: { zip: { name: "{{ date }}.zip" }, sheets: { per: site, name: "{{ month }}-{{ site }}.pdf" } }';
    expect((await load(makeManifest({ output }))).output.zip?.name).toBe("{{ date }}.zip");
  });
});

describe("templates", () => {
  it("are checked against declared columns, with the place of the placeholder", async () => {
    const code = `code:
  qr_data: "https://x.example/?a={{ url }}&b={{ nope }}"
  folder: a/{{ site }}/{{ sites }}
  tags: ["{{ site | slugg }}"]
  design:
    text: 'it''s {{ nah }}'`;
    expect((await problemsOf(makeManifest({ code }))).map((text) => text.split(",")[0])).toEqual([
      "6:46 code.qr_data must name a column of the source",
      "7:24 code.folder must name a column of the source",
      "8:11 code.tags[0]: filter must be one of slug",
      "10:11 code.design.text must name a column of the source",
    ]);
  });

  it("wait for the header when no columns are declared", async () => {
    const job = await load(
      makeManifest({
        source: "source: rows.csv",
        code: 'code: { qr_data: "{{ Link }}{{ nope }}{{ date }}" }',
      }),
    );
    expect(checkTemplates(job, ["Link", "site"])).toEqual([
      {
        message: 'code.qr_data must name a column of the source, got "nope"',
        hint: "columns: Link, site",
        where: { file: job.file, line: 5, column: 29, field: "code.qr_data" },
      },
    ]);
    expect(checkTemplates(job, ["Link", "nope"])).toEqual([]);
  });
});

describe("the environment", () => {
  const api = 'api: { base_url: "${MAKEREADY_BASE_URL}", workspace: "${MAKEREADY_WORKSPACE}" }';

  it("leaves the API to the embedded service when it is not set", async () => {
    expect((await load(makeManifest({ more: api }))).api).toEqual({});
    const env = { MAKEREADY_WORKSPACE: "w1" };
    expect((await load(makeManifest({ more: api }), { env })).api).toEqual({});
    const empty = { MAKEREADY_BASE_URL: "", MAKEREADY_WORKSPACE: "" };
    expect((await load(makeManifest(), { env: empty })).api).toEqual({});
  });

  it("fills it in", async () => {
    const env = { MAKEREADY_BASE_URL: "https://api.example/api/v2/", MAKEREADY_WORKSPACE: "w1" };
    const expected = { baseUrl: "https://api.example/api/v2", workspace: "w1" };
    expect((await load(makeManifest({ more: api }), { env })).api).toEqual(expected);
    expect((await load(makeManifest(), { env })).api).toEqual(expected);
  });

  it("goes flag, environment, manifest", async () => {
    const own = makeManifest({
      more: "api: { base_url: https://file.example, workspace: wf, token_file: t.txt }",
    });
    const env = { MAKEREADY_BASE_URL: "https://env.example" };
    const job = await load(own);
    expect(job.api).toEqual({
      baseUrl: "https://file.example",
      workspace: "wf",
      tokenFile: path.join(path.dirname(job.file), "t.txt"),
    });
    expect((await load(own, { env })).api.baseUrl).toBe("https://env.example");
    const flag = { env, baseUrl: "https://flag.example/" };
    expect((await load(own, flag)).api.baseUrl).toBe("https://flag.example");
  });

  it.each(["ftp://x", "nonsense", "https://user:pw@x.example/", "https://x.example/?a=b"])(
    "refuses %s as base URL, wherever it comes from",
    async (url) => {
      const byFile = await problemsOf(makeManifest({ more: `api: { base_url: "${url}" }` }));
      expect(byFile[0]).toContain("api.base_url must be an http or https address");
      const byEnv = await problemsOf(makeManifest(), { env: { MAKEREADY_BASE_URL: url } });
      expect(byEnv[0]).toContain("MAKEREADY_BASE_URL must be an http or https address");
      const byFlag = await problemsOf(makeManifest(), { baseUrl: url });
      expect(byFlag[0]).toContain("--base-url must be");
      expect([...byFile, ...byEnv, ...byFlag].join()).not.toContain("pw@");
    },
  );

  it("is put into values after parsing, so that it can break nothing", async () => {
    const env = { NAME: 'x", kind: "y', N: "4", EMPTY: "", SHARE: "0.5", ZEROS: "007" };
    const job = await load(
      makeManifest({
        name: 'name: "${NAME}"',
        source:
          'source: { file: "${DIR:-in}/rows.csv", key: [site], columns: { site: { default: "${EMPTY:-none}" }, url: { default: "${ZEROS}" } } }',
        code: 'code: { qr_data: "$${X} $5 {{ site }}", display_name: "${EMPTY}a" }',
        more: 'run:\n  concurrency: ${N}\n  settle: ${S:-3s}\n  share: "${SHARE}"',
      }),
      { env },
    );
    expect(job.name).toBe('x", kind: "y');
    expect(job.source.file.endsWith(path.join("in", "rows.csv"))).toBe(true);
    expect(job.source.columns["site"]?.default).toBe("none");
    expect(job.code).toMatchObject({ qrData: "${X} $5 {{ site }}", displayName: "a" });
    expect(job.run).toMatchObject({ concurrency: 4, settleMs: 3000, share: 0.5 });
    expect(job.source.columns["url"]?.default).toBe("007");
  });

  it("lists what is not set", async () => {
    const problems = await problemsOf(
      makeManifest({
        name: 'name: "${A}-${B}"',
        output: 'output: { dir: "${C:?set C to the output folder}" }',
      }),
    );
    expect(problems).toEqual([
      "2:7 variable ${A} must be set (set A, or give a default: ${A:-…})",
      "2:7 variable ${B} must be set (set B, or give a default: ${B:-…})",
      "6:16 set C to the output folder (set the variable C)",
    ]);
  });

  it("refuses what is no reference", async () => {
    expect((await problemsOf(makeManifest({ name: 'name: "${A"' })))[0]).toContain(
      "write $$ for a plain dollar sign",
    );
    expect((await problemsOf(makeManifest({ name: 'name: "${A B}"' })))[0]).toContain(
      "variable must be written",
    );
  });

  it("never lets a token in", async () => {
    const error = await failureOf(makeManifest({ name: 'name: "x${MAKEREADY_TOKEN}"' }), {
      env: { MAKEREADY_TOKEN: "hunter2" },
    });
    expect(error.problems[0]?.message).toBe(
      "manifest must not hold secrets, got ${MAKEREADY_TOKEN}",
    );
    expect(JSON.stringify(error)).not.toContain("hunter2");
  });
});

describe("--set and --out", () => {
  it("override single fields", async () => {
    const job = await load(makeManifest({ source: "source: rows.csv" }), {
      set: [
        "output.dir=elsewhere",
        "source.sheet=2",
        "output.files=[png]",
        "code.design.primary_color=#123",
        "code.qr_data={{ url }}?x=1",
        "run.concurrency=2",
        "run.concurrency=3",
        "output.zip.name=a.zip",
      ],
    });
    const base = path.dirname(job.file);
    expect(job.output).toMatchObject({ dir: path.join(base, "elsewhere"), files: ["png"] });
    expect(job.source).toMatchObject({ file: path.join(base, "rows.csv"), sheet: 2 });
    expect(job.code).toMatchObject({ qrData: "{{ url }}?x=1", design: { primary_color: "#123" } });
    expect(job.run.concurrency).toBe(3);
    expect(job.output.zip).toEqual({ per: null, name: "a.zip" });
  });

  it("name the flag when it is wrong", async () => {
    const error = await failureOf(makeManifest(), {
      set: ["run.concurrency=many", "nonsense", "run.shar=1", "output.files=[svg"],
    });
    expect(
      error.problems.map(({ where, message }) => [where?.file, message.split(",")[0]]),
    ).toEqual(
      expect.arrayContaining([
        ["--set run.concurrency=many", "run.concurrency must be a whole number from 1 to 64"],
        ["--set nonsense", "--set must be written FIELD=VALUE"],
        ["--set run.shar=1", "run.shar must be a known field"],
      ]),
    );
    expect(error.problems.some(({ where }) => where?.file === "--set output.files=[svg")).toBe(
      true,
    );
  });

  it("take --out from the current folder", async () => {
    const job = await load(makeManifest(), { out: "some/where", set: ["output.dir=x"] });
    expect(job.output.dir).toBe(path.resolve("some/where"));
  });
});

describe("files that are no manifest", () => {
  it.each([
    ["empty", "", "must not be empty"],
    ["blank", " \n\n", "must not be empty"],
    ["remarks only", "# nothing\n", "must not be empty"],
    ["text", "hello", 'manifest must be a map (key: value), got "hello"'],
    ["a list", "- a\n- b\n", "manifest must be a map (key: value), got a list"],
    ["binary", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), "must be UTF-8 text"],
    ["text with NUL", "version: 1\u0000", "must be UTF-8 text"],
    ["another encoding", new Uint8Array([0x6e, 0xfc, 0x0a]), "must be UTF-8 text"],
    ["far too long", `# ${"x".repeat(600_000)}`, "must have at most 512 KB"],
    ["several documents", "version: 1\n---\nversion: 1\n", "multiple documents"],
  ])("%s", async (_name, content, expected) => {
    const error = await failureOf(content);
    expect(error.code).toBe("manifest-invalid");
    expect(error.problems.map(({ message }) => message).join("\n")).toContain(expected);
  });

  it("missing, or a folder", async () => {
    expect((await failureOfFile("/nowhere/job.yaml")).message).toContain(
      "must be a file that exists",
    );
    writeFileSync(path.join(folder, "near.yaml"), "version: 1\n");
    expect((await failureOfFile(path.join(folder, "near.yml"))).hint).toBe(
      "near.yaml lies there: name that",
    );
    const { message, hint } = await failureOfFile(folder);
    expect(message).toContain("must be a file, not a folder");
    expect(hint).toBe("name the manifest in it, or rename the folder");
  });

  it("a spreadsheet is no manifest; init writes one for it", async () => {
    for (const name of ["tables.CSV", "tables.xlsm", "tables.numbers"]) {
      const file = path.join(folder, name);
      writeFileSync(file, "table;link\n1;https://a.example\n");
      const { message, hint } = await failureOfFile(file);
      expect(message).toContain("manifest must be YAML or JSON");
      expect(hint).toContain("makeready init");
    }
  });

  it("reads a byte order mark and CRLF", async () => {
    const job = await load(`\uFEFF${makeManifest().replaceAll("\n", "\r\n")}\r\n`);
    expect(job.name).toBe("menu");
  });
});

describe("lists of two lengths", () => {
  const RULE = "must be a list of 2 numbers";
  it.each([
    ["label: 277x400mm", `label ${RULE}, got "277x400mm"`, "write [277, 400]"],
    ["label: 63.5 x 33.9 mm", `label ${RULE}, got "63.5 x 33.9 mm"`, "write [63.5, 33.9]"],
    ["label: [277]", `label ${RULE}, got a list`, undefined],
    ["label: { a: 1 }", `label ${RULE}, got a map`, undefined],
    ["label: [50, 50], gutter: [1]", `gutter ${RULE}, got a list`, undefined],
    ["label: [50, 50], page: 297x420", 'or a list of 2 numbers, got "297x420"', "write [297, 420]"],
  ])("%s is refused in a sentence", async (fields, message, hint) => {
    const output = `output:\n  sheets: { sheet: { ${fields} } }`;
    const [problem, ...more] = await problemsOf(makeManifest({ output }));
    expect(more).toEqual([]);
    expect(problem).toContain(`${message}${hint === undefined ? "" : ` (${hint})`}`);
  });
});
