/**
 * The resolver against GS1's conformance list (docs/spec/gs1.md section 6): one test per
 * requirement, the official suite's check restated. Linksets are validated with GS1's own schema.
 */
import { readFileSync } from "node:fs";

import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { computeCheckDigit } from "../../src/gs1/check-digit.ts";
import { identifierTypes } from "../../src/gs1/identifiers.ts";
import { linkTypes, toVocabularyUri } from "../../src/gs1/link-types.ts";
import { makeService, PUBLIC_URL, type TestService, type Wire } from "./make-service.ts";

const GTIN = "09506000134352";
const DESTINATION = "https://example.com/p";
const LINKSET = "application/linkset+json";
const HTML = "text/html; charset=utf-8";
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const readData = (name: string): Wire =>
  JSON.parse(readFileSync(new URL(`../gs1/data/linkset/${name}.json`, import.meta.url), "utf8"));

const ajv = new Ajv({ strict: false, allErrors: true });
const isLinkset = ajv.compile(readData("gs1-linkset-schema"));

let service: TestService;
beforeAll(async () => {
  service = await makeService();
  await register({ destination_url: DESTINATION });
  const lot = await register({ batch_lot: "LOT1" });
  await addLink(lot.id, {
    link_type: "gs1:recallStatus",
    destination_url: "https://example.com/r",
  });
});
afterAll(() => service.close());

async function register(fields: Record<string, unknown>): Promise<Wire> {
  const body = { workspace: service.workspace, identifier_value: GTIN, ...fields };
  const answer = await service.send("POST", "/gs1/products/", body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
}

async function addLink(id: string, fields: Record<string, unknown>): Promise<void> {
  const body = { link_type: "gs1:pip", title: "A", destination_url: DESTINATION, ...fields };
  expect((await service.send("POST", `/gs1/products/${id}/links/`, body)).status).toBe(200);
}

const visit = (path: string, init: RequestInit = {}) =>
  service.fetch(new Request(`${PUBLIC_URL}${path}`, { redirect: "manual", ...init }));

/** Status and Link header of OPTIONS. */
async function askOptions(path: string): Promise<[number, string | null]> {
  const { status, headers } = await visit(path, { method: "OPTIONS" });
  return [status, headers.get("link")];
}

const linksetOf = async (path: string): Promise<Wire> =>
  (await visit(path, { headers: { accept: LINKSET } })).json();

describe("GS1's schema", () => {
  it("is the judge that its own examples expect", () => {
    expect(isLinkset(readData("valid-gs1-example"))).toBe(true);
    expect(isLinkset(readData("modelLinkset"))).toBe(true);
    for (const name of ["invalid-gs1-example", "invalid-basic-example", "valid-basic-example"]) {
      expect([name, isLinkset(readData(name))]).toEqual([name, false]);
    }
  });
});

describe("methods, CORS and faults", () => {
  it("GET redirects, HEAD says the same without a body, OPTIONS 204, others 405 (methodsCheck)", async () => {
    const [get, head] = [
      await visit(`/01/${GTIN}`),
      await visit(`/01/${GTIN}`, { method: "HEAD" }),
    ];
    expect([get.status, head.status]).toEqual([307, 307]);
    expect(head.headers.get("location")).toBe(get.headers.get("location"));
    expect(await head.text()).toBe("");
    const options = await visit(`/01/${GTIN}`, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect((await visit(`/01/${GTIN}`, { method })).status).toBe(405);
    }
  });

  it.each([
    ["a redirect", `/01/${GTIN}`, {}],
    ["a linkset", `/01/${GTIN}?linkType=linkset`, {}],
    ["OPTIONS", `/01/${GTIN}`, { method: "OPTIONS" }],
    ["a fault", `/01/${GTIN}/foo`, {}],
    ["an unknown item", "/01/09506000134376", {}],
    ["a method that is not allowed", `/01/${GTIN}`, { method: "POST" }],
    ["the description", "/.well-known/gs1resolver", {}],
    ["the context", "/context.jsonld", {}],
  ])("lets every page read %s (corsCheck), and varies by Accept", async (_, path, init) => {
    const { headers } = await visit(path, init);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
    expect(headers.get("access-control-expose-headers")).toBe("Link, Location");
    expect(headers.get("vary")).toBe("Accept");
  });

  it.each(["/.well-known/gs1resolver", "/context.jsonld"])(
    "%s takes GET, HEAD and OPTIONS like every other answer (methodsCheck)",
    async (path) => {
      const statuses: unknown[] = [];
      for (const method of ["GET", "HEAD", "OPTIONS", "POST", "DELETE"]) {
        const { status, headers } = await visit(path, { method });
        statuses.push([status, headers.get("allow")]);
      }
      const allow = "GET, HEAD, OPTIONS";
      expect(statuses).toEqual([
        [200, null],
        [200, null],
        [204, allow],
        [405, allow],
        [405, allow],
      ]);
    },
  );

  it("gives the API no CORS headers: it is for back ends only", async () => {
    const { headers } = await service.get(`/workspace/${service.workspace}/gs1/products/`);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  it.each([
    "/01",
    "/8004/",
    `/01/${GTIN}/foo`,
    `/01/${GTIN}/10`,
    `/01/${GTIN}//10/A`,
    `/01/${GTIN}/21/A/10/B`,
    "/01/09506000134353",
    "/01/9506000134352",
    "/414/9506000134352/10/A",
    "/417/9506000134352/254/A",
    `/01/${GTIN}?17=261320`,
    `/01/${GTIN}?10=A`,
    `/01/${GTIN}?8200=A`,
    `/01/${GTIN}?999=A`,
  ])("%s is a 400 with a reason", async (path) => {
    const answer = await visit(path);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      detail: expect.stringMatching(/^[A-Z].+\.$/u) as string,
    });
  });

  it.each([
    ["/AQnYUc1gmg", "use the link as it was before compression"],
    ["/some/stem/AQnYUc1gmiCNV4JGQhcNT6K6c", "use the link as it was before compression"],
    ["/AN2yxDhfaiaw/", "use the link as it was before compression"],
    // Only what is behind the key is compressed.
    [`/01/${GTIN}/IjVeCRg`, "use the link as it was before compression"],
  ])(
    "%s is compressed, which is not unpacked: 400 with a reason, readable by every page",
    async (path, reason) => {
      const answer = await visit(path);
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([
        400,
        "*",
      ]);
      expect(await answer.json()).toEqual({
        detail: expect.stringContaining(reason) as string,
      });
      const page = await visit(path, { headers: { accept: BROWSER } });
      expect([page.status, page.headers.get("content-type")]).toEqual([400, HTML]);
      expect(await page.text()).toContain(reason);
      // As any other Digital Link does.
      const other = await Promise.all(
        ["OPTIONS", "POST"].map(async (method) => (await visit(path, { method })).status),
      );
      expect(other).toEqual([204, 405]);
    },
  );

  it("takes a value that looks compressed for the value it is", async () => {
    expect((await visit(`/01/${GTIN}/21/AQnYUc1gmg`)).status).toBe(307);
  });

  it.each([
    ["/01/09506000134376", 404, "Unknown product", "Not registered."],
    [`/01/${GTIN}?linkType=gs1:review`, 404, "Nothing to show", "There is no such link."],
    ["/01/09506000134353", 400, "This is no working product code", expect.any(String)],
  ])("%s answers browsers with a page, programs with JSON", async (path, status, title, detail) => {
    const page = await visit(path, { headers: { accept: BROWSER } });
    expect([page.status, page.headers.get("content-type")]).toEqual([status, HTML]);
    expect(await page.text()).toContain(`<h1 dir="auto">${title}</h1>`);
    expect(page.headers.get("access-control-allow-origin")).toBe("*");
    expect(page.headers.get("vary")).toBe("Accept");
    const answer = await visit(path, { headers: { accept: "*/*" } });
    expect([answer.status, await answer.json()]).toEqual([status, { detail }]);
  });

  it("answers the same with a trailing slash (trailingSlash)", async () => {
    expect((await visit(`/01/${GTIN}/`)).headers.get("location")).toBe(DESTINATION);
  });
});

describe("qualifiers and walk-up", () => {
  it.each([
    `/01/${GTIN}/22/V`,
    `/01/${GTIN}/22/V/10/L/21/S`,
    `/01/${GTIN}/235/TPX`,
    `/01/${GTIN}/10/UNKNOWN`,
    `/01/${GTIN}/10/LOT1/21/S`,
  ])("%s finds what is registered at or above it (basicWalkUp)", async (path) => {
    expect((await visit(path)).status).toBe(307);
  });

  it("takes every qualifier of every key", async () => {
    const gln = `950600013437${computeCheckDigit("950600013437")}`;
    const gsrn = `95060001343521234${computeCheckDigit("95060001343521234")}`;
    const products: [string, string, string][] = [
      ["414", gln, "/254/EXT"],
      ["414", gln, "/7040/1ABC"],
      ["417", gln, "/7040/1ABC"],
      ["8004", "95060001", "/7040/1ABC"],
      ["8017", gsrn, "/8019/12"],
      ["8018", gsrn, "/8019/12"],
      ["8006", `${GTIN}0102`, "/22/V/10/L/21/S"],
      ["8006", `${GTIN}0102`, "/22/V"],
    ];
    for (const [type, value, qualifiers] of products) {
      const body = { workspace: service.workspace, identifier_type: type };
      const answer = await service.send("POST", "/gs1/products/", {
        ...body,
        identifier_value: value,
        destination_url: `https://example.com/${type}`,
      });
      expect([type, answer.status < 300]).toEqual([type, true]);
      const { status, headers } = await visit(`/${type}/${value}${qualifiers}`);
      expect([status, headers.get("location")]).toEqual([307, `https://example.com/${type}`]);
    }
  });

  it("is a 404 where nothing is registered on any level", async () => {
    expect((await visit("/01/09506000134376/10/A")).status).toBe(404);
  });
});

describe("links", () => {
  it("redirects to the default link of the nearest level (defaultTarget)", async () => {
    const lot = await visit(`/01/${GTIN}/10/LOT1`);
    expect(lot.headers.get("location")).toBe("https://example.com/r");
    const other = await visit(`/01/${GTIN}/10/OTHER`);
    expect(other.headers.get("location")).toBe(DESTINATION);
  });

  it("redirects to the type asked for, from the level above too; 404 for an absent one", async () => {
    const pip = await visit(`/01/${GTIN}/10/LOT1?linkType=gs1:pip`);
    expect(pip.headers.get("location")).toBe(`${DESTINATION}?linkType=gs1:pip`);
    for (const type of ["gs1:nosuchlt", "gs1:review", "all"]) {
      expect((await visit(`/01/${GTIN}?linkType=${type}`)).status).toBe(404);
    }
  });

  it("redirects to the default link of the nearest level when linkType asks for it by name", async () => {
    for (const name of ["gs1:", "https://ref.gs1.org/voc/", "http://gs1.org/voc/"]) {
      const path = `/01/${GTIN}/10/LOT1?linkType=${name}defaultLink`;
      const { status, headers } = await visit(path);
      expect([status, headers.get("location")?.split("?")[0]]).toEqual([
        307,
        "https://example.com/r",
      ]);
    }
  });

  it("folds every spelling of the namespace, and finds ePIL and sustainabilityInfo by both names (docs/spec/gs1.md section 4)", async () => {
    const { id, digital_link_path: path } = await register({ identifier_value: "09506000165004" });
    const types = { "gs1:ePIL": "l", "gs1:productSustainabilityInfo": "s" };
    for (const [type, end] of Object.entries(types)) {
      await addLink(id, { link_type: type, destination_url: `https://example.com/${end}` });
    }
    const hosts = ["ref.gs1.org", "gs1.org", "www.gs1.org"];
    const uris = hosts.flatMap((host) => [`https://${host}/voc/`, `http://${host}/voc/`]);
    const names = { ePIL: "l", epil: "l", productSustainabilityInfo: "s", sustainabilityInfo: "s" };
    for (const prefix of ["gs1:", ...uris]) {
      for (const [name, end] of Object.entries(names)) {
        const asked = `${path}?linkType=${encodeURIComponent(prefix)}${name}`;
        const location = (await visit(asked)).headers.get("location")?.split("?")[0];
        expect([asked, location]).toEqual([asked, `https://example.com/${end}`]);
      }
    }
  });

  it("passes the query string on, in order and unchanged (qsPassedOn)", async () => {
    const product = await register({
      identifier_value: "09506000164908",
      destination_url: "https://example.com/q?own=1#part",
    });
    const { headers } = await visit(`${product.digital_link_path}?b=%20x&a=1&a=2&17=261120`);
    expect(headers.get("location")).toBe(
      "https://example.com/q?own=1&b=%20x&a=1&a=2&17=261120#part",
    );
  });

  it("names the linkset in a Link header, on redirects too (linkOnRedirect, legacyLinkHeaders)", async () => {
    const { headers } = await visit(`/01/${GTIN}`);
    expect(headers.get("link")).toBe(
      `<${PUBLIC_URL}/01/${GTIN}?linkType=linkset>; rel="linkset"; type="${LINKSET}"`,
    );
  });

  it("names it on OPTIONS too, which GS1's suite asks (getAllHeaders)", async () => {
    const linkset = `?linkType=linkset>; rel="linkset"; type="${LINKSET}"`;
    expect(await askOptions(`/01/${GTIN}`)).toEqual([204, `<${PUBLIC_URL}/01/${GTIN}${linkset}`]);
    expect(await askOptions(`/01/${GTIN}/10/LOT1/`)).toEqual([
      204,
      `<${PUBLIC_URL}/01/${GTIN}/10/LOT1${linkset}`,
    ]);
    expect(await askOptions(`/01/${GTIN}/10/OTHER`)).toEqual([
      204,
      `<${PUBLIC_URL}/01/${GTIN}${linkset}`,
    ]);
    expect(await askOptions("/01/09506000134376")).toEqual([204, null]);
  });

  it("is not moved by Accept-Language, Accept of a page, or context", async () => {
    const accept = { "accept-language": "de, en;q=0.5", accept: "text/html" };
    const { status, headers } = await visit(`/01/${GTIN}?context=x`, { headers: accept });
    expect([status, headers.get("location")]).toEqual([307, `${DESTINATION}?context=x`]);
  });
});

describe("the linkset", () => {
  it.each([
    ["linkType=linkset", `/01/${GTIN}?linkType=linkset`, {}],
    ["LINKTYPE=linkset", `/01/${GTIN}?LINKTYPE=linkset`, {}],
    ["Accept: application/linkset+json", `/01/${GTIN}`, { headers: { accept: LINKSET } }],
    ["Accept: application/json", `/01/${GTIN}`, { headers: { accept: "application/json" } }],
  ])(
    "comes by %s, without a redirect (ltLinksetNoRedirect, ltAcceptHeader)",
    async (_, path, init) => {
      const answer = await visit(path, init);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, LINKSET]);
      expect(answer.headers.get("link")).toBe(
        `<${PUBLIC_URL}/context.jsonld>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`,
      );
    },
  );

  it.each([
    ["application/linkset+json, */*;q=0.1", 200],
    ["APPLICATION/LINKSET+JSON", 200],
    ['application/linkset+json; profile="https://ref.gs1.org/profile"', 200],
    ["application/json;q=0.9, */*;q=0.1", 200],
    ["text/html, application/linkset+json", 200],
    ["application/linkset+json;q=0", 307],
    ["text/html, application/json;q=0.1", 307],
    ["text/html,application/xhtml+xml,*/*;q=0.8", 307],
    ["*/*", 307],
    ["application/ld+json", 307],
    ["image/png", 307],
  ])("Accept: %s -> %i: a linkset when it is preferred to a page", async (accept, status) => {
    expect((await visit(`/01/${GTIN}`, { headers: { accept } })).status).toBe(status);
  });

  it("has all levels up to the key, the one asked for first, anchors without attributes", async () => {
    const { linkset } = await linksetOf(`/01/${GTIN}/10/LOT1?17=261120`);
    expect(linkset.map(({ anchor }: Wire) => anchor as string)).toEqual([
      `${PUBLIC_URL}/01/${GTIN}/10/LOT1`,
      `${PUBLIC_URL}/01/${GTIN}`,
    ]);
  });

  it("is valid by GS1's schema with all sixteen link types, exactly one default each (validLinkset)", async () => {
    const { id, digital_link_path: path } = await register({ identifier_value: "09506000140445" });
    for (const [i, type] of linkTypes.entries()) {
      const language = i % 2 === 0 ? "de" : "de-AT";
      await addLink(id, { link_type: type, language, media_type: "application/pdf" });
    }
    for (const body of [
      await linksetOf(path),
      await linksetOf(`/01/${GTIN}/10/LOT1`),
      (await service.get(`/gs1/products/${id}/linkset/`)).body,
      (await service.get(`/gs1/products/${id}/linkset/?domain=id.example.com`)).body,
    ]) {
      expect([isLinkset(body), isLinkset.errors]).toEqual([true, null]);
      for (const element of body.linkset) {
        const [main, ...more] = element["https://ref.gs1.org/voc/defaultLink"];
        expect([Object.keys(main).toSorted(), more]).toEqual([["href", "title"], []]);
      }
    }
    const [element] = (await linksetOf(path)).linkset;
    const keys = Object.keys(element);
    for (const type of linkTypes) expect(keys).toContain(toVocabularyUri(type));
    expect(element["https://ref.gs1.org/voc/pip"]).toEqual([
      { href: DESTINATION, title: "A", type: "application/pdf", hreflang: ["de"] },
    ]);
  });

  it("of a product without links has no default, and the product redirects nowhere", async () => {
    const { id, digital_link_path: path } = await register({ identifier_value: "09506000149202" });
    const { body } = await service.get(`/gs1/products/${id}/linkset/`);
    expect(isLinkset(body)).toBe(true);
    expect(Object.keys(body.linkset[0])).toEqual(["anchor", "itemDescription"]);
    expect((await visit(path)).status).toBe(404);
  });

  it("uses names that the Web Vocabulary knows (namespace)", () => {
    const known = new Set((readData("gs1-webvoc-1.16-linktypes") as Wire[]).map(({ uri }) => uri));
    for (const type of linkTypes) expect(known).toContain(toVocabularyUri(type));
  });
});

describe("the description (rdFile)", () => {
  it("names root, keys, vocabulary, contact and what is offered", async () => {
    const answer = await visit("/.well-known/gs1resolver");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toEqual({
      name: "makeready",
      resolverRoot: PUBLIC_URL,
      supportedPrimaryKeys: identifierTypes,
      supportedLinkType: [{ namespace: "https://ref.gs1.org/voc/", prefix: "gs1:" }],
      contact: { fn: "Operator of go.example" },
      linkTypeDefaultCanBeLinkset: false,
      supportsLanguageVariants: false,
      validatesAIcombinations: true,
      jsonLdContextLocation: `${PUBLIC_URL}/context.jsonld`,
    });
  });

  it("is built from the public address, never from the request's host", async () => {
    const request = new Request("http://evil.example/.well-known/gs1resolver");
    const body = (await (await service.fetch(request)).json()) as Wire;
    expect(body.resolverRoot).toBe(PUBLIC_URL);
    const linkset = await service.fetch(
      new Request(`http://evil.example/01/${GTIN}?linkType=linkset`),
    );
    expect(JSON.stringify(await linkset.json())).not.toContain("evil");
  });

  it("comes with a context that gives every word of a linkset a meaning", async () => {
    const answer = await visit("/context.jsonld");
    expect(answer.headers.get("content-type")).toBe("application/ld+json");
    const words = Object.keys(((await answer.json()) as Wire)["@context"]);
    for (const word of ["linkset", "anchor", "href", "title", "type", "hreflang"]) {
      expect(words).toContain(word);
    }
  });
});
