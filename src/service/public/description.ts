/** The API's description: files for programs, a page for people. Each is made once for all. */
import { makeOpenApi, type Edition } from "../../api/openapi/openapi.ts";
import { sha256 } from "../../base/ids/ids.ts";

import { toLength } from "../http/reply.ts";
import { replyDocsPage } from "./docs/docs-page.ts";
import { escapeHtml } from "./html.ts";

/**
 * A placeholder for the API's root: making the text takes 30 ms, and a request may use any `Host`.
 */
const ANY_ROOT = "http://root.invalid";

interface Kind {
  readonly draw: () => Response;
  /** The root as it is escaped in this kind of text. */
  readonly escape: (root: string) => string;
}

const toFile = (edition: Edition): Kind => ({
  draw: () =>
    new Response(JSON.stringify(makeOpenApi(ANY_ROOT, edition)), {
      headers: { "content-type": "application/json" },
    }),
  escape: (root) => JSON.stringify(root).slice(1, -1),
});

/** The kinds of descriptions, and how each is made. */
export const kinds = {
  file: toFile("3.1"),
  oldFile: toFile("3.0"),
  page: { draw: () => replyDocsPage(ANY_ROOT), escape: escapeHtml },
} as const satisfies Record<string, Kind>;

export type DescriptionKind = keyof typeof kinds;

interface Drawn {
  /** The text, split at the places where the root goes. */
  readonly parts: readonly string[];
  readonly headers: readonly (readonly [string, string])[];
  readonly hash: string;
}

async function draw({ draw: make }: Kind): Promise<Drawn> {
  const response = make();
  const text = await response.text();
  return { parts: text.split(ANY_ROOT), headers: [...response.headers], hash: sha256(text) };
}

/** RFC 9110, 13.1.2: weak tags compare like strong ones here. */
const isKnown = (request: Request, tag: string): boolean =>
  (request.headers.get("if-none-match") ?? "")
    .split(",")
    .some((one) => ["*", tag, `W/${tag}`].includes(one.trim()));

export class Description {
  readonly #kinds: Readonly<Record<DescriptionKind, Kind>>;
  readonly #drawn = new Map<DescriptionKind, Promise<Drawn>>();

  constructor(given: Readonly<Record<DescriptionKind, Kind>> = kinds) {
    this.#kinds = given;
  }

  /** `root`: the API's root as the asker reaches it. */
  async answer(kind: DescriptionKind, request: Request, root: string): Promise<Response> {
    const drawn = this.#drawn.get(kind) ?? draw(this.#kinds[kind]);
    this.#drawn.set(kind, drawn);
    const { parts, headers, hash } = await drawn;
    const tag = `"${sha256(`${hash} ${root}`)}"`;
    const fresh = { etag: tag, "cache-control": "no-cache" };
    if (isKnown(request, tag)) return new Response(null, { status: 304, headers: fresh });
    const text = parts.join(this.#kinds[kind].escape(root));
    // The length of this text: the root and its placeholder differ in length.
    const all = { ...Object.fromEntries(headers), ...fresh, ...toLength(text) };
    return new Response(text, { headers: all });
  }
}
