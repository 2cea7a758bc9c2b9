/** Gathers all records of a job's codes: state, ledgers, service. */
import { sha256 } from "../../base/ids/ids.ts";
import type { UnitLine } from "../../pack/units-csv.ts";
import type { Replacement } from "../../read/rows/serial-ledger.ts";
import type { StateRow } from "../../state/row.ts";
import { groupByUnit, type NotedEvent } from "../../state/unit-ledger.ts";
import {
  BAD_WITH_CODE,
  VANISHED_DELETED_UNNAMED,
  VANISHED_FILED,
  VANISHED_WITH_CODE,
  WITH_DELETED_CODES,
} from "../../state/which-rows.ts";
import { toPayload } from "../stages/payload.ts";
import type { Ports } from "../ports.ts";
import { isMaker } from "../stages/vanished-rows.ts";
import { labelsOf } from "./choose-units.ts";
import { findDeleted } from "./find-deleted.ts";
import { openLastScan } from "./last-scan.ts";
import { idsToSilence } from "./mark-units.ts";
import type { UnitOrder, UnitWork } from "./unit-job.ts";

/** One code of the job with all that became of it. */
export interface Unit {
  readonly row: StateRow;
  /** Undefined before its code is made. */
  readonly payload: string | undefined;
  /** Pieces of paper. */
  readonly labels: ReturnType<typeof labelsOf>;
  readonly isProven: boolean;
  readonly voided: NotedEvent | undefined;
  readonly activated: NotedEvent | undefined;
  readonly spoiled: readonly NotedEvent[];
  readonly reprinted: readonly NotedEvent[];
  /** What the last scan found damaged or missing, and nobody has marked: why. */
  readonly damaged: readonly string[];
  readonly replacedBy: string | undefined;
  readonly replaces: string | undefined;
  /** Where it is a replacement: in which round. */
  readonly round: number | undefined;
  /** Void, but not at our own service: its short link still works. */
  readonly isLeadingOn: boolean;
  readonly voidScans: number | undefined;
  /** Why the job has no row for a code that was made; its labels are on no sheet of today. */
  readonly gone: Gone | undefined;
  /** The service has the code no longer, and the job does not know. */
  readonly isLost: boolean;
}

/** The spreadsheet has the row no longer: the code is left, filed or deleted; or has it as a bad row. */
const GONE = {
  vanished: VANISHED_WITH_CODE,
  filed: VANISHED_FILED,
  deleted: VANISHED_DELETED_UNNAMED,
  bad: BAD_WITH_CODE,
} as const;
export type Gone = keyof typeof GONE;

/** PDFs that were opened again and whose codes were all read. */
function readProven({ state }: UnitWork): Set<string> {
  const names = state.groups("sheets").map(({ name }) => name);
  return new Set(
    names.filter((name) => {
      const proof = state.packaged(`proof ${name}`)?.result as
        | { readonly codes: number; readonly decoded: number; readonly compared?: number }
        | undefined;
      return proof !== undefined && proof.codes === proof.decoded + (proof.compared ?? 0);
    }),
  );
}

const isMade = ({ state, shortLink, wanted }: StateRow): boolean =>
  state === "done" && (shortLink !== null || !wanted.dynamic);

export interface Gathered {
  /** Read from the state whenever they are gone through: one is in memory at a time. */
  readonly units: Iterable<Unit>;
  readonly events: readonly NotedEvent[];
  readonly replacements: readonly Replacement[];
}

type Fates = Pick<Unit, "voided" | "activated" | "spoiled" | "reprinted">;

const toFates = (own: readonly NotedEvent[]): Fates => ({
  voided: own.find(({ what }) => what === "void"),
  activated: own.find(({ what }) => what === "activated"),
  spoiled: own.filter(({ what }) => what === "spoiled"),
  reprinted: own.filter(({ what }) => what === "reprinted"),
});

/** Which serials replace which; empty where rows have no serials. */
function openChains(replacements: readonly Replacement[]) {
  const freshOf = new Map(replacements.map((one) => [one.replaced, one.serial]));
  const origin = new Map(replacements.map((one) => [one.serial, one]));
  return ({ cells }: StateRow): Pick<Unit, "replacedBy" | "replaces" | "round"> => {
    const serial = cells["serial"] ?? "";
    const from = origin.get(serial);
    return { replacedBy: freshOf.get(serial), replaces: from?.replaced, round: from?.round };
  };
}

/**
 * Scans of void codes, by key, where our own service counts them; null for one that the
 * service has no longer, undefined for one that still works.
 */
async function countScans(
  work: UnitWork,
  voided: Iterable<string>,
  { order, ports }: { readonly order: UnitOrder; readonly ports: Pick<Ports, "server"> },
): Promise<ReadonlyMap<string, number | null | undefined>> {
  const { dataDir, baseUrl } = order.server;
  const ids = idsToSilence(work, voided);
  if (baseUrl !== undefined || ids.size === 0) return new Map();
  const scans = await ports.server.countVoidScans(dataDir, [...ids.values()]);
  return new Map([...ids].map(([key, id]) => [key, scans.get(id)]));
}

/** Rows that have or had codes, and that the spreadsheet has no longer or only as bad rows. */
function listGone(work: UnitWork): (readonly [Gone, StateRow])[] {
  if (!isMaker(work)) return [];
  return (Object.keys(GONE) as Gone[]).flatMap((gone) =>
    work.state.goneRows(GONE[gone]).map((row) => [gone, row] as const),
  );
}

/** What was noted of a key while it had one code: after the one before it was deleted, until it was. */
const within = (events: readonly NotedEvent[], afterMs: number, untilMs = Infinity) =>
  events.filter(({ atMs }) => atMs > afterMs && atMs <= untilMs);

/** A key that is void stays void, whichever code it has. */
function fatesOfNow({ parts }: StateRow, own: readonly NotedEvent[]): Fates {
  const last = parts.deleted?.at(-1);
  if (last === undefined) return toFates(own);
  const { voided } = toFates(own);
  return { ...toFates(within(own, Date.parse(last.at))), voided };
}

/** Codes that were deleted, also of rows that are back and have new ones. */
function* listDeleted(
  rows: Iterable<StateRow>,
  {
    eventsOf,
    chainOf,
  }: {
    readonly eventsOf: (row: StateRow) => readonly NotedEvent[];
    readonly chainOf: ReturnType<typeof openChains>;
  },
): Iterable<Unit> {
  for (const row of rows) {
    let before = -Infinity;
    for (const { id: remoteId, created, shortLink, at } of row.parts.deleted ?? []) {
      const fates = toFates(within(eventsOf(row), before, Date.parse(at)));
      before = Date.parse(at);
      const { replacedBy, ...origin } = chainOf(row);
      yield {
        row: { ...row, remoteId, created, shortLink },
        gone: "deleted",
        isLost: false,
        payload: undefined,
        labels: [],
        damaged: [],
        isProven: false,
        ...fates,
        ...origin,
        replacedBy: fates.voided === undefined ? undefined : replacedBy,
        isLeadingOn: false,
        voidScans: undefined,
      };
    }
  }
}

/** All codes that rows of the spreadsheet have today, in their order; then those without such a row. */
export async function gatherUnits(
  work: UnitWork,
  order: UnitOrder,
  ports: Ports,
): Promise<Gathered> {
  const { state, serials, owner } = work;
  const events = work.units.list(owner);
  const replacements = serials?.ledger.replacements(serials.owner) ?? [];
  const byKey = groupByUnit(events);
  const eventsOf = ({ key }: StateRow): readonly NotedEvent[] => byKey.get(key) ?? [];
  const chainOf = openChains(replacements);
  const proven = readProven(work);
  const voided = [...byKey].flatMap(([key, own]) =>
    own.some(({ what }) => what === "void") ? [key] : [],
  );
  const scans = await countScans(work, voided, { order, ports });
  const findUnmarked = await openLastScan(work);
  const listed = listGone(work);
  const left = listed.flatMap(([gone, row]) => (gone === "vanished" ? [row] : []));
  const lost = await findDeleted(order, left, ports);
  const toUnit = (row: StateRow, gone?: Gone): Unit => ({
    row,
    gone: lost.has(row.key) ? "deleted" : gone,
    isLost: lost.has(row.key),
    payload: isMade(row) ? toPayload(row) : undefined,
    labels: gone === undefined ? labelsOf(row) : [],
    damaged: gone === undefined ? findUnmarked(row, eventsOf(row)).map(({ reason }) => reason) : [],
    isProven: proven.has(row.placing.sheets ?? ""),
    ...fatesOfNow(row, eventsOf(row)),
    ...chainOf(row),
    isLeadingOn:
      row.wanted.product === undefined && scans.has(row.key) && scans.get(row.key) === undefined,
    voidScans: scans.get(row.key) ?? undefined,
  });
  function* read(): Iterator<Unit> {
    for (const row of state.rows()) yield toUnit(row);
    for (const [gone, row] of listed) yield toUnit(row, gone);
    if (!isMaker(work)) return;
    yield* listDeleted(state.rows(WITH_DELETED_CODES), { eventsOf, chainOf });
    yield* listDeleted(state.many.gone(WITH_DELETED_CODES), { eventsOf, chainOf });
  }
  return { units: { [Symbol.iterator]: read }, events, replacements };
}

/** Labels on paper by what became of them. */
export interface LabelFates {
  readonly good: number;
  readonly spoiled: number;
  /** Damaged or missing by the last scan, and marked by nobody yet. */
  readonly damaged: number;
  readonly void: number;
}

/**
 * Labels of a code on paper: printed, minus what was spoiled, and what a scan found damaged or
 * missing; none of a void one is good. Those of a row that is gone are counted no longer.
 */
export function countFate(unit: Unit): LabelFates {
  const none = { good: 0, spoiled: 0, damaged: 0, void: 0 };
  if (unit.gone !== undefined) return none;
  const printed = unit.labels.length + unit.reprinted.length;
  if (unit.voided !== undefined) return { ...none, void: printed };
  const spoiled = unit.spoiled.length;
  // Codes of both sides may be damaged, on one piece of paper.
  const damaged = Math.min(unit.damaged.length, Math.max(0, printed - spoiled));
  return { ...none, good: printed - spoiled - damaged, spoiled, damaged };
}

/** A row that has no code yet. */
export const isUnmade = ({ payload, gone }: Unit): boolean =>
  payload === undefined && gone === undefined;

const toIso = (event: NotedEvent | undefined): string =>
  event === undefined ? "" : new Date(event.atMs).toISOString();

function toState(unit: Unit): UnitLine["state"] {
  if (unit.voided !== undefined) return "void";
  if (unit.gone !== undefined) return unit.gone;
  if (isUnmade(unit)) return "unmade";
  const { good, spoiled, damaged } = countFate(unit);
  if (good <= 0 && damaged > 0) return "damaged";
  if (good <= 0 && spoiled > 0) return "spoiled";
  if (unit.activated !== undefined) return "activated";
  if (unit.labels.length === 0) return "minted";
  return unit.isProven ? "proven" : "printed";
}

export function toUnitLine(unit: Unit): UnitLine {
  const { row, labels, voided, activated, spoiled, reprinted } = unit;
  const fate = countFate(unit);
  const reasons = [...spoiled.map(({ reason }) => reason), ...unit.damaged];
  const places = labels.map(
    ({ file, page, row: across, column }) => `${file} ${page} ${across} ${column}`,
  );
  return {
    key: row.key,
    line: row.line,
    state: toState(unit),
    minted: row.created ?? "",
    labels: places.join(" | "),
    good: fate.good,
    spoiled: spoiled.length,
    damaged: fate.damaged,
    reprinted: reprinted.length,
    void_at: toIso(voided),
    void_by: voided?.who ?? "",
    reason: voided?.reason ?? [...new Set(reasons)].join(" | "),
    replaces: unit.replaces ?? "",
    replaced_by: unit.replacedBy ?? "",
    activated_at: toIso(activated),
    activated_by: activated?.who ?? "",
    void_scans: unit.voidScans,
    id: row.remoteId ?? "",
    short_link: row.shortLink ?? "",
  };
}

export const hashOf = ({ payload }: Unit): string | undefined =>
  payload === undefined ? undefined : sha256(payload);
