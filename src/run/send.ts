/**
 * One create: intent on disk, one send, the outcome on disk
 * (docs/spec/engine.md sections 1.3 and 1.4).
 */
import { toCarried } from "../api/carried.ts";
import type { Code } from "../api/code.ts";
import { AppError, toMessage } from "../base/errors.ts";
import type { CreateOutcome } from "../client/client.ts";
import { KEYS_HONOURED } from "../state/pin.ts";
import type { StateRow } from "../state/row.ts";
import { toBodyHash } from "./body.ts";
import { isRowError } from "./change.ts";
import type { RunContext } from "./context.ts";
import { renewFolder } from "./folders.ts";
import { toFound } from "./maker.ts";
import { toCreatedMs } from "./match.ts";
import { ServerClock } from "./server-clock.ts";

/**
 * The outcome of a send. `twin`: an equal row got the code. `folder-gone`: the server no longer
 * knows the folder; `renewFolder` asks for it again. `disputed`: in doubt after a refusal that does
 * not prove that nothing was made.
 */
export type Sent = CreateOutcome["kind"] | "twin" | "interrupted" | "folder-gone" | "disputed";

const KEY_LIFE_MS = 23 * 60 * 60 * 1000;

/**
 * The folder may have been deleted since its id was remembered. Ruled out when the id was asked for
 * in this run.
 */
function missesFolder(row: StateRow, outcome: CreateOutcome): boolean {
  if (outcome.kind !== "refused" || row.state !== "pending") return false;
  return outcome.status === 404 || outcome.problems.some(({ where }) => where?.field === "folder");
}

export class Sender {
  readonly #context: RunContext;
  /** Folders that were asked for again, and those of them whose new id is known. */
  readonly #asked = new Map<string, Promise<void>>();
  readonly #renewed = new Set<string>();
  /** Key of a row -> when its last create in doubt left, monotonic. */
  readonly #doubtSentMs = new Map<string, number>();
  readonly serverClock: ServerClock;
  /** Key of the last row whose create was answered with its code. */
  lastMade: string | undefined;

  constructor(context: RunContext) {
    this.#context = context;
    this.serverClock = new ServerClock(context.clock, context.client);
  }

  /** True when this server knows our keys: it is ours, or has sent one back. */
  get keysHonoured(): boolean {
    const { settings, state } = this.#context;
    return settings.keysHonoured || state.meta(KEYS_HONOURED) === "yes";
  }

  /** When the row's last create in doubt left, monotonic, ms; undefined where this run sent none. */
  doubtSentMs(key: string): number | undefined {
    return this.#doubtSentMs.get(key);
  }

  /** True while the server still knows what it made under the row's key: a day, less a margin. */
  isKeyAlive(row: StateRow): boolean {
    const firstMs = row.intentAtMs ?? 0;
    return row.ref !== null && this.serverClock.nowMs() - firstMs < KEY_LIFE_MS;
  }

  /** Asks once per run for the folder of a row, for all rows that miss it. */
  async renewFolder({ wanted: { folder } }: StateRow): Promise<void> {
    if (folder === null) return;
    const asked = this.#asked.get(folder) ?? renewFolder(this.#context, folder);
    this.#asked.set(folder, asked);
    await asked;
    this.#renewed.add(folder);
  }

  /**
   * Sends the create of a pending row, or that of a row in doubt again under its first key. The
   * outcome is in the state when this resolves.
   */
  async send(row: StateRow): Promise<Sent> {
    const { state } = this.#context;
    const { folder } = row.wanted;
    const isRenewed = folder === null || this.#renewed.has(folder);
    const body = await this.#prepare(row);
    if (typeof body === "string") return body;
    const ref = row.state === "doubt" && row.ref !== null ? row.ref : this.#toRef(row);
    const outcome = await this.#create(row, body, ref);
    if (outcome === "interrupted") return outcome;
    if (outcome.keyEchoed && !this.keysHonoured) state.setMeta(KEYS_HONOURED, "yes");
    if (outcome.kind === "refused" && (await this.#isTaken(row, outcome))) return "done";
    if (!isRenewed && missesFolder(row, outcome)) {
      state.journal.notSent(row.key);
      return "folder-gone";
    }
    return this.#settle(row, outcome);
  }

  /** Durable when this resolves: bytes may leave. */
  async #intend(row: StateRow, body: object, ref: string): Promise<void> {
    const { maker, state } = this.#context;
    const intentAtMs = this.serverClock.nowMs();
    if (row.state !== "pending") {
      state.journal.resent(row.key, intentAtMs);
      return;
    }
    const made = maker.toMadeFirst?.(row);
    const intent = { key: row.key, ref, bodyHash: toBodyHash(body), intentAtMs, made };
    // One sync of the disk serves all creates that are about to leave.
    await state.commit(() => state.journal.intend([intent]), "full");
  }

  /** The body of a create, or the outcome of a row that needs none or can't have one. */
  async #prepare(row: StateRow): Promise<object | "done" | "refused" | "doubt"> {
    const { maker, state, events } = this.#context;
    try {
      await maker.prepare?.(row);
      if (maker.isSetOnly?.(row) !== true) return await maker.toBody(row);
      events.done(row, false);
      return "done";
    } catch (error) {
      if (!isRowError(error)) throw error;
      // An earlier send may have made it: the list decides, not this refusal.
      if (row.state === "doubt") return "doubt";
      state.journal.refused(row.key, { message: toMessage(error) });
      events.failed(row, toMessage(error));
      return "refused";
    }
  }

  /** Interrupted while it waits for the pace, a create has not left: its row stays as it is. */
  async #create(
    row: StateRow,
    body: object,
    idempotencyKey: string,
  ): Promise<CreateOutcome | "interrupted"> {
    const { clock, maker, signal } = this.#context;
    let sentMs = 0;
    const beforeSend = async (): Promise<void> => {
      await this.#intend(row, body, idempotencyKey);
      sentMs = clock.monotonicMs();
    };
    try {
      const outcome = await maker.create(body, { idempotencyKey, signal, beforeSend });
      if (outcome.kind === "doubt") this.#doubtSentMs.set(row.key, sentMs);
      return outcome;
    } catch (error) {
      if (signal.aborted) return "interrupted";
      throw error;
    }
  }

  #toRef(row: StateRow): string {
    return this.#context.state.toRef(row.key, row.generation);
  }

  async #made(row: StateRow, code: Code): Promise<Sent> {
    const { events, state, maker } = this.#context;
    // A server that knows keys may answer what it made long ago.
    const offMs = this.keysHonoured ? 0 : this.serverClock.created(toCreatedMs(code));
    if (offMs !== 0) state.journal.redated(this.serverClock.nowMs(), offMs);
    const made = {
      key: row.key,
      remoteId: code.id,
      created: code.created,
      shortLink: toCarried(code),
      svg: code.svg === "" ? null : (code.svg ?? null),
      parts: maker.toParts?.(code),
    };
    const isOurs = await state.commit(() => state.journal.done(made));
    if (isOurs) {
      this.lastMade = row.key;
      events.done(row, false);
    } else {
      events.inDoubt(row, "its code was given to an equal row");
    }
    return isOurs ? "done" : "twin";
  }

  /**
   * A refused slug is taken: by this row itself, whose answer was lost, or by something else. A
   * look at its holder decides (docs/spec/engine.md section 1.1).
   */
  async #isTaken(row: StateRow, outcome: CreateOutcome & { kind: "refused" }): Promise<boolean> {
    const { maker, state, events } = this.#context;
    if (maker.isKeyed?.(row) !== true || maker.findHolder === undefined) return false;
    const fields = outcome.problems.map(({ where }) => where?.field);
    if (fields.length > 0 && !fields.includes("slug")) return false;
    const item = await maker.findHolder(row);
    if (item === undefined) return false;
    const isOurs = state.journal.done(toFound(maker, row.key, item));
    if (isOurs) events.done(row, true);
    return isOurs;
  }

  #doubt(row: StateRow, { status = 0, message }: CreateOutcome & { kind: "doubt" }): Sent {
    const { events, state } = this.#context;
    const isNo = status >= 400 && status < 500;
    state.journal.doubt(row.key, isNo ? { message, status } : null);
    events.inDoubt(row, message);
    return isNo ? "disputed" : "doubt";
  }

  async #settle(row: StateRow, outcome: CreateOutcome): Promise<Sent> {
    const { events, state, settings } = this.#context;
    const { journal } = state;
    switch (outcome.kind) {
      case "done":
        return this.#made(row, outcome.code);
      case "refused":
        // The first send may have made the code all the same: the list decides. Our own service
        // remembers.
        if (row.state === "doubt" && !settings.keysHonoured) return "doubt";
        journal.refused(row.key, { message: outcome.message, status: outcome.status });
        events.failed(row, outcome.message);
        return "refused";
      case "not-sent":
      case "limited":
        // A row that was in doubt before stays so: this answer says nothing of the first send.
        if (row.state === "pending") journal.notSent(row.key);
        return outcome.kind;
      case "auth":
        if (row.state === "pending") journal.notSent(row.key);
        throw new AppError("token-refused", outcome.message, {
          hint: "check the token, the workspace and what its plan allows; nothing is lost, run the same command again",
          status: outcome.status,
        });
      case "doubt":
        return this.#doubt(row, outcome);
      default:
        return outcome satisfies never;
    }
  }
}
