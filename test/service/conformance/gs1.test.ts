/**
 * GS1 products against docs/spec/api.md sections 2.12 and 4.9 and
 * docs/spec/gs1.md sections 1, 4 and 6, type by type, on one service.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { computeCheckDigit } from "../../../src/gs1/check-digit.ts";
import { computeGmnPair } from "../../../src/gs1/gmn.ts";

import {
  makeService,
  PUBLIC_URL,
  type Answer,
  type TestService,
  type Wire,
} from "../make-service.ts";

const withCheck = (digits: string): string => `${digits}${computeCheckDigit(digits)}`;
const GLN = withCheck("950600013435");
const GTIN = withCheck("0950600013435");
const GSRN = withCheck("95060001343521234");
const GMN = "9506ABC";
const DESTINATION = "https://example.com/p";

interface Type {
  readonly label: string;
  readonly value: string;
  /** Values that break one rule each. */
  readonly bad: readonly string[];
  /** Of batch_lot, serial_number and expiry_date. */
  readonly takes: readonly string[];
  /** Path qualifiers that the resolver takes, besides none. */
  readonly qualifiers: readonly string[];
}

/** The last digit replaced by another. */
const spoil = (value: string, at = value.length - 1): string =>
  `${value.slice(0, at)}${(Number(value[at]) + 1) % 10}${value.slice(at + 1)}`;

/** docs/spec/gs1.md section 1, row by row. */
const types: Readonly<Record<string, Type>> = {
  "00": {
    label: "SSCC",
    value: withCheck("10614141123456789"),
    bad: [
      spoil(withCheck("10614141123456789")),
      "0".repeat(17),
      "0".repeat(19),
      `1X614141${"0".repeat(10)}`,
    ],
    takes: [],
    qualifiers: [],
  },
  "01": {
    label: "GTIN",
    value: GTIN,
    bad: [spoil(GTIN), "1", "0".repeat(15), GTIN.replace("0", "A")],
    takes: ["batch_lot", "serial_number", "expiry_date"],
    qualifiers: [
      "/22/V",
      "/10/L",
      "/21/S",
      "/22/V/10/L",
      "/22/V/21/S",
      "/10/L/21/S",
      "/22/V/10/L/21/S",
      "/235/T",
    ],
  },
  "253": {
    label: "GDTI",
    value: `${GLN}ABC`,
    bad: [
      spoil(`${GLN}ABC`, 12),
      `${GLN}${"A".repeat(18)}`,
      GLN.slice(1),
      `${GLN} `,
      `AB${GLN.slice(2)}`,
    ],
    takes: [],
    qualifiers: [],
  },
  "255": {
    label: "GCN",
    value: `${GLN}123`,
    bad: [spoil(`${GLN}123`, 12), `${GLN}${"1".repeat(13)}`, `${GLN}A`],
    takes: ["expiry_date"],
    qualifiers: [],
  },
  "401": {
    label: "GINC",
    value: "9506ABC",
    bad: ["950", "ABCDEF", `9506${"A".repeat(27)}`, "9506#"],
    takes: [],
    qualifiers: [],
  },
  "402": {
    label: "GSIN",
    value: withCheck("9506000134352345"),
    bad: [spoil(withCheck("9506000134352345")), "9".repeat(18), "9".repeat(16)],
    takes: [],
    qualifiers: [],
  },
  "414": {
    label: "GLN",
    value: GLN,
    bad: [spoil(GLN), GLN.slice(1), `0${GLN}`],
    takes: [],
    qualifiers: ["/254/E", "/7040/1AB-"],
  },
  "417": {
    label: "Party GLN",
    value: GLN,
    bad: [spoil(GLN), GLN.slice(1), `0${GLN}`],
    takes: [],
    qualifiers: ["/7040/1ABC"],
  },
  "8003": {
    label: "GRAI",
    value: `0${GLN}X`,
    bad: [`1${GLN}X`, spoil(`0${GLN}X`, 13), `0${GLN}${"X".repeat(17)}`],
    takes: [],
    qualifiers: [],
  },
  "8004": {
    label: "GIAI",
    value: "9506ABC",
    bad: ["950", "ABCDEF", `9506${"A".repeat(27)}`, "9506#"],
    takes: [],
    qualifiers: ["/7040/1ABC"],
  },
  "8006": {
    label: "ITIP",
    value: `${GTIN}0102`,
    bad: [`${spoil(GTIN)}0102`, `${GTIN}0002`, `${GTIN}0100`, `${GTIN}0302`, GTIN],
    takes: ["batch_lot", "serial_number", "expiry_date"],
    qualifiers: ["/22/V", "/10/L", "/21/S", "/22/V/10/L/21/S"],
  },
  "8013": {
    label: "GMN",
    value: `${GMN}${computeGmnPair(GMN)}`,
    bad: [`${GMN}XX`, "ABC22", `9506${"A".repeat(24)}`],
    takes: [],
    qualifiers: [],
  },
  "8017": {
    label: "GSRN Provider",
    value: GSRN,
    bad: [spoil(GSRN), GSRN.slice(1), `0${GSRN}`],
    takes: [],
    qualifiers: ["/8019/12"],
  },
  "8018": {
    label: "GSRN Recipient",
    value: GSRN,
    bad: [spoil(GSRN), GSRN.slice(1), `0${GSRN}`],
    takes: [],
    qualifiers: ["/8019/1234567890"],
  },
};
const longest: Readonly<Record<string, string>> = {
  "253": `${GLN}${"A".repeat(17)}`,
  "255": `${GLN}${"1".repeat(12)}`,
  "401": `9506${"A".repeat(26)}`,
  "8003": `0${GLN}${"A".repeat(16)}`,
  "8004": `9506${"A".repeat(26)}`,
  "8006": `${GTIN}0202`,
  "8013": `9506${"A".repeat(19)}${computeGmnPair(`9506${"A".repeat(19)}`)}`,
};
const optional = { batch_lot: "B1", serial_number: "S1", expiry_date: "270131" };

let service: TestService;
beforeAll(async () => {
  service = await makeService();
});
afterAll(() => service.close());

const register = (fields: Record<string, unknown>): Promise<Answer> =>
  service.send("POST", "/gs1/products/", { workspace: service.workspace, ...fields });
const visit = (path: string) =>
  service.fetch(new Request(`${PUBLIC_URL}${path}`, { redirect: "manual" }));

describe.each(Object.entries(types))("identifier_type %s", (type, { label, value, ...rules }) => {
  const product = { identifier_type: type, identifier_value: value };

  it("is registered with label and path (docs/spec/api.md sections 2.12 and 4.9)", async () => {
    const { status, body } = await register(product);
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String) as string,
        ...product,
        batch_lot: null,
        serial_number: null,
        expiry_date: null,
        identifier_label: label,
        digital_link_path: `/${type}/${value}`,
        link_types: [],
        created: "2026-11-20T08:00:00.000Z",
      },
    ]);
    const long = longest[type];
    if (long !== undefined) {
      expect((await register({ ...product, identifier_value: long })).status).toBe(201);
    }
  });

  it.each(["", "12345678901234567890123456789012", ...rules.bad])(
    "refuses %j, naming identifier_value (docs/spec/gs1.md section 4)",
    async (bad) => {
      const { status, body } = await register({ ...product, identifier_value: bad });
      expect([status, Object.keys(body)]).toEqual([400, ["identifier_value"]]);
    },
  );

  it.each(Object.entries(optional))("takes %s or says that it doesn't", async (name, given) => {
    const { status, body } = await register({ ...product, [name]: given });
    if (rules.takes.includes(name)) {
      expect([status < 300, body[name]]).toEqual([true, given]);
      const ai = { batch_lot: "/10/B1", serial_number: "/21/S1" }[name] ?? "";
      expect(body.digital_link_path).toBe(`/${type}/${value}${ai}`);
    } else expect([status, Object.keys(body)]).toEqual([400, [name]]);
  });

  it("is resolved, with every qualifier of the key (docs/spec/gs1.md section 6)", async () => {
    await register({ ...product, destination_url: DESTINATION });
    for (const qualifiers of ["", ...rules.qualifiers]) {
      const path = `/${type}/${value}${qualifiers}`;
      const { status, headers } = await visit(path);
      expect([path, status, headers.get("location")]).toEqual([path, 307, DESTINATION]);
    }
    for (const foreign of ["/99/X", "/10/L/22/V", "/8019/A"]) {
      expect((await visit(`/${type}/${value}${foreign}`)).status).toBe(400);
    }
  });
});

describe("batch_lot and serial_number (docs/spec/gs1.md sections 1 and 4)", () => {
  const marks = "!\"%&'()*+,-./:;<=>?";
  it.each(["batch_lot", "serial_number"])(
    "%s: 1 to 20 of CSET 82, as it is written",
    async (name) => {
      for (const good of ["A", "A".repeat(20), marks, "_az09", "a"]) {
        const { status, body } = await register({ identifier_value: GTIN, [name]: good });
        expect([status, body[name]]).toEqual([201, good]);
      }
      const path = (await register({ identifier_value: GTIN, [name]: marks })).body
        .digital_link_path;
      expect(path).toContain("/%21%22%25%26%27%28%29%2A%2B%2C-.%2F%3A%3B%3C%3D%3E%3F");
      for (const bad of [
        "",
        " ",
        "a b",
        "a#",
        "a$",
        "a@",
        "a~",
        "a^",
        "a`",
        "a\\",
        "ä",
        ".",
        "..",
        "A".repeat(21),
        5,
      ]) {
        const { status, body } = await register({ identifier_value: GTIN, [name]: bad });
        expect([bad, status, Object.keys(body)]).toEqual([bad, 400, [name]]);
      }
    },
  );
});

describe("expiry_date: YYMMDD, a day of the calendar or 00 (docs/spec/api.md section 2.12)", () => {
  it.each(["270131", "240229", "000229", "270100", "991231"])("%s", async (expiry_date) => {
    const { status, body } = await register({
      identifier_value: GTIN,
      batch_lot: "E",
      expiry_date,
    });
    expect([status < 300, body.expiry_date]).toEqual([true, expiry_date]);
    expect(body.digital_link_path).toBe(`/01/${GTIN}/10/E`);
  });

  it.each([
    "",
    "27013",
    "2701311",
    "270001",
    "271301",
    "270132",
    "270431",
    "250229",
    "2027-01-31",
    "x",
    270131,
  ])("not %j", async (expiry_date) => {
    const { status, body } = await register({ identifier_value: GTIN, expiry_date });
    expect([status, Object.keys(body)]).toEqual([400, ["expiry_date"]]);
  });
});

describe("link types (docs/spec/api.md sections 2.12 and 4.9)", () => {
  const names =
    "gs1:pip gs1:quickStartGuide gs1:instructions gs1:safetyInfo gs1:recipeInfo gs1:traceability gs1:hasRetailers gs1:recallStatus gs1:review gs1:ePIL gs1:productSustainabilityInfo gs1:promotion gs1:masterData gs1:smpc gs1:certificationInfo gs1:registerProduct".split(
      " ",
    );
  let path: string;
  beforeAll(async () => {
    const { body } = await register({ identifier_value: withCheck("0950600013488") });
    path = `/gs1/products/${body.id}/`;
  });
  const link = { title: "T", destination_url: DESTINATION };
  const add = (fields: Record<string, unknown>) =>
    service.send("POST", `${path}links/`, { ...link, ...fields });
  const read = async (): Promise<Wire[]> => (await service.get(path)).body.link_types;

  it.each(names)("%s is taken and echoed, with the defaults of the table", async (name) => {
    const { status, body } = await add({ link_type: name });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String) as string,
        link_type: name,
        ...link,
        is_default: name === names[0],
        language: null,
        media_type: "text/html",
      },
    ]);
    expect((await read()).find((one) => one.link_type === name)).toEqual(body);
  });

  it("there is one default, whichever is set, unset or deleted (rules 2 to 4)", async () => {
    const all = await read();
    expect(all).toHaveLength(16);
    for (const [n, { id }] of all.entries()) {
      const at = `${path}links/${id}/`;
      const set = await service.send("PATCH", at, { is_default: true });
      expect([set.status, set.body.is_default]).toEqual([200, true]);
      expect((await read()).filter((one) => one.is_default).map((one) => one.id)).toEqual([id]);
      await service.send("PATCH", at, { is_default: false });
      expect((await read()).filter((one) => one.is_default)).toHaveLength(1);
      await service.send("PATCH", at, { is_default: true });
      expect((await service.send("DELETE", at)).status).toBe(204);
      expect((await read()).filter((one) => one.is_default)).toHaveLength(n === 15 ? 0 : 1);
    }
  });

  it("PATCH changes each field and keeps the others", async () => {
    const { body } = await add({ link_type: "gs1:pip" });
    let now = body;
    for (const change of [
      { title: "New" },
      { destination_url: "https://example.com/new" },
      { language: "de" },
      { language: "de-AT" },
      { language: null },
      { media_type: "application/pdf" },
      { link_type: "gs1:smpc" },
    ]) {
      const answer = await service.send("PATCH", `${path}links/${body.id}/`, change);
      now = { ...now, ...change };
      expect([answer.status, answer.body]).toEqual([200, now]);
      expect(await read()).toEqual([now]);
    }
  });

  it.each<[string, readonly unknown[]]>([
    ["link_type", ["", "pip", "gs1:PIP", "gs1:epil", "gs1:none", "all", 5]],
    ["title", ["", " ", 5]],
    [
      "destination_url",
      ["", "x", "/p", "//a.example", "javascript:alert(1)", "ftp://a.example/", 5],
    ],
    ["is_default", ["yes", 1]],
    ["language", ["", "german", "fil", "zh-Hant", "de_AT", "DE", 5]],
    ["media_type", ["", "html", "text/", "text/html; charset=utf-8", 5]],
  ])("%s is refused by POST and PATCH when it is one of %j", async (name, values) => {
    const { body: there } = await add({ link_type: "gs1:smpc" });
    for (const value of values) {
      const posted = await add({ link_type: "gs1:smpc", [name]: value });
      expect([value, posted.status, Object.keys(posted.body)]).toEqual([value, 400, [name]]);
      const at = `${path}links/${there.id}/`;
      const patched = await service.send("PATCH", at, { [name]: value });
      expect([value, patched.status, Object.keys(patched.body)]).toEqual([value, 400, [name]]);
    }
  });

  it("link_type, title and destination_url are required (POST)", async () => {
    const { status, body } = await service.send("POST", `${path}links/`, {});
    expect([status, Object.keys(body).toSorted()]).toEqual([
      400,
      ["destination_url", "link_type", "title"],
    ]);
  });
});

describe("the list (docs/spec/api.md section 4.9)", () => {
  it("is paginated, newest first, each product with its link types", async () => {
    const path = `/workspace/${service.workspace}/gs1/products/`;
    const { body: last } = await register({
      identifier_value: withCheck("0950600013499"),
      destination_url: DESTINATION,
    });
    const { body } = await service.get(`${path}?page_size=2`);
    expect([body.results.length, body.results[0]]).toEqual([2, last]);
    expect(body.count).toBeGreaterThan(20);
    expect(new URL(body.next).searchParams.get("page")).toBe("2");
    expect((await service.get(`/gs1/products/${last.id}/`)).body).toEqual(last);
  });
});

it("all faults of one body are reported in one answer (docs/spec/gs1.md section 4)", async () => {
  const { status, body } = await register({
    identifier_type: "414",
    identifier_value: spoil(GLN),
    ...optional,
    destination_url: "x",
  });
  expect([status, Object.keys(body).toSorted()]).toEqual([
    400,
    ["batch_lot", "destination_url", "expiry_date", "identifier_value", "serial_number"],
  ]);
});

describe("the domain (2.12 rule 3, 4.9)", () => {
  it("is set by the service and can't be changed", async () => {
    const given = { identifier_value: withCheck("0950600013477"), destination_url: DESTINATION };
    const { body: made } = await register({ ...given, domain: "id.example.com" });
    const at = `/gs1/products/${made.id}/`;
    const patched = await service.send("PATCH", at, { domain: "id.example.com" });
    expect([patched.status, patched.body]).toEqual([200, made]);
    expect((await register({ ...given, domain: "other.example.com" })).body.id).toBe(made.id);
    const { body: own } = await service.get(`${at}linkset/`);
    expect(own.linkset[0].anchor).toBe(`${PUBLIC_URL}${made.digital_link_path}`);
  });

  it("of a linkset moves its anchors and nothing else", async () => {
    const value = withCheck("0950600013477");
    const { body: made } = await register({ identifier_value: value, batch_lot: "A/B" });
    const path = `/gs1/products/${made.id}/linkset/`;
    const { body: own } = await service.get(path);
    const { body: moved, headers } = await service.get(`${path}?domain=id.example.com`);
    const text = JSON.stringify(own).replaceAll(PUBLIC_URL, "https://id.example.com");
    expect(moved).toEqual(JSON.parse(text));
    expect(moved.linkset).toHaveLength(2);
    expect(headers.get("content-type")).toBe("application/linkset+json");
  });
});

it("only a redirect is a scan, of the code of the product that answered (docs/spec/gs1.md section 6)", async () => {
  const identifier_value = withCheck("0950600013466");
  const gs1_product = { identifier_value, destination_url: DESTINATION };
  const code = await service.code({ qr_type: "GS1", qr_data: undefined, gs1_product });
  const path = `/01/${identifier_value}`;
  const ask = async (target: string, init: RequestInit = {}): Promise<number> => {
    const request = new Request(`${PUBLIC_URL}${target}`, { redirect: "manual", ...init });
    const { status } = await service.fetch(request);
    await service.clock.advance(200);
    return status;
  };
  const statuses = [
    await ask(path, { method: "HEAD" }),
    await ask(path, { method: "OPTIONS" }),
    await ask(path, { method: "POST" }),
    await ask(path, { headers: { accept: "application/linkset+json" } }),
    await ask(`${path}?linkType=linkset`),
    await ask(`${path}?linkType=gs1:review`),
    await ask(`${path}/foo`),
  ];
  expect(statuses).toEqual([307, 204, 405, 200, 200, 404, 400]);
  const count = async (): Promise<number> =>
    (await service.get(`/qrcode/${code.id}/activity/`)).body.results.length;
  expect(await count()).toBe(0);
  for (const target of [path, `${path}/10/L`, `${path}?linkType=gs1:pip`]) await ask(target);
  expect(await count()).toBe(3);
});
