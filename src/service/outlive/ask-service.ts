/** Asks the service itself, on a copy of its store: no scan is counted and nothing is changed. */
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

import { badUsage } from "../../base/errors.ts";
import { copySqlite, openSqlite } from "../../base/sqlite/sqlite.ts";
import { findWorkspace } from "../store/find-workspace.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { withoutEndSlash } from "../../base/text/url.ts";
import { openService } from "../service.ts";
import { refuseMovedStore } from "../store/moved-store.ts";
import { namingDamage } from "../store/store-damage.ts";
import { readPublicAddress } from "../store/public-address.ts";
import { NOT_FOUND, withoutQuestion, type Answer, type AnswerKind } from "./bundle.ts";

const STORE = "service.db";
/**
 * Asking as a robot: it is redirected where a person is asked for a position. A plain server can't
 * ask.
 */
const ROBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

const LINKS =
  "SELECT slug, vcard IS NOT NULL AS contact, gps_tracking AS gps FROM codes WHERE workspace_id = ? AND slug IS NOT NULL ORDER BY created";
const PRODUCTS = "SELECT path FROM products WHERE workspace_id = ? ORDER BY created, id";
const LINK_TYPES =
  "SELECT DISTINCT link_type AS type FROM product_links WHERE product_id IN (SELECT id FROM products WHERE workspace_id = ?) ORDER BY 1";
const PAGES = "SELECT slug FROM pages WHERE workspace_id = ? ORDER BY created";
const FORMS = "SELECT count(*) AS n FROM forms WHERE workspace_id = ? AND live IS NOT NULL";

export interface Asked {
  readonly answer: Answer;
  /** For answers with a body. */
  readonly body?: Uint8Array | undefined;
}

export interface ServiceCopy {
  readonly publicUrl: string;
  readonly workspace: string;
  /** What a plain server does differently -> how many answers. */
  readonly differs: Readonly<Record<string, number>>;
  /** All that the workspace answers. */
  ask(): AsyncIterable<Asked>;
  close(): Promise<void>;
}

export interface CopyOptions {
  readonly dataDir: string;
  readonly workspace?: string | undefined;
  readonly publicUrl?: string | undefined;
}

function findWorkspaceId(file: string, wanted: string | undefined): string {
  const db = namingDamage(file, () => openSqlite(file));
  try {
    return findWorkspace(db, wanted, { of: "the data folder" }).id;
  } finally {
    db.close();
  }
}

/** A folder that stands in for the data folder: a copy of the store, the same files. */
async function copyFolder(dataDir: string): Promise<string> {
  const file = path.join(dataDir, STORE);
  refuseMovedStore(file);
  if (!existsSync(file)) {
    throw badUsage(`must be a data folder, got ${dataDir} without ${STORE}`, "name it with --data");
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), "makeready-outlive-"));
  namingDamage(file, () => copySqlite(file, path.join(folder, STORE)));
  if (existsSync(path.join(dataDir, "media"))) {
    await symlink(path.join(dataDir, "media"), path.join(folder, "media"));
  }
  return folder;
}

/** Throws `bad-usage` for a folder without data, or without a public address. */
export async function openCopy(options: CopyOptions): Promise<ServiceCopy> {
  const { dataDir } = options;
  const folder = await copyFolder(dataDir);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const given = options.publicUrl ?? readPublicAddress(folder).kept;
    if (given === undefined) {
      throw badUsage(
        "the public address must be known, got none",
        "name the address that is printed: --public-url https://go.example.com",
      );
    }
    const publicUrl = withoutEndSlash(given);
    const workspace = findWorkspaceId(path.join(folder, STORE), options.workspace);
    const service = await openService({
      dataDir: folder,
      publicUrl,
      assetUrl: publicUrl,
      limits: "off",
      deliverWebhooks: false,
      drawingThreads: 0,
    });
    const db = openSqlite(path.join(folder, STORE));
    const asking = new Asking(service, publicUrl);
    const one = (sql: string): number => db.get<{ n: number }>(sql, workspace)?.n ?? 0;
    const links = db.all<{ slug: string; contact: number; gps: number }>(LINKS, workspace);
    return {
      publicUrl,
      workspace,
      differs: {
        "position is not asked for": links.filter(({ gps }) => gps === 1).length,
        "form takes no answers": one(FORMS),
      },
      async *ask() {
        for (const { slug, contact } of links) yield* asking.link(slug, contact === 1);
        const types = db.all<{ type: string }>(LINK_TYPES, workspace).map(({ type }) => type);
        const products = db.all<{ path: string }>(PRODUCTS, workspace);
        for (const product of products) yield* asking.product(product.path, types);
        for (const { slug } of db.all<{ slug: string }>(PAGES, workspace)) {
          yield* asking.file("page", `/page/${slug}`, `page/${slug}/index.html`);
        }
        if (products.length > 0) {
          yield* asking.file("resolver", "/context.jsonld", "context.jsonld");
          yield* asking.file("resolver", "/.well-known/gs1resolver", ".well-known/gs1resolver");
        }
      },
      async close() {
        db.close();
        await service.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

class Asking {
  readonly #service: { fetch(request: Request): Promise<Response> };
  readonly #publicUrl: string;
  readonly #prefix: string;
  readonly #pdfs = new Set<string>();

  constructor(service: { fetch(request: Request): Promise<Response> }, publicUrl: string) {
    this.#service = service;
    this.#publicUrl = publicUrl;
    this.#prefix = withoutEndSlash(new URL(publicUrl).pathname);
  }

  #get(target: string): Promise<Response> {
    const headers = { "user-agent": ROBOT, accept: "*/*", "accept-language": "en" };
    return this.#service.fetch(new Request(`${this.#publicUrl}${target}`, { headers }));
  }

  /**
   * An answer with a body; nothing when the service has none. `name` is below the prefix of the
   * public address.
   */
  async *file(kind: AnswerKind, target: string, name: string): AsyncGenerator<Asked> {
    const response = await this.#get(target);
    if (response.status !== 200) return;
    const body = new Uint8Array(await response.arrayBuffer());
    const [asked = "", query] = target.split("?linkType=");
    const file =
      kind === "linkset" ? `linksets${this.#prefix}${name}` : `${this.#prefix}/${name}`.slice(1);
    yield {
      answer: {
        kind,
        path: `${this.#prefix}${asked}`,
        ...(query !== undefined && { linkType: query }),
        status: 200,
        type: response.headers.get("content-type") ?? "application/octet-stream",
        file,
        sha256: sha256(body),
      },
      body,
    };
  }

  async *#redirect(kind: AnswerKind, asked: string, linkType?: string): AsyncGenerator<Asked> {
    const response = await this.#get(
      linkType === undefined ? asked : `${asked}?linkType=${linkType}`,
    );
    await response.body?.cancel();
    const given = response.headers.get("location");
    if (given === null) return;
    // The service passes the query on; in a bundle a rule does so.
    const location = withoutQuestion({ linkType }, given);
    const about = linkType === undefined ? {} : { linkType };
    const { status } = response;
    yield { answer: { kind, path: `${this.#prefix}${asked}`, ...about, status, location } };
    yield* this.#pdf(location);
  }

  /** The PDF behind a link, once. Printed links lead to it: one that is lost is told. */
  async *#pdf(location: string): AsyncGenerator<Asked> {
    const media = `${this.#publicUrl}/media/`;
    if (!location.startsWith(media) || this.#pdfs.has(location)) return;
    this.#pdfs.add(location);
    const target = location.slice(this.#publicUrl.length);
    let isThere = false;
    for await (const asked of this.file("pdf", target, decodeURIComponent(target).slice(1))) {
      isThere = true;
      yield asked;
    }
    if (isThere) return;
    yield { answer: { kind: "pdf", path: `${this.#prefix}${target}`, status: NOT_FOUND } };
  }

  async *link(slug: string, isContact: boolean): AsyncGenerator<Asked> {
    if (!isContact) return yield* this.#redirect("link", `/${slug}`);
    yield* this.file("contact", `/${slug}`, `${slug}/index.html`);
    yield* this.file("contact-file", `/${slug}.vcf`, `${slug}.vcf`);
  }

  async *product(own: string, types: readonly string[]): AsyncGenerator<Asked> {
    yield* this.#redirect("digital-link", own);
    for (const type of types) yield* this.#redirect("digital-link", own, type);
    yield* this.file("linkset", `${own}?linkType=linkset`, `${own}.json`);
  }
}
