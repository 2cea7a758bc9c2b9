/** Replaces spoiled labels as `output.sheets.reprint` says: the same again, or a fresh serial. */
import { AppError, badUsage } from "../../base/errors.ts";
import { groupByUnit, type NotedEvent, type UnitEvent } from "../../state/unit-ledger.ts";
import type { Ports } from "../ports.ts";
import { checkPrinted, reprintWork, tellCutShort } from "../reprint/reprint.ts";
import type { Reprint } from "../reprint/reprint-result.ts";
import type { LabelPlace, MaybeCutShort } from "../reprint/reprint-labels.ts";
import { refuseOtherSerials } from "../rows/serial-origin.ts";
import { chooseUnits, labelsOf, type ChosenUnit } from "./choose-units.ts";
import { isLeft, placer, type ScannedPlace } from "./last-scan.ts";
import {
  askToVoid,
  keyOf,
  readVoid,
  silence,
  type MarkRequest,
  type MarkResult,
} from "./mark-units.ts";
import { withUnits, type JobSerials, type UnitOrder, type UnitWork } from "./unit-job.ts";

export interface ReplaceRequest extends MarkRequest {
  /** First cell of the new sheet, for labels that are printed again as they are. */
  readonly start?: number | undefined;
}

export interface ReplaceResult extends Omit<MarkResult, "what" | "marked"> {
  readonly policy: "same" | "new";
  /** Rows whose labels are replaced now. */
  readonly replaced: readonly string[];
  /** `same`: those of them that a person named and that were replaced before, and how often. */
  readonly before?: readonly { readonly key: string; readonly times: number }[];
  /** `same`: what was printed; `new`: nothing yet, a run makes the fresh codes. */
  readonly reprint: Reprint | undefined;
  /** `new`: its round, which is part of the new PDFs' names. */
  readonly round: number | undefined;
}

/** Number and serial of a row, as its source made them. */
function toNumbered({ row }: ChosenUnit): { readonly number: number; readonly serial: string } {
  return { number: Number(row.cells["number"]), serial: row.cells["serial"] ?? "" };
}

/** A round that no run has made yet takes more in; else a new one begins. */
function nextRound(work: UnitWork, { ledger, owner }: JobSerials): number {
  const made = ledger.replacements(owner);
  const last = made.at(-1)?.round ?? 0;
  const serials = new Set(made.filter(({ round }) => round === last).map(({ serial }) => serial));
  for (const row of work.state.rows()) {
    if (serials.has(row.cells["serial"] ?? "")) return last + 1;
  }
  return Math.max(1, last);
}

interface Asked {
  readonly request: ReplaceRequest;
  readonly ports: Ports;
}

async function mintAgain(
  work: UnitWork,
  order: UnitOrder,
  { request, ports }: Asked,
): Promise<ReplaceResult> {
  if (request.start !== undefined) {
    throw badUsage(
      "--start must be left out: a run prints the fresh serials, from output.sheets.start on",
      "leave it out, then run the job",
    );
  }
  const { serials, units, owner } = work;
  if (serials === undefined) throw new AppError("bug", "a job that mints again must have serials");
  // Otherwise codes would become void, and no run would make the serials in their place.
  refuseOtherSerials(work.state, { origin: serials.ledger.originOf(serials.owner.identity) });
  const chosen = await chooseUnits(work, request);
  const replacedBefore = new Set(
    serials.ledger.replacements(serials.owner).map(({ replaced }) => replaced),
  );
  const isReplaced = (one: ChosenUnit): boolean => replacedBefore.has(toNumbered(one).serial);
  const fresh = chosen.filter((one) => !isReplaced(one));
  await askToVoid(ports, "replace", { fresh, isConfirmed: request.isConfirmed });
  const notes = fresh.map(({ row, reason }) => ({
    unit: row.key,
    what: "void" as const,
    reason: request.reason ?? reason,
  }));
  // First void, then mint: after a kill in between, the next call replaces them.
  units.note(owner, notes, { atMs: ports.clock.nowMs(), who: request.by });
  const round = nextRound(work, serials);
  if (fresh.length > 0) {
    // Breaks the seal: the next run has new rows.
    work.state.breakSeal();
    serials.ledger.replace(serials.owner, fresh.map(toNumbered), round);
  }
  return {
    job: order.job.name,
    policy: "new",
    replaced: fresh.map(keyOf),
    already: chosen.filter(isReplaced).map(keyOf),
    reprint: undefined,
    round: fresh.length === 0 ? undefined : round,
    ...(await silence(work, order, ports)),
  };
}

/** Rows that a person names once more: the label in place of the first may be spoiled, too. */
const countBefore = (
  chosen: readonly ChosenUnit[],
  known: ReadonlyMap<string, readonly NotedEvent[]>,
): { readonly key: string; readonly times: number }[] =>
  chosen
    .filter(({ places }) => places.length === 0)
    .map((one) => {
      const events = known.get(keyOf(one)) ?? [];
      return { key: keyOf(one), times: events.filter(({ what }) => what === "spoiled").length };
    })
    .filter(({ times }) => times > 0);

/** The labels to be printed once more: those of a scan once each, of a row that a person names one or those pointed at. */
function toSpoiled(
  { row, places, reason }: ChosenUnit,
  { known, given, toPlace, pointed }: Known,
): UnitEvent[] {
  const isOpen = (place: ScannedPlace): boolean => isLeft(place, known);
  const event = { unit: row.key, what: "spoiled", reason: given ?? reason } as const;
  if (places.length > 0) return places.filter(isOpen).map((place) => ({ ...event, place }));
  if (pointed.length > 0) {
    // A label that was replaced before is replaced once more; the ledger knows its place already.
    const meant = pointed.map(({ key: _key, ...place }) => toPlace(place));
    return meant.map((place) => ({ ...event, place: isOpen(place) ? place : undefined }));
  }
  return [{ ...event, place: labelsOf(row).map(toPlace).find(isOpen) }];
}

interface Known {
  /** Of the row. */
  readonly known: readonly NotedEvent[];
  readonly given: string | undefined;
  readonly toPlace: ReturnType<typeof placer>;
  readonly pointed: readonly LabelPlace[];
}

async function printAgain(
  work: UnitWork,
  order: UnitOrder,
  { request, ports, cutShort }: Asked & MaybeCutShort,
): Promise<ReplaceResult> {
  const { units, owner } = work;
  const known = units.list(owner);
  const voided = readVoid(work);
  const chosen = await chooseUnits(work, request);
  const dead = chosen.map(keyOf).filter((key) => voided.has(key));
  const living = chosen.filter(({ row }) => !voided.has(row.key));
  const byKey = groupByUnit(known);
  const toPlace = placer(work);
  const { start, places = [], reason: given } = request;
  const spoiled = living.map((one) =>
    toSpoiled(one, {
      known: byKey.get(keyOf(one)) ?? [],
      given,
      toPlace,
      pointed: places.filter(({ key }) => key === keyOf(one)),
    }),
  );
  const keys = spoiled.flat().map(({ unit }) => unit);
  if (keys.length > 0) await checkPrinted(order, work, ports);
  const by = { atMs: ports.clock.nowMs(), who: request.by };
  const reprint =
    keys.length === 0
      ? undefined
      : await reprintWork(
          work,
          { keys, places, by, start, cutShort, spoiled: spoiled.flat() },
          { order, ports },
        );
  const replaced = [...new Set(keys)];
  const left = living.map(keyOf).filter((key) => !replaced.includes(key));
  return {
    job: order.job.name,
    policy: "same",
    replaced,
    already: [...dead, ...left],
    before: countBefore(living, byKey),
    reprint,
    round: undefined,
    silenced: 0,
    alive: 0,
  };
}

/** Replaces spoiled labels. Throws `bad-usage` where the job forbids it, `confirm-needed` without a yes. */
export const replaceUnits = (
  order: UnitOrder,
  request: ReplaceRequest,
  ports: Ports,
): Promise<ReplaceResult> =>
  withUnits(order, ports, async (work) => {
    const policy = order.job.output.sheets?.reprint ?? "same";
    if (policy === "new") return mintAgain(work, order, { request, ports });
    if (policy === "same") {
      const cutShort = tellCutShort("replace", work, ports);
      return printAgain(work, order, { request, ports, cutShort });
    }
    throw new AppError("bad-usage", "spoiled labels of this job must not be replaced", {
      hint: `to take them out of use: ${ports.commandOf("void")}`,
      where: { file: order.job.file, field: "output.sheets.reprint" },
    });
  });
