/** Where the service and what it makes are found. */
import { reservedSlugs } from "../api/reserved-slugs.ts";
import { badUsage } from "../base/errors.ts";
import { isLoopbackUrl, withoutEndSlash } from "../base/text/url.ts";
import { atAddress } from "./http/body.ts";

/** Paths of hosted pages begin with this. */
export const PAGE_PATH = "/page/";
export const FORM_PATH = "/form/";
/** Where account owners find the console. */
export const CONSOLE_PATH = "/console";
/** Where programs request rendered labels; not part of the API. */
export const RENDER_PATH = "/render/sheets";
/** Short links may have it as slug. */
const RENDER_WORD = "render";
/** Where assistants find the API's endpoints as tools. */
export const MCP_PATH = "/mcp";

export interface AddressOptions {
  readonly publicUrl?: string | undefined;
  readonly assetUrl?: string | undefined;
  /** New short links and Digital Links have scheme, host and slug in capitals. Default false. */
  readonly capitalLinks?: boolean | undefined;
  /** What renders labels at `RENDER_PATH`, where it is offered. */
  readonly render?: object | undefined;
}

/** Used in request and file URLs of a service that doesn't listen: only its `fetch` is called. */
const EMBEDDED_URL = "http://localhost";

/** Throws `bad-usage` for a path that could be mistaken for one of the service's own. */
function readPrefix({ publicUrl, render }: AddressOptions): string {
  if (publicUrl === undefined) return "";
  const prefix = withoutEndSlash(new URL(publicUrl).pathname);
  const [, first = ""] = prefix.split("/", 2);
  const word = first.toLowerCase();
  if (!reservedSlugs.has(word) && !(render !== undefined && word === RENDER_WORD)) return prefix;
  throw badUsage(
    `the path of the public address must not begin with a word of the service's own, got /${first}`,
    "take another one, such as /qr",
  );
}

export class Addresses {
  readonly #options: AddressOptions;
  /** Path of the public address, without a slash at its end. */
  readonly #prefix: string;
  #listenUrl: string | undefined;

  constructor(options: AddressOptions) {
    this.#options = options;
    this.#prefix = readPrefix(options);
  }

  set listenUrl(url: string) {
    this.#listenUrl = withoutEndSlash(url);
  }

  /** Short links begin with this: the configured address, else where the service listens. */
  get publicUrl(): string {
    return withoutEndSlash(this.#options.publicUrl ?? this.#listenUrl ?? EMBEDDED_URL);
  }

  /**
   * File addresses begin with this: where the service listens, if the public address leads only to
   * this computer or the service doesn't listen; else the public address.
   */
  get assetUrl(): string {
    const { assetUrl } = this.#options;
    if (assetUrl !== undefined && assetUrl !== "listen") return withoutEndSlash(assetUrl);
    if (this.#listenUrl === undefined) return EMBEDDED_URL;
    if (assetUrl === "listen") return this.#listenUrl;
    return isLoopbackUrl(this.publicUrl) ? this.#listenUrl : this.publicUrl;
  }

  /**
   * A request's address as its sender wrote it. Behind a proxy that is the public address; else it
   * is taken from the request, since a service on this computer has several names.
   */
  seenByClients(url: URL): URL {
    const { publicUrl, assetUrl } = this.#options;
    if (this.#listenUrl === undefined || publicUrl === undefined || assetUrl === "listen")
      return url;
    if (isLoopbackUrl(publicUrl)) return url;
    return new URL(`${withoutEndSlash(publicUrl)}${url.pathname}${url.search}`);
  }

  /**
   * Path and query of a request without the path of the public address: a proxy may pass that path
   * on or remove it.
   */
  ownTarget(target: string): string {
    const prefix = this.#prefix;
    return prefix !== "" && target.startsWith(`${prefix}/`) ? target.slice(prefix.length) : target;
  }

  /** The same of a request. */
  ownRequest(request: Request): Request {
    if (this.#prefix === "") return request;
    const { origin, pathname, search } = new URL(request.url);
    const own = this.ownTarget(pathname);
    return own === pathname ? request : atAddress(request, `${origin}${own}${search}`);
  }

  /** New links are made in capitals; existing ones stay as they were printed. */
  get hasCapitalLinks(): boolean {
    return this.#options.capitalLinks ?? false;
  }

  shortLink(slug: string): string {
    return `${this.publicUrl}/${slug}`;
  }

  /** `path` = the stored Digital Link, stem included. */
  digitalLink(path: string): string {
    return `${this.publicUrl}${path}`;
  }

  /** `path` = a landing page's or a form's, with its leading slash. */
  hosted(path: string): string {
    return `${this.publicUrl}${path}`;
  }

  media(file: string): string {
    return `${this.assetUrl}/media/${file}`;
  }
}
