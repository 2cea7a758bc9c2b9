/** Labels to be printed once more whose codes are void, or which the server no longer has: they lead nowhere. */
import { showKey } from "../../base/shapes/row-key.ts";
import { badUsage } from "../../base/errors.ts";
import { formatMany, quoteText } from "../../base/text/words.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import type { OpenClient } from "../address/job-client.ts";
import { warnUntold } from "../address/untold.ts";
import type { Ports } from "../ports.ts";
import { askForThese, lookFor } from "../rows/gone-codes.ts";
import { askRemote, BRIEFLY_MS } from "../units/find-deleted.ts";
import { readVoid } from "../units/mark-units.ts";
import type { UnitOrder, UnitWork } from "../units/unit-job.ts";
import type { Reprint } from "./reprint-result.ts";

/** A remote server tells only code by code. */
const MOST_ASKED = 50;
const SHOWN = 10;

interface At {
  readonly state: State;
  readonly ports: Ports;
}

const whetherThere = (count: number): string =>
  `whether it still has the codes of ${formatMany(count, "label")}`;

async function findThere(
  order: UnitOrder,
  rows: readonly StateRow[],
  { state, ports }: At,
): Promise<readonly string[]> {
  const some = rows.slice(0, MOST_ASKED);
  const seen = { shown: 0, keys: [] as string[] };
  const ask = (open: OpenClient) => askForThese(open, state, { rows: some, seen });
  const found = await askRemote(order, ask, ports, BRIEFLY_MS);
  // A server that has shown one of them is believed also where it gave no answer for others.
  const isLate = "because" in found && seen.shown > 0;
  if ("because" in found && !isLate) {
    const problem = warnUntold(whetherThere(rows.length), found.because, ports);
    ports.on({ type: "warning", problem });
    return [];
  }
  const more = rows.length - (isLate ? seen.shown + seen.keys.length : some.length);
  if (more > 0) {
    const why = isLate
      ? `it answered for no more than ${formatMany(rows.length - more, "code")}`
      : `it tells only code by code, ${MOST_ASKED} at most`;
    const message = `the server was not asked ${whetherThere(more)}: ${why}`;
    ports.on({ type: "warning", problem: { message, hint: "look for them there" } });
  }
  return "result" in found ? found.result : seen.keys;
}

/** Keys of those whose short links lead nowhere; a remote server is asked for the first 50, within 15 s. */
export async function findDead(
  order: UnitOrder,
  keys: ReadonlySet<string>,
  at: At,
): Promise<readonly string[]> {
  const rows = [...keys].flatMap((key) => at.state.row(key) ?? []);
  // A Digital Link is answered by its product, whatever became of the code.
  const linked = rows.filter(
    ({ shortLink, remoteId, wanted }) =>
      shortLink !== null &&
      remoteId !== null &&
      wanted.type !== "GS1" &&
      wanted.product === undefined,
  );
  if (linked.length === 0) return [];
  const { server } = order;
  return server.baseUrl === undefined
    ? lookFor(linked, server, at.ports)
    : findThere(order, linked, at);
}

/** Whose codes are gone, in words. */
function sayDead(keys: readonly string[]): string {
  const named = keys.slice(0, SHOWN).map((key) => quoteText(key));
  const more = keys.length > SHOWN ? " and others" : "";
  return `the server no longer has the ${keys.length === 1 ? "code" : "codes"} of ${named.join(", ")}${more}`;
}

/** What named the labels, in the step that is refused: others of them are good. */
const NAMING = ["key", "lines", "spoiled", "sheets", "from", "start", "reason"] as const;

/** Throws `bad-usage`: labels that somebody names must have codes that lead somewhere. */
export function refuseDead(keys: readonly string[], { commandOf }: Pick<Ports, "commandOf">): void {
  if (keys.length === 0) return;
  const more = keys.slice(0, SHOWN).flatMap((key) => ["--key", key]);
  const [them, they] =
    keys.length === 1 ? ["it", "its label leads"] : ["them", "their labels lead"];
  throw badUsage(
    `labels to print again must have codes that work, but ${sayDead(keys)}: ${they} nowhere`,
    `leave ${them} out, or take ${them} out of use: ${commandOf("void", { more, without: NAMING })}`,
  );
}

/** Whole sheets are printed as they lay; with such labels they are not ready for press. */
export function withDead(made: Reprint, keys: readonly string[]): Reprint {
  if (keys.length === 0) return made;
  const message = `${sayDead(keys)}: ${keys.length === 1 ? "this label leads" : "these labels lead"} nowhere`;
  const findings = [...made.findings, { rule: "codes-gone", message }];
  return { ...made, isReady: false, findings };
}

/** Labels of void codes are not printed again: one that is named is refused, whole sheets say so. */
export function tellVoid(
  work: UnitWork,
  { sheets }: { readonly sheets?: ReadonlySet<number> | undefined },
  keys: Iterable<string>,
): void {
  const voided = readVoid(work);
  const dead = [...new Set(keys)].filter((key) => voided.has(key));
  if (dead.length === 0) return;
  const shown = dead.slice(0, SHOWN).map((key) => quoteText(showKey(key)));
  if (sheets === undefined) {
    throw badUsage(`labels to print again must not be void, got ${shown.join(", ")}`);
  }
  const message = `these sheets have labels of void codes: ${shown.join(", ")}`;
  work.on({ type: "warning", problem: { message, hint: "throw these labels away" } });
}
