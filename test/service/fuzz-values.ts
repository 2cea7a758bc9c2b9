/** Values for requests made from our OpenAPI file: by what a field is called, and by its schema. */
import * as fc from "../help/property.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- JSON Schema is probed by path
export type Json = any;

export const UNKNOWN = "00000000-0000-4000-8000-ffffffffffff";
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
export const PDF = Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64");

/** Ids of a tenant: path parameter -> its thing, and all of them. */
export interface Tenant {
  readonly workspace: string;
  readonly byParam: Readonly<Record<string, string>>;
}

const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", " ", "\u0000", "\ud800", "../..", "%", "%00", "'\"--", "none", "constructor"),
);
const text = fc.string({ unit: "grapheme", maxLength: 30 });
const url = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    "https://files.example/a.png",
    "https://files.example/a.pdf",
    "mailto:a@b.example",
  ),
);
const color = fc.nat({ max: 0xff_ff_ff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);
const moment = fc.constantFrom("2026-11-01", "2026-11-20T08:00:00Z", "2026-11-21T00:00:00+01:00");
const gtin = fc.constantFrom("9506000134352", "04006381333931", "5901234123457");

/** name of a string field -> what fits */
const byName: [RegExp, fc.Arbitrary<string>][] = [
  [/_color$/u, color],
  [/_url$|^url$|^link$|^qr_data$/u, url],
  [/^pdf_base64$/u, fc.constant(PDF)],
  [/^logo_base64$/u, fc.constantFrom(PNG, `data:image/png;base64,${PNG}`)],
  [/^identifier_value$/u, gtin],
  [/^identifier_type$/u, fc.constantFrom("01", "00", "414")],
  [/^expiry_date$/u, fc.constantFrom("261120", "270100")],
  [/^batch_lot$|^serial_number$/u, fc.stringMatching(/^[A-Z0-9]{1,10}$/u)],
  [/^slug$/u, fc.stringMatching(/^[a-z0-9-]{1,12}$/u)],
  [/^domain$/u, fc.constant("go.example")],
  [/^language$/u, fc.constantFrom("de", "en-GB")],
  [/^media_type$/u, fc.constantFrom("text/html", "application/json")],
  [/^template$/u, fc.constantFrom("classic", "scan-card", "dots")],
  [/^text(?:_secondary)?$/u, fc.constantFrom("SCAN ME", "Menü", "")],
  [/^(?:start|end)$/u, moment],
  [/^include$/u, fc.constantFrom("scans", "tags", "scans,tags", "")],
  [/^subfolders$/u, fc.constantFrom("true", "false", "1", "0")],
  [/^format$/u, fc.constantFrom("png", "svg")],
  [/^page$/u, fc.constantFrom("1", "1", "1", "2", "9999")],
  [/^(?:page_size|top)$/u, fc.integer({ min: 1, max: 100 }).map(String)],
  [/^days$/u, fc.integer({ min: 1, max: 365 }).map(String)],
  [
    /^q$/u,
    fc.oneof(fc.constantFrom("mine", "e", "example.com", "https://go.example/2", "%"), text),
  ],
];

export class Values {
  readonly #own: Tenant;
  readonly #foreign: Tenant;

  constructor(own: Tenant, foreign: Tenant) {
    this.#own = own;
    this.#foreign = foreign;
  }

  /** Any id, valid or not. */
  id(): fc.Arbitrary<string> {
    return fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...Object.values(this.#own.byParam)) },
      { weight: 2, arbitrary: fc.constantFrom(...Object.values(this.#foreign.byParam)) },
      fc.constant(UNKNOWN),
      odd,
    );
  }

  /** Mostly the id that belongs there. */
  param(name: string): fc.Arbitrary<string> {
    const right = this.#own.byParam[name] ?? UNKNOWN;
    return fc.oneof({ weight: 4, arbitrary: fc.constant(right) }, this.id());
  }

  /** Mostly what fits a field of that name. */
  string(name: string): fc.Arbitrary<string> {
    const { workspace, byParam } = this.#own;
    if (name === "workspace")
      return fc.oneof({ weight: 9, arbitrary: fc.constant(workspace) }, this.id());
    const references = [byParam["folder_id"], byParam["tag_id"], byParam["product_id"], "none"];
    const known =
      name === "folder" || name === "parent"
        ? fc.constant(byParam["folder_id"] ?? "")
        : /^(?:id|gs1_product)$/u.test(name)
          ? fc.constantFrom(...references.filter((one) => one !== undefined))
          : (byName.find(([pattern]) => pattern.test(name))?.[1] ?? text);
    return fc.oneof({ weight: 20, arbitrary: known }, text, odd);
  }

  /** A value that fits the schema, as far as schema and name say what fits. */
  fit(schema: Json, name: string): fc.Arbitrary<unknown> {
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.anyOf !== undefined) {
      return fc.oneof(...schema.anyOf.map((one: Json) => this.fit(one, name)));
    }
    const [type, ...more] = Array.isArray(schema.type) ? schema.type : [schema.type];
    if (more.length > 0) {
      return fc.oneof(...[type, ...more].map((one) => this.fit({ ...schema, type: one }, name)));
    }
    switch (type) {
      case "object":
        return this.#fitObject(schema);
      case "array":
        // Short lists are right more often.
        return fc.array(this.fit(schema.items ?? {}, name), {
          minLength: schema.minItems ?? 0,
          maxLength: 2,
        });
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "number":
      case "integer":
        return fc.integer({ min: Math.max(schema.minimum ?? 0, 0), max: 400 });
      case "string":
        return this.string(name);
      default:
        return fc.oneof(text, fc.integer(), this.id());
    }
  }

  #fitObject({ properties = {}, required = [] }: Json): fc.Arbitrary<unknown> {
    const names = Object.keys(properties);
    const fields = Object.fromEntries(
      names.map((name) => [name, this.fit(properties[name], name)]),
    );
    const needed = [...required, ...names.filter((name) => name === "qr_data")];
    const all = fc.record(fields, { requiredKeys: needed });
    // Few fields at once are right more often.
    const parts = Math.ceil(names.length / 3);
    return fc.tuple(all, fc.nat({ max: parts })).map(([body, keep]) => {
      const kept = names.filter((name, at) => needed.includes(name) || at % (parts + 1) === keep);
      return Object.fromEntries(Object.entries(body).filter(([name]) => kept.includes(name)));
    });
  }

  /** The fitting body, or the same with one field replaced by anything, or anything at all. */
  body(schema: Json): fc.Arbitrary<unknown> {
    const right = this.fit(schema, "");
    const names = Object.keys(schema.properties ?? {});
    const anything = fc.jsonValue({ maxDepth: 3 });
    const broken =
      names.length === 0
        ? anything
        : fc
            .tuple(right, fc.constantFrom(...names), anything)
            .map(([body, name, value]) => ({ ...(body as object), [name]: value }));
    return fc.oneof({ weight: 6, arbitrary: right }, { weight: 3, arbitrary: broken }, anything);
  }

  query(parameters: readonly Json[]): fc.Arbitrary<string> {
    const fields = parameters
      .filter((parameter) => parameter.in === "query")
      .map(({ name, required }: Json) => {
        const value = fc.oneof({ weight: 9, arbitrary: this.string(name) }, this.id());
        const weight = required === true ? 20 : 1;
        const given = fc.oneof({ weight, arbitrary: value }, fc.constant(undefined));
        return [name, given] as const;
      });
    return fc.record(Object.fromEntries(fields)).map((query) =>
      Object.entries(query)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => `${name}=${encodeURIComponent(String(each).toWellFormed())}`)
        .join("&"),
    );
  }
}
