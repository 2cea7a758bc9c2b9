/**
 * Codes that exist get another design, in place. An update sets values, so repeating one is
 * harmless: no doubt has to be cleared up. What is replaced is on the disk before it is.
 */
import { isRowError } from "./change.ts";
import type { Code } from "../api/code.ts";
import type { DesignPatch } from "../api/design.ts";
import { toMessage } from "../base/errors.ts";
import type { Client } from "../client/client.ts";
import { isDesigned, isUntouched, type DesignFields } from "../plan/restyle.ts";
import type { ChangeLog, Fields } from "../state/change-log.ts";
import type { StateRow } from "../state/row.ts";
import type { State } from "../state/state.ts";
import { checkSvg } from "../svg/check-svg.ts";
import { ANY, TO_RESTYLE } from "../state/which-rows.ts";

/** What happens while codes are changed, for progress and views. */
export interface ChangeEvents {
  changed(row: StateRow): void;
  /** The code was so already: nothing was sent. */
  unchanged(row: StateRow): void;
  failed(row: StateRow, message: string): void;
}

/** What every change of codes that exist works with. */
export interface ChangeContext {
  readonly state: State;
  readonly client: Client;
  /** Undefined when nothing is kept for `undo`. */
  readonly changes: ChangeLog | undefined;
  /** ISO. */
  readonly now: () => string;
  readonly events: ChangeEvents;
  readonly signal: AbortSignal;
}

export interface RedesignContext extends ChangeContext {
  /** Base64 of the image that `logo_file` of a design stands for. */
  readonly logoBase64: string | undefined;
  /** Keeps a picture of a code whose design isn't known; returns its place, for people. */
  readonly keepPicture: (row: StateRow, svg: Uint8Array) => Promise<string>;
  readonly skipUnchanged: boolean;
  /** False where the server is known to show no designs. Default true. */
  readonly tellsDesign?: boolean | undefined;
  /** At most this many writes. */
  readonly limit: number | null;
}

type Seen = Readonly<Record<string, unknown>>;

export const asSeen = (value: unknown): Seen | undefined =>
  typeof value === "object" && value !== null ? (value as Seen) : undefined;

/** The design of a code, where the server shows it: ours does. */
export const readDesign = ({ design }: Code): Seen | undefined => asSeen(design);

function toPatch(design: DesignFields, logoBase64: string | undefined): DesignPatch {
  const { logo_file: logo, ...rest } = design;
  return { ...rest, ...(logo !== undefined && { logo_base64: logoBase64 }) };
}

/**
 * A code's design before the change: the server's, with the logo that this job had set if nothing
 * has changed since; else the one that this job had sent.
 */
function toBefore(current: Seen | undefined, last: Fields | undefined): Seen | undefined {
  const [sent, left] = [asSeen(last?.["sent"]), asSeen(last?.["design"])];
  if (current === undefined) return left ?? sent;
  const isOurs = left !== undefined && isUntouched(current, left);
  const logo = isOurs ? sent?.["logo_file"] : undefined;
  return logo === undefined ? current : { ...current, logo_file: logo };
}

class Redesigner {
  readonly #context: RedesignContext;
  /** False once a server has answered without a design: then it is asked no more. */
  #tellsDesign: boolean;
  #left: number;

  constructor(context: RedesignContext) {
    this.#context = context;
    this.#tellsDesign = context.tellsDesign ?? true;
    this.#left = context.limit ?? Number.POSITIVE_INFINITY;
  }

  async redesign(row: StateRow): Promise<void> {
    const { state, client, changes, events, logoBase64 } = this.#context;
    if (this.#left <= 0) return;
    const design = row.wanted.design;
    const current = await this.#ask(row.key);
    if (current !== undefined && this.#isDone(row, current)) {
      changes?.applied(row.key, { sent: design, design: current });
      state.selected.redesigned(row.key, row.designHash, null);
      events.unchanged(row);
      return;
    }
    if (this.#left <= 0) return;
    this.#left -= 1;
    await this.#keep(row, current);
    const code = await client.restyleCode(row.key, toPatch(design, logoBase64));
    changes?.applied(row.key, { sent: design, design: readDesign(code) });
    state.selected.redesigned(row.key, row.designHash, code.svg ?? null);
    events.changed(row);
  }

  /** The code's design by the server; undefined where it shows none or none is needed. */
  async #ask(id: string): Promise<Seen | undefined> {
    const { client, changes, skipUnchanged } = this.#context;
    if (!this.#tellsDesign || (changes === undefined && !skipUnchanged)) return undefined;
    const design = readDesign(await client.getCode(id));
    this.#tellsDesign = design !== undefined;
    return design;
  }

  /** The last resort: it can't be sent back, but it can be looked at. */
  async #keepPicture(row: StateRow): Promise<Fields | null> {
    const { client, keepPicture, signal, changes } = this.#context;
    const kept = changes?.begun(row.key);
    if (kept !== undefined) return kept.before;
    const { svg_url: url } = await client.downloadCode(row.key);
    const options = { maxBytes: MAX_PICTURE_BYTES, expect: "image/svg+xml", signal } as const;
    const svg = await client.fetchAsset(url, options);
    await checkSvg(svg, signal);
    return { picture: await keepPicture(row, svg) };
  }

  #isDone(row: StateRow, current: Seen): boolean {
    const { changes, skipUnchanged } = this.#context;
    // An update whose answer was lost is not sent again if the server already shows it.
    const isBegun = changes?.begun(row.key) !== undefined;
    return (skipUnchanged || isBegun) && isDesigned(current, row.wanted.design);
  }

  async #keep(row: StateRow, current: Seen | undefined): Promise<void> {
    const { changes, now } = this.#context;
    if (changes === undefined) return;
    const last = changes.lastOf(row.key);
    const before = toBefore(current, last?.state === "applied" ? last.after : undefined);
    changes.begin(
      {
        key: row.key,
        remoteId: row.key,
        isLink: false,
        name: row.wanted.displayName,
        before: before === undefined ? await this.#keepPicture(row) : { design: before },
        after: { sent: row.wanted.design },
      },
      now(),
    );
  }
}

/** A picture of a code is small; this bounds what a broken server may send. */
const MAX_PICTURE_BYTES = 32 * 1024 * 1024;

/**
 * Gives every selected code the design that its row wants. A code's failure is reported, not
 * thrown.
 */
export async function redesignRows(context: RedesignContext): Promise<void> {
  const { state, client, events, signal, changes, logoBase64 } = context;
  const mark = [...state.page(ANY, { afterSeq: -1, limit: 1 })][0]?.wanted.design["logo_file"];
  if (typeof mark === "string" && logoBase64 !== undefined) changes?.keepLogo(mark, logoBase64);
  const redesigner = new Redesigner(context);
  const work = async (row: StateRow): Promise<void> => {
    try {
      await redesigner.redesign(row);
    } catch (error) {
      if (!isRowError(error)) throw error;
      changes?.dropped(row.key);
      state.journal.stepFailed(row.key, { message: toMessage(error) });
      events.failed(row, toMessage(error));
    }
  };
  await client.eachWrite(state.rows(TO_RESTYLE), work, { priority: "updates", signal });
}
