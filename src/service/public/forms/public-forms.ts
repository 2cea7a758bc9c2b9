/**
 * `/form/{slug}`: what respondents see and send (docs/spec/api.md section 3.1;
 * docs/spec/design.md section 5).
 */
import { randomBytes } from "node:crypto";

import { ownLimits } from "../../../api/limits.ts";
import type { FormSubmitted } from "../../../api/webhook.ts";
import { AppError } from "../../../base/errors.ts";
import { toBase32 } from "../../../base/ids/ids.ts";
import { Tickets, type Ticket } from "../../auth/ticket.ts";
import type { Context } from "../../context.ts";
import { isForeign } from "../../http/foreign.ts";
import type { Rows } from "../../store/store.ts";
import { openRateLimit, type RateLimit } from "../../http/rate-limit.ts";
import { Refusal } from "../../http/reply.ts";
import {
  findFormBySlug,
  readLive,
  toFormPath,
  type FormContent,
} from "../../resources/forms/rows.ts";
import {
  storeResponse,
  toResponseRecord,
  type FieldAnswer,
} from "../../resources/forms/rows/responses.ts";
import type { FormResponseRow, FormRow } from "../../store/tables.ts";
import type { FormReports } from "../../webhooks/webhooks.ts";
import { replyUnknown } from "../public-style.ts";
import type { Words } from "../words/en.ts";
import { fill, readChosen, wordsFor } from "../words/words.ts";
import { checkAnswers, type Checked, type Sent } from "./answers.ts";
import { fieldRules } from "./field-rules.ts";
import {
  replyClosed,
  replyForm,
  replyThanks,
  TICKET_NAME,
  TRAP_NAME,
  type FormState,
} from "./form-view.ts";
import { normalizeUpload } from "./images.ts";
import { replyForeign, replyRefused, replyUnreadable } from "./notices.ts";
import { readSent, toBounds } from "./read-sent.ts";

export interface Visit {
  readonly request: Request;
  readonly ip: string;
  readonly slug: string;
}

export interface PublicFormParts {
  readonly context: Context;
  /** Signs the tickets; kept with the store, so that pages opened before a restart stay valid. */
  readonly key: string;
  readonly isLimited: boolean;
  /** Where answers are reported. */
  readonly reports: FormReports;
}

/** A form that is or was published. */
interface Live {
  readonly row: FormRow;
  readonly content: FormContent;
}

const NAME_CHARACTERS = 32;

/** A page can't keep chosen files: it asks for them again. */
function toLostImages(
  { fields }: FormContent,
  { files }: Sent,
  { form }: Words,
): [string, string][] {
  return fields
    .filter(({ field_type: type, id }) => type === "image" && files.has(id))
    .map(({ id }) => [id, form.imageAgain]);
}

export class PublicForms {
  readonly #context: Context;
  readonly #tickets: Tickets;
  readonly #limit: RateLimit | undefined;
  readonly #reports: FormReports;

  constructor({ context, key, isLimited, reports }: PublicFormParts) {
    this.#context = context;
    this.#reports = reports;
    this.#tickets = new Tickets(key, context.clock);
    this.#limit = isLimited ? openRateLimit(context, "form") : undefined;
  }

  async show(slug: string, request: Request): Promise<Response> {
    const live = await this.#find(slug);
    const words = wordsFor(request);
    if (live === undefined) return replyUnknown("form", words);
    if (live.row.status === "Closed") return replyClosed(live.content, 200, words);
    return this.#replyForm(live, { ticket: this.#tickets.issue(live.row.id) }, words);
  }

  async thank(slug: string, request: Request): Promise<Response> {
    const live = await this.#find(slug);
    const words = wordsFor(request);
    return live === undefined ? replyUnknown("form", words) : replyThanks(live.content, words);
  }

  async submit(visit: Visit): Promise<Response> {
    const live = await this.#find(visit.slug);
    const words = wordsFor(visit.request);
    if (live === undefined) return replyUnknown("form", words);
    if (isForeign(visit.request, this.#context.addresses.publicUrl)) return replyForeign(words);
    if (live.row.status === "Closed") return replyClosed(live.content, 403, words);
    const sent = await this.#receive(live, visit);
    return sent instanceof Response ? sent : this.#take(live, visit, sent);
  }

  /** The body, or why it was not accepted. */
  async #receive({ content }: Live, { request }: Visit): Promise<Sent | Response> {
    const bounds = toBounds(content, request);
    try {
      return (await readSent(request, bounds)) ?? replyUnreadable(wordsFor(request));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return replyRefused(error, bounds.bytes, wordsFor(request));
    }
  }

  async #find(slug: string): Promise<Live | undefined> {
    const row = await findFormBySlug(this.#context.store.db, slug);
    const content = row === undefined ? undefined : readLive(row);
    return row === undefined || content === undefined ? undefined : { row, content };
  }

  async #take(live: Live, { ip, request }: Visit, sent: Sent): Promise<Response> {
    const { id } = live.row;
    const words = wordsFor(request);
    const text = sent.texts.get(TICKET_NAME)?.[0] ?? "";
    const ticket = this.#tickets.read(id, text);
    const again = ({ faults, ...state }: Omit<FormState, "ticket" | "texts">): Response =>
      this.#replyForm(
        live,
        {
          status: 400,
          ...state,
          texts: sent.texts,
          faults: new Map([...toLostImages(live.content, sent, words), ...(faults ?? [])]),
          ticket: ticket === undefined ? this.#tickets.issue(id) : text,
        },
        words,
      );
    const quota = await this.#limit?.take(`${id} ${ip}`, ownLimits.submissionsPerWindow);
    if (quota?.exceeded === true) {
      const problem = fill(words.form.tooMany, { n: quota.resetS });
      return again({ status: 429, problem, headers: { "retry-after": String(quota.resetS) } });
    }
    if ((sent.texts.get(TRAP_NAME)?.[0] ?? "") !== "") {
      return again({ problem: words.form.robot });
    }
    if (ticket === undefined) {
      return again({ problem: words.form.stale });
    }
    const checked = checkAnswers(live.content, sent);
    const { answers, faults } = await this.#takeImages(checked, sent);
    if (faults.size > 0) {
      const told = [...faults].map(([field, fault]) => [field, words.answer[fault]] as const);
      return again({ faults: new Map(told) });
    }
    return this.#store(live, { ticket, answers, request });
  }

  /** Stores the images, once all other answers are right. */
  async #takeImages({ answers, faults: before }: Checked, { files }: Sent): Promise<Checked> {
    const faults = new Map(before);
    if (faults.size > 0) return { answers, faults };
    const taken: FieldAnswer[] = [];
    for (const answer of answers) {
      const file = answer.field_type === "image" ? files.get(answer.field_id) : undefined;
      const value = file === undefined ? answer.value : await this.#saveImage(file);
      if (value === undefined) faults.set(answer.field_id, fieldRules.image.invalid);
      else taken.push({ ...answer, value });
    }
    if (faults.size > 0) await this.#removeImages(taken);
    return { answers: taken, faults };
  }

  /** The name of the file; undefined when it is no image that we accept. */
  async #saveImage(file: Uint8Array): Promise<string | undefined> {
    const { media } = this.#context;
    try {
      const image = await normalizeUpload(file);
      const name = `${toBase32(randomBytes(NAME_CHARACTERS)).slice(0, NAME_CHARACTERS)}.jpg`;
      await media.save(name, image, true);
      return name;
    } catch (error) {
      if (error instanceof AppError && error.kind === "input") return undefined;
      throw error;
    }
  }

  async #removeImages(answers: readonly FieldAnswer[]): Promise<void> {
    for (const { field_type: type, value } of answers) {
      if (type === "image" && typeof value === "string") await this.#context.media.remove(value);
    }
  }

  async #store(
    { row, content }: Live,
    taken: {
      readonly ticket: Ticket;
      readonly answers: readonly FieldAnswer[];
      readonly request: Request;
    },
  ) {
    const { ticket, answers, request } = taken;
    const response = { formId: row.id, ticket, answers };
    const tell = (rows: Rows, stored: FormResponseRow): Promise<void> =>
      this.#report(rows, row, stored);
    const outcome = await storeResponse(this.#context, response, tell).catch(
      async (error: unknown) => {
        await this.#removeImages(answers).catch(() => {});
        throw error;
      },
    );
    if (outcome === "stored") this.#reports.wake();
    if (outcome !== "stored") await this.#removeImages(answers);
    if (outcome === "closed") return replyClosed(content, 403, wordsFor(request));
    const chosen = readChosen(request.url);
    const query = chosen === undefined ? "" : `?lang=${chosen.language}`;
    const thanks = `${this.#toPath(`${toFormPath(row.slug ?? "")}/thanks`)}${query}`;
    const location = content.redirect_url === null ? thanks : new URL(content.redirect_url).href;
    return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
  }

  #report(rows: Rows, form: FormRow, stored: FormResponseRow): Promise<void> {
    const record = toResponseRecord(this.#context, stored);
    return this.#reports.add(rows, {
      workspaceId: form.workspace_id,
      about: form.id,
      recordId: stored.id,
      body: { type: "form.submitted", form_id: form.id, ...record } satisfies FormSubmitted,
      timeMs: this.#context.clock.nowMs(),
    });
  }

  #replyForm({ content }: Live, state: FormState, words: Words): Response {
    const logo = content.logo === null ? null : this.#toPath(`/media/${content.logo}`);
    return replyForm({ content, logo, words }, state);
  }

  /** A path with the public prefix, as browsers request it. */
  #toPath(path: string): string {
    return new URL(this.#context.addresses.hosted(path)).pathname;
  }
}
