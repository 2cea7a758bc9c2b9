/** Codes of a job made void, or activated: noted in the ledger, and void ones at the service (docs/ledger.md). */
import { showKey } from "../../base/shapes/row-key.ts";
import { AppError, badUsage } from "../../base/errors.ts";
import { quoteText } from "../../base/text/words.ts";
import type { UnitFate } from "../../state/unit-ledger.ts";
import { describeQuestion } from "../checks/confirm.ts";
import type { Ports } from "../ports.ts";
import { chooseUnits, type ChosenUnit, type UnitWish } from "./choose-units.ts";
import { withUnits, type UnitOrder, type UnitWork } from "./unit-job.ts";

export interface MarkRequest extends UnitWish {
  /** Who says so. */
  readonly by: string;
  readonly reason?: string | undefined;
  /** True: the question whether to go on is answered with yes. */
  readonly isConfirmed?: boolean | undefined;
}

export interface MarkResult {
  readonly job: string;
  readonly what: UnitFate;
  /** Rows that are marked now and were not before, by key; and those that were already. */
  readonly marked: readonly string[];
  readonly already: readonly string[];
  /** How many void codes lead to the page that says so. */
  readonly silenced: number;
  /** Void codes that still work: static ones, Digital Links, and those of another server. */
  readonly alive: number;
}

export const keyOf = ({ row }: ChosenUnit): string => row.key;

/** Keys of the job that are void. */
export const readVoid = ({ units, owner }: UnitWork): Set<string> =>
  new Set(
    units
      .list(owner)
      .filter(({ what }) => what === "void")
      .map(({ unit }) => unit),
  );

/** Throws `confirm-needed` without a yes. */
export async function askToVoid(
  ports: Pick<Ports, "confirm" | "commandOf">,
  command: "void" | "replace",
  {
    fresh,
    isConfirmed,
  }: { readonly fresh: readonly ChosenUnit[]; readonly isConfirmed: boolean | undefined },
): Promise<void> {
  if (fresh.length === 0 || isConfirmed === true) return;
  const keys = fresh.map(keyOf);
  const question = { does: "void", thing: "code", count: keys.length, keys } as const;
  if ((await ports.confirm?.(question)) === true) return;
  throw new AppError("confirm-needed", `this would ${describeQuestion(question)}`, {
    hint: `to say yes: ${ports.commandOf(command, { more: ["--yes"] })}`,
  });
}

/**
 * Key -> id of the codes that a service can answer as void: a Digital Link is answered for its
 * product, which outlives the code.
 */
export function idsToSilence({ state }: UnitWork, keys: Iterable<string>): Map<string, string> {
  const ids = new Map<string, string>();
  for (const key of keys) {
    const row = state.row(key);
    if (row === undefined || (row.made ?? row.wanted).type === "GS1") continue;
    if (row.shortLink !== null && row.remoteId !== null)
      ids.set(key, row.parts.codeId ?? row.remoteId);
  }
  return ids;
}

/** Makes all void codes of the job answer so, also those whose marking was cut off; answers how many do. */
export async function silence(
  work: UnitWork,
  { server }: Pick<UnitOrder, "server">,
  ports: Pick<Ports, "server" | "clock">,
): Promise<Pick<MarkResult, "silenced" | "alive">> {
  const keys = readVoid(work);
  const ids = [...idsToSilence(work, keys).values()];
  const isOurs = server.baseUrl === undefined;
  const silenced =
    isOurs && ids.length > 0
      ? await ports.server.makeVoid(server.dataDir, { ids, nowMs: ports.clock.nowMs() })
      : 0;
  const dead = await countDead(work, keys, { ids, isOurs, dataDir: server.dataDir, ports });
  return { silenced, alive: keys.size - silenced - dead };
}

/** Void codes that nobody can scan any more: our own service has them no longer, or the job deleted them. */
async function countDead(
  { state }: UnitWork,
  keys: ReadonlySet<string>,
  {
    ids,
    isOurs,
    dataDir,
    ports,
  }: {
    readonly ids: readonly string[];
    readonly isOurs: boolean;
    readonly dataDir: string;
    readonly ports: Pick<Ports, "server">;
  },
): Promise<number> {
  const there = isOurs ? await ports.server.named(dataDir, ids) : undefined;
  const gone = there === undefined ? 0 : ids.filter((id) => !there.has(id)).length;
  const deleted = [...keys].filter((key) => {
    const row = state.row(key);
    // A static code is read without its server, and a Digital Link is answered by its product.
    if (row === undefined || !row.wanted.dynamic || row.wanted.type === "GS1") return false;
    return row.remoteId === null && (row.parts.deleted?.length ?? 0) > 0;
  });
  return gone + deleted.length;
}

/**
 * Marks rows as void or activated. Throws `bad-usage` for a row that isn't there, `confirm-needed`
 * without a yes.
 */
export const markUnits = (
  order: UnitOrder,
  { what, ...request }: MarkRequest & { readonly what: "void" | "activated" },
  ports: Ports,
): Promise<MarkResult> =>
  withUnits(order, ports, async (work) => {
    const { units, owner } = work;
    const chosen = await chooseUnits(work, request);
    const events = units.list(owner);
    const known = new Set(events.filter((one) => one.what === what).map(({ unit }) => unit));
    const [fresh, already] = [
      chosen.filter((one) => !known.has(keyOf(one))),
      chosen.filter((one) => known.has(keyOf(one))),
    ];
    const { isConfirmed } = request;
    if (what === "void") await askToVoid(ports, "void", { fresh, isConfirmed });
    else refuseVoid(fresh, readVoid(work));
    const at = { atMs: ports.clock.nowMs(), who: request.by };
    const notes = fresh.map(({ row, reason }) => ({
      unit: row.key,
      what,
      reason: request.reason ?? reason,
    }));
    units.note(owner, notes, at);
    const told = what === "void" ? await silence(work, order, ports) : { silenced: 0, alive: 0 };
    return {
      job: order.job.name,
      what,
      marked: fresh.map(keyOf),
      already: already.map(keyOf),
      ...told,
    };
  });

/** A void code can't be activated. */
function refuseVoid(chosen: readonly ChosenUnit[], voided: ReadonlySet<string>): void {
  const dead = chosen.map(keyOf).filter((key) => voided.has(key));
  if (dead.length === 0) return;
  throw badUsage(
    `codes that are activated must not be void, got ${dead
      .slice(0, 10)
      .map((key) => quoteText(showKey(key)))
      .join(", ")}`,
  );
}
