/** What every screen gets: the request, the session, the words. */
import type { Context } from "hono";
import type { FC } from "hono/jsx";

import type { ConsoleService, ConsoleVisit } from "../service/owner/port.ts";
import type { Owner } from "../service/owner/owner.ts";
import type { Session } from "../service/auth/sessions.ts";
import type { Apis } from "./api.ts";
import type { Assets } from "./assets.ts";
import type { ConsoleHome } from "./home.ts";
import type { Problem } from "./refusal.ts";
import type { Words } from "./words/words.ts";

export interface Bindings {
  Bindings: { readonly arrival: ConsoleVisit };
}

export interface Visit extends Apis {
  readonly c: Context;
  readonly service: ConsoleService;
  readonly arrival: ConsoleVisit;
  readonly session: Session;
  readonly secret: string;
  readonly words: Words;
  /** The program that shows this console; undefined = the service itself. */
  readonly home: ConsoleHome | undefined;
  /** `/console` as browsers see it. */
  readonly base: string;
  readonly assets: Assets;
  readonly owner: Owner;
  /** The sent form; empty when a page is only requested. */
  readonly form: FormData;
  /** Why the form was refused: the page shows it. */
  readonly problems: readonly Problem[];
  /** Status of the refusal. */
  readonly refusedWith?: number;
}

/** A part of a page, which gets the visit. */
export type Part<Props = unknown> = FC<Props & { readonly visit: Visit }>;

export type Answer = (visit: Visit) => Promise<Response> | Response;

/** A form's action; after a refusal, the page with the form is shown again. */
export interface Change {
  readonly take: Answer;
  readonly again: Answer;
}

/** One call and where it leads; `done` is the message there. */
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

/** Empty when the path has no such parameter. */
export const param = ({ c }: Visit, name: string): string => c.req.param(name) ?? "";

/** A value of the query; empty when it isn't there. */
export const query = ({ c }: Visit, name: string): string => (c.req.query(name) ?? "").trim();

/** A field of the sent form; empty when it isn't there. */
export function field({ form }: Pick<Visit, "form">, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** An empty field as null, as the API wants it. */
export const orNull = (text: string): string | null => (text === "" ? null : text);

export function fields({ form }: Pick<Visit, "form">, name: string): string[] {
  return form.getAll(name).filter((value): value is string => typeof value === "string");
}

/** The field with the workspace that the form's page showed. */
export const SHOWN_IN = "shown_in";

/** The field that holds what the page showed in the field of this name. */
export const toWas = (name: string): string => `was_${name}`;

/** Browsers send one line without spaces around it, whatever is stored. */
const toLine = (text: string): string => text.replaceAll(/[\r\n]/gu, "").trim();

export const sameText = (a: string, b: string): boolean => toLine(a) === toLine(b);

/** The form was sent with this field, and differs from what its page showed. */
export function keepsTyped(visit: Pick<Visit, "form">, name: string): boolean {
  const was = visit.form.get(toWas(name));
  if (typeof was !== "string") return visit.form.has(name);
  return !sameText(was, field(visit, name));
}

/** The value of a field: what was typed and refused, else the stored value. */
export const typed = (visit: Visit, name: string, stored: string | null | undefined): string =>
  keepsTyped(visit, name) ? field(visit, name) : (stored ?? "");

/** Like `typed`, for a checkbox: unticked ones aren't sent. */
export function isTicked(visit: Pick<Visit, "form">, name: string, stored: boolean): boolean {
  const { form } = visit;
  const isSent = form.has("csrf");
  return isSent && (!form.has(toWas(name)) || keepsTyped(visit, name)) ? form.has(name) : stored;
}

export const page = (visit: Visit): number => {
  const n = Number(query(visit, "page"));
  return Number.isSafeInteger(n) && n > 0 ? n : 1;
};

/** Leads to a page of the console with a message that it is done. */
export const leadTo = ({ c, base }: Visit, path: string, done?: string): Response => {
  const mark = done === undefined ? "" : `${path.includes("?") ? "&" : "?"}done=${done}`;
  return c.redirect(`${base}${path}${mark}`, 303);
};
