/** A service behind a proxy that serves it below a path: `--public-url https://example.com/qr`. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { systemClock } from "../../src/base/time/clock.ts";
import { makeRender } from "../../src/render/render.ts";
import { makeService, type TestService, type Wire } from "./make-service.ts";
import { publishForm, submit } from "./visit-form.ts";

const PUBLIC = "https://example.com/qr";
const GTIN = "09506000134352";

let service: TestService;
let origin: string;
let things: Record<"code" | "contact" | "pdf" | "page" | "form", Wire>;
beforeAll(async () => {
  service = await makeService({ publicUrl: PUBLIC });
  origin = (await service.listen({ host: "127.0.0.1", port: 0 })).url;
  const { workspace } = service;
  const make = async (path: string, body: object): Promise<Wire> =>
    (await service.send("POST", path, { workspace, ...body })).body;
  things = {
    code: await service.code({ dynamic: true, generate_png: true }),
    contact: await service.code({ dynamic: true, qr_type: "vCard", vcard: { first_name: "Ada" } }),
    pdf: await make("/pdf/create/", {
      pdf_base64: Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64"),
    }),
    page: await make("/page/create/", { title: "Menu" }),
    form: await publishForm(service),
  };
  await make("/gs1/products/", {
    identifier_value: GTIN,
    destination_url: "https://example.com/p",
  });
});
afterAll(() => service.close());

/** How a proxy asks for a public address: with its path, or without. */
describe.each([
  ["passes the path on", (url: string) => url.replace("https://example.com", origin)],
  ["takes the path off", (url: string) => url.replace(PUBLIC, origin)],
])("a proxy that %s", (_, toAsked) => {
  const ask = (url: string, init: RequestInit = {}): Promise<Response> => {
    expect(url.startsWith(`${PUBLIC}/`)).toBe(true);
    return fetch(toAsked(url), { redirect: "manual", ...init });
  };
  const read = async (path: string): Promise<Wire> => {
    const authorization = `Token ${service.account.token}`;
    const answer = await ask(`${PUBLIC}/api/v2${path}`, { headers: { authorization } });
    return answer.json();
  };

  it("shows the front page at its end", async () => {
    for (const end of ["/", "/?from=print"]) {
      const answer = await ask(`${PUBLIC}${end}`);
      expect([end, answer.status]).toEqual([end, 200]);
      expect(await answer.text()).toContain("<title>Short links and codes");
    }
  });

  it("leads short links on, and shows what codes lead to", async () => {
    const { code, contact, pdf, page, form } = things;
    const redirect = await ask(code.shortlink_url);
    expect([redirect.status, redirect.headers.get("location")]).toEqual([
      302,
      "https://example.com/",
    ]);
    const shown = await ask(contact.shortlink_url);
    expect(await shown.text()).toContain(`href="${contact.shortlink_url.split("/").at(-1)}.vcf"`);
    expect((await ask(`${contact.shortlink_url}.vcf`)).status).toBe(200);
    const led = await ask(page.shortlink_url);
    expect(led.headers.get("location")).toBe(page.share_url);
    for (const url of [code.png, pdf.pdf_file_url, page.share_url, form.share_url]) {
      expect([url, (await ask(url)).status]).toEqual([url, 200]);
    }
  });

  it("takes the answers to a form and thanks for them under the public path", async () => {
    const { share_url: url } = things.form;
    // What `submit` asks of the service goes through the proxy.
    const proxied = {
      fetch: (request: Request) => fetch(new Request(toAsked(request.url), request)),
    };
    const sent = await submit(proxied, url, { answers: {} });
    expect([sent.status, sent.headers.get("location")]).toEqual([
      303,
      `${new URL(url).pathname}/thanks`,
    ]);
    expect((await ask(`${url}/thanks`)).status).toBe(200);
  });

  it("reaches the API, whose lists and description name the public address", async () => {
    const authorization = `Token ${service.account.token}`;
    const created = await ask(`${PUBLIC}/api/v2/qrcode/create/`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ workspace: service.workspace, qr_data: "https://example.com/" }),
    });
    expect(created.status).toBe(200);
    const list = await read(`/workspace/${service.workspace}/qrcodes/?page_size=1`);
    expect(list.next).toMatch(`${PUBLIC}/api/v2/workspace/`);
    expect((await read("/openapi.json")).servers).toEqual([{ url: `${PUBLIC}/api/v2` }]);
    expect(await (await ask(`${PUBLIC}/api/v2/docs/`)).text()).toContain(
      `href="${PUBLIC}/api/v2/openapi.json"`,
    );
    const assistant = await ask(`${PUBLIC}/mcp`, { method: "POST", body: "{}" });
    expect(assistant.headers.get("www-authenticate")).toContain(
      `"${PUBLIC}/.well-known/oauth-protected-resource/mcp"`,
    );
    const metadata = await ask(`${PUBLIC}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({ resource: `${PUBLIC}/mcp` });
  });

  it("resolves Digital Links", async () => {
    const product = await ask(`${PUBLIC}/01/${GTIN}`);
    expect([product.status, product.headers.get("link")]).toEqual([
      307,
      `<${PUBLIC}/01/${GTIN}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`,
    ]);
    const description = await ask(`${PUBLIC}/.well-known/gs1resolver`);
    expect(((await description.json()) as Wire).resolverRoot).toBe(PUBLIC);
  });
});

const readWellKnown = async (path: string): Promise<Wire> =>
  (await fetch(`${origin}/.well-known/${path}`)).json();

it("is described to assistants at the root of the name, too", async () => {
  expect(await readWellKnown("oauth-authorization-server/qr")).toMatchObject({ issuer: PUBLIC });
  expect(await readWellKnown("oauth-protected-resource/qr/mcp")).toMatchObject({
    resource: `${PUBLIC}/mcp`,
  });
});

it("must not begin with one of the service's own words, for which it could be mistaken", async () => {
  const opened = makeService({ publicUrl: "https://example.com/page/qr" });
  await expect(opened).rejects.toBeInstanceOf(AppError);
  await expect(opened).rejects.toThrow(
    "must not begin with a word of the service's own, got /page",
  );
});

it("must not begin with render where labels are rendered: a proxy that takes it off would hide them", async () => {
  const publicUrl = "https://example.com/render";
  const render = makeRender({ clock: systemClock });
  await expect(makeService({ publicUrl, render })).rejects.toThrow("got /render");
  await (await makeService({ publicUrl })).close();
});
