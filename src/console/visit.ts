/** What every screen is handed: who asks, on whose behalf, in which words. */
import type { Context } from "hono";
import type { FC } from "hono/jsx";

import type { ConsoleService, ConsoleVisit } from "../service/owner/port.ts";
import type { Owner } from "../service/owner/owner.ts";
import type { Session } from "../service/auth/sessions.ts";
import type { Api } from "./api.ts";
import type { Assets } from "./assets.ts";
import type { ConsoleHome } from "./home.ts";
import type { Words } from "./words/words.ts";

export interface Bindings {
  Bindings: { readonly arrival: ConsoleVisit };
}

export interface Visit {
  readonly c: Context;
  readonly service: ConsoleService;
  readonly arrival: ConsoleVisit;
  readonly session: Session;
  readonly secret: string;
  readonly words: Words;
  /** The program that this console is shown in; undefined = it is the service's own. */
  readonly home: ConsoleHome | undefined;
  /** `/console` as browsers see it. */
  readonly base: string;
  readonly assets: Assets;
  readonly api: Api;
  readonly owner: Owner;
  /** What was sent; empty for a page that was asked for. */
  readonly form: FormData;
  /** Why what was sent is refused: the page is shown again with it. */
  readonly problems: readonly string[];
  /** Status of that. */
  readonly refusedWith?: number;
}

/** A part of a page, which is handed the visit. */
export type Part<Props = unknown> = FC<Props & { readonly visit: Visit }>;

export type Answer = (visit: Visit) => Promise<Response> | Response;

/** What a form leads to; refused, the page that it stood on is shown again. */
export interface Change {
  readonly take: Answer;
  readonly again: Answer;
}

/** What one call does, and where it leads: `done` is what is said there. */
export const asCall =
  (call: (visit: Visit) => Promise<unknown>, to: (visit: Visit) => string, done: string): Answer =>
  async (visit) => {
    await call(visit);
    return leadTo(visit, to(visit), done);
  };

/** A screen's paths below the console. */
export interface Screen {
  readonly get?: Readonly<Record<string, Answer>>;
  readonly post?: Readonly<Record<string, Change>>;
}

/** Empty when the path has no such part. */
export const param = ({ c }: Visit, name: string): string => c.req.param(name) ?? "";

/** Of the address; empty when it isn't there. */
export const query = ({ c }: Visit, name: string): string => (c.req.query(name) ?? "").trim();

/** A field of what was sent; empty when it isn't there. */
export function field({ form }: Pick<Visit, "form">, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** What the API says for a field that nobody filled in. */
export const orNull = (text: string): string | null => (text === "" ? null : text);

export function fields({ form }: Pick<Visit, "form">, name: string): string[] {
  return form.getAll(name).filter((value): value is string => typeof value === "string");
}

/** What stands in a field: what was typed and refused, else what is stored. */
export const typed = (visit: Visit, name: string, stored: string | null | undefined): string =>
  visit.form.has(name) ? field(visit, name) : (stored ?? "");

/** As `typed`, for a tick: it isn't sent when it isn't set. */
export const isTicked = ({ form }: Visit, name: string, stored: boolean): boolean =>
  form.has("csrf") ? form.has(name) : stored;

export const page = (visit: Visit): number => {
  const n = Number(query(visit, "page"));
  return Number.isSafeInteger(n) && n > 0 ? n : 1;
};

/** To a page of the console, which says that it is done. */
export const leadTo = ({ c, base }: Visit, path: string, done?: string): Response => {
  const mark = done === undefined ? "" : `${path.includes("?") ? "&" : "?"}done=${done}`;
  return c.redirect(`${base}${path}${mark}`, 303);
};
