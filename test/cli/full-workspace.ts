/** A workspace with something of everything, and all that can be seen of it. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import sharp from "sharp";

import { randomIds } from "../../src/base/ids/ids.ts";
import { makeService, type TestService, type Wire } from "../service/make-service.ts";
import { publishForm, submit } from "../service/visit-form.ts";

export const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";
export const PDF = Buffer.from(
  "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
);

/** Short links and pages by what they are. */
type Addresses = Record<string, string>;

export interface FullWorkspace {
  readonly workspace: string;
  readonly addresses: Addresses;
}

export const openAt = (dataDir: string): Promise<TestService> =>
  makeService({ dataDir, ids: randomIds, demoAccounts: false });

export async function post(service: TestService, address: string, body: object): Promise<Wire> {
  const answer = await service.send("POST", address, { workspace: service.workspace, ...body });
  if (answer.status >= 300) throw new Error(`${address}: ${answer.text}`);
  return answer.body;
}

interface Filling {
  readonly png: string;
  readonly addresses: Addresses;
}

async function fillCodes(service: TestService, { png, addresses }: Filling): Promise<void> {
  const cellar = await service.folder("Cellar");
  const shelf = await service.folder("Shelf", cellar.id);
  const styled = await service.code({
    dynamic: true,
    folder: shelf.id,
    display_name: "Styled",
    primary_color: "#aa0000",
    frame: "card",
    text: "SCAN ME",
  });
  await service.send("PATCH", `/qrcode/${styled.id}/design/`, { logo_base64: png });
  await service.send("POST", `/qrcode/${styled.id}/tags/add/`, [{ title: "Red" }]);
  await service.code({ display_name: "Static", qr_type: "Text", qr_data: "Just a text" });
  const gone = await service.code({ dynamic: true, display_name: "Gone" });
  await service.send("DELETE", `/qrcode/${gone.id}/delete/`);
  const pdf = await post(service, "/pdf/create/", { pdf_base64: PDF.toString("base64") });
  await service.send("GET", `/qrcode/${styled.id}/download/`);
  Object.assign(addresses, {
    code: styled.shortlink_url,
    gone: gone.shortlink_url,
    pdf: pdf.shortlink_url,
    file: pdf.pdf_file_url,
  });
}

async function fill(service: TestService, filling: Filling): Promise<void> {
  const { png, addresses } = filling;
  await fillCodes(service, filling);
  const link = await post(service, "/link/create/", {
    link: "https://example.com/sale",
    slug: "Sale-1",
    display_name: "Sale",
  });
  const page = await post(service, "/page/create/", {
    title: "Fair",
    slug: "fair",
    links: [{ url: "https://example.com/hall", title: "Hall" }],
  });
  const form = await publishForm(service, [
    { id: "temp-1", field_type: "text", label: "Name" },
    { id: "temp-2", field_type: "image", label: "Photo" },
  ]);
  const [name, photo] = form.fields as { id: string }[];
  const image = new Blob([Buffer.from(png, "base64")], { type: "image/png" });
  await submit(service, form.share_url, {
    answers: { [name?.id ?? ""]: "Ada", [photo?.id ?? ""]: image },
  });
  const product = await post(service, "/gs1/products/", {
    identifier_value: "09506000134352",
    destination_url: "https://example.com/wine",
  });
  await post(service, `/gs1/products/${product.id}/links/`, {
    link_type: "gs1:recipeInfo",
    title: "Recipes",
    destination_url: "https://example.com/recipes",
  });
  for (let scans = 0; scans < 3; scans += 1) await service.scan(addresses["code"] ?? "", PHONE);
  await service.scan(link.shortlink_url, `${PHONE} second`);
  Object.assign(addresses, {
    link: link.shortlink_url,
    page: page.share_url,
    form: form.share_url,
    product: "https://go.example/01/09506000134352",
  });
}

/** Fills a data folder; the service that did it is closed again. */
export async function fillFolder(folder: string): Promise<FullWorkspace> {
  const pixels = { width: 64, height: 64, channels: 3, background: "#00aa00" } as const;
  const png = (await sharp({ create: pixels }).png().toBuffer()).toString("base64");
  const addresses: Addresses = {};
  const service = await openAt(folder);
  await fill(service, { png, addresses });
  await service.close();
  mkdirSync(path.join(folder, "templates"), { recursive: true });
  const template = { title: "House style", design: { primary_color: "#004400" } };
  writeFileSync(path.join(folder, "templates/house.json"), JSON.stringify(template));
  return { workspace: service.workspace, addresses };
}

const LISTS = ["qrcodes", "links", "folders", "tags", "pages", "gs1/products", "templates"];

/** All that the API and the public addresses show of the workspace. */
async function lookAt(
  service: TestService,
  { workspace, addresses }: FullWorkspace,
): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  const get = async (address: string): Promise<Wire> => (await service.get(address)).body;
  for (const list of LISTS) {
    const include = list === "qrcodes" ? "&include=scans,tags" : "";
    seen[list] = (await get(`/workspace/${workspace}/${list}/?page_size=200${include}`)).results;
  }
  // Pictures are named by a key of each service.
  for (const template of seen["templates"] as Wire[]) delete template.preview;
  for (const code of seen["qrcodes"] as Wire[]) delete code.png;
  for (const { id } of seen["qrcodes"] as { id: string }[]) {
    const { png: _png, svg_file: _svg, ...code } = await get(`/qrcode/${id}/`);
    seen[`code ${id}`] = [code, await get(`/qrcode/${id}/activity/`)];
  }
  const forms = (await get(`/forms/?workspace=${workspace}`)).results as { id: string }[];
  seen["forms"] = forms;
  for (const { id } of forms) seen[`form ${id}`] = (await get(`/forms/${id}/responses/`)).results;
  seen["analytics"] = await get(`/workspace/${workspace}/analytics/?days=30`);
  for (const [what, url] of Object.entries(addresses)) {
    // Whoever only looks is no scan.
    const method = ["page", "form", "file"].includes(what) ? "GET" : "HEAD";
    const answer = await service.fetch(new Request(url, { method, redirect: "manual" }));
    const text = (await answer.text()).replaceAll(/name="ticket" value="[^"]*"/gu, "");
    seen[`visit ${what}`] = [answer.status, answer.headers.get("location"), text];
  }
  return seen;
}

export const lookIn = async (
  folder: string,
  full: FullWorkspace,
): Promise<Record<string, unknown>> => {
  const service = await openAt(folder);
  const seen = await lookAt(service, full);
  await service.close();
  return seen;
};
