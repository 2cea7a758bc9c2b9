/** The verdict on what a job made: whether it may go to press, and with which warnings. */
import {
  type Press,
  type PressWarningCode,
  type PressWarning,
  joinPressWarnings,
  withNames,
  type SampledCount,
} from "../../base/shapes/press-warning.ts";
import { checkColors } from "../../plan/contrast.ts";
import { networkFaultOf } from "../../plan/odd-text.ts";
import { localTargetOf, placeholderOf } from "../../plan/placeholder.ts";
import { cutKey, cutText } from "../../base/text/words.ts";
import { sayRow } from "../../plan/row-place.ts";
import type { StateRow, Wanted } from "../../state/row.ts";
import {
  ANY,
  atOrigins,
  MAY_JOIN_NETWORK,
  MAY_LEAD_NOWHERE,
  MAY_LEAD_TO_ITSELF,
  PRESENT_NOT_SHOWN,
  SHOWN_WITHOUT_SHEET,
} from "../../state/which-rows.ts";
import { DesignCensus, type DesignCount, type JudgedLabels } from "../paper/label-census.ts";
import { lostFilesIn, refusedIn } from "./left.ts";
import { originsOf } from "../address/link-origins.ts";
import type { Proof } from "../results.ts";
import { recallKept } from "../rows/kept-rows.ts";
import { isLoopbackUrl } from "../../base/text/url.ts";
import type { SheetGroup } from "../stages/stage.ts";
import type { Work } from "../stages/work.ts";

type Printed = Pick<Work, "state" | "job" | "isRehearsal">;

const LINES_SHOWN = 3;

/** Of a code that was there before. */
const nameOf = ({ key, wanted }: Pick<StateRow, "key" | "wanted">): string =>
  cutKey(wanted.displayName || key);

/** Bad rows, rows that failed and rows that are left: none of them has a label. */
function findMissing({ state, job }: Printed): PressWarning[] {
  // A run without a good row keeps what earlier ones made of its rows.
  const known = new Set(recallKept(state)?.known);
  const bad = [...state.bad.list()].filter(({ line }) => !known.has(line));
  const unmade = state.count(PRESENT_NOT_SHOWN);
  const unprinted = job.output.sheets === null ? 0 : state.count(SHOWN_WITHOUT_SHEET);
  const count = bad.length + unmade + unprinted;
  if (count === 0) return [];
  const first = { afterSeq: -1, limit: LINES_SHOWN };
  const pages = [
    ...(unmade === 0 ? [] : state.page(PRESENT_NOT_SHOWN, first)),
    ...(unprinted === 0 ? [] : state.page(SHOWN_WITHOUT_SHEET, first)),
  ];
  const { source } = job;
  const names =
    source === null
      ? [
          ...bad.map(({ cells }) => cells["display_name"] || cells["id"] || ""),
          ...pages.map(nameOf),
        ]
      : [...bad, ...pages].toSorted((a, b) => a.line - b.line).map((row) => sayRow(source, row));
  return [{ code: "rows-missing", count, rows: [], what: names.slice(0, LINES_SHOWN) }];
}

/** Rows that are bad now, with the label of an earlier run. */
function findKeptRows({ state, job: { source } }: Printed): PressWarning[] {
  const lines = new Set(recallKept(state)?.done);
  if (lines.size === 0 || source === null) return [];
  const rows = [...state.bad.list()].filter(({ line }) => lines.has(line));
  const what = rows.slice(0, LINES_SHOWN).map((row) => sayRow(source, row));
  return [{ code: "rows-kept", count: rows.length, rows: [], what }];
}

/** Rows in one state, the first of them by name. */
function warnOf(
  { state, job: { source } }: Printed,
  code: PressWarningCode,
  where: string,
): PressWarning[] {
  const count = state.count(where);
  if (count === 0) return [];
  const what = state
    .page(where, { afterSeq: -1, limit: LINES_SHOWN })
    .map((row) => (source === null ? nameOf(row) : sayRow(source, row)));
  return [{ code, count, rows: [], what }];
}

/** Codes that are as they were, since the server refused a later call for them. */
const findRefused = (printed: Printed): PressWarning[] =>
  warnOf(printed, "changes-refused", refusedIn(printed.job.kind));

/** Codes whose pictures could not be fetched. */
const findLostFiles = (printed: Printed): PressWarning[] =>
  warnOf(printed, "files-missing", lostFilesIn(printed.job.kind));

/** Where all codes lead here, the verdict says it. */
export function findHere({ state, job }: Pick<Work, "state" | "job">): PressWarning[] {
  const origins = originsOf(state);
  if (origins.every(isLoopbackUrl)) return [];
  const here = origins.filter(isLoopbackUrl);
  if (here.length === 0) return [];
  const where = atOrigins(here);
  const first = state.page(where, { afterSeq: -1, limit: LINES_SHOWN });
  const what = first.map((row) =>
    job.source === null ? cutKey(row.key) : `${cutKey(row.key)} (${sayRow(job.source, row)})`,
  );
  const { count } = state.counts({ count: where });
  return [{ code: "codes-lead-here", count, rows: [], what }];
}

/** Codes in whose content something is found; `what` begins with the first finding. Each fault of networks has a warning of its own. */
function warnOfContent(
  { state, job: { source } }: Printed,
  code: PressWarningCode,
  where: string,
  find: (wanted: Wanted) => string | undefined,
): PressWarning[] {
  const groups = new Map<string, { count: number; readonly what: string[] }>();
  for (const row of state.pick(["key", "line", "cells", "wanted"], where)) {
    const found = find(row.wanted);
    if (found === undefined) continue;
    const name = code === "networks-dead" ? found : "";
    const group = groups.get(name) ?? { count: 0, what: [cutText(found)] };
    groups.set(name, group);
    group.count += 1;
    if (group.count > LINES_SHOWN) continue;
    group.what.push(source === null ? nameOf(row) : `${cutKey(row.key)} (${sayRow(source, row)})`);
  }
  return Array.from(groups.values(), ({ count, what }) => ({ code, count, rows: [], what }));
}

/** Codes with an address that stands for another one: whoever scans them finds nothing. */
const findPlaceholders = (printed: Printed): PressWarning[] =>
  warnOfContent(printed, "codes-lead-nowhere", MAY_LEAD_NOWHERE, placeholderOf);

const findLocalTargets = (printed: Printed): PressWarning[] =>
  warnOfContent(printed, "codes-lead-to-phone", MAY_LEAD_TO_ITSELF, localTargetOf);

const findDeadNetworks = (printed: Printed): PressWarning[] =>
  warnOfContent(printed, "networks-dead", MAY_JOIN_NETWORK, networkFaultOf);

function findUnreadable(designs: readonly DesignCount[]): PressWarning[] {
  const found = designs.filter(
    ({ design }) => checkColors(design as Wanted["design"]).unreadable.length > 0,
  );
  return joinPressWarnings([
    found.map(({ count, rows }) => ({ code: "codes-hard-to-scan", count, rows, what: [] })),
  ]);
}

function findDoubts({ verification: { findings } }: Proof): PressWarning[] {
  const doubts = findings.filter(({ severity }) => severity === "warning");
  if (doubts.length === 0) return [];
  const what = [...new Set(doubts.map(({ rule }) => `rule ${rule}`))];
  return [{ code: "proof-warnings", count: doubts.length, rows: [], what }];
}

function readDesigns({ state }: Printed): DesignCount[] {
  const census = new DesignCensus();
  for (const row of state.pick(["key", "wanted"], ANY)) census.add(row);
  return census.list();
}

interface Made {
  readonly sheets: readonly SheetGroup[];
  readonly proof: Proof | undefined;
  /** Of the plan; default: as the state has them. */
  readonly labels?: JudgedLabels | undefined;
  /** Codes that look otherwise at the service than they are printed. */
  readonly otherLooks?: readonly PressWarning[] | undefined;
  /** Files are missing, or are not what was written. */
  readonly isBroken?: boolean;
}

/** Every code is proven, and the server has it. */
const isSound = ({ isProven }: Proof, warnings: readonly PressWarning[]): boolean =>
  isProven && warnings.every(({ code }) => code !== "codes-gone");

const toSampled = ({ codes, decoded, printed }: Proof): SampledCount => ({
  codes,
  decoded,
  ...(printed && { printed }),
});

function listWarnings(
  work: Printed,
  { sheets, otherLooks = [], labels = { designs: readDesigns(work) } }: Made,
  proof: Proof,
): PressWarning[] {
  const { designs, hasPlaceholders = true, hasDeadNetworks = true } = labels;
  return [
    ...findMissing(work),
    ...findKeptRows(work),
    ...findRefused(work),
    ...findLostFiles(work),
    ...(work.isRehearsal ? findHere(work) : []),
    ...(hasPlaceholders ? [...findPlaceholders(work), ...findLocalTargets(work)] : []),
    ...(hasDeadNetworks ? findDeadNetworks(work) : []),
    ...otherLooks,
    ...joinPressWarnings(sheets.map(({ press = [] }) => press)),
    ...findUnreadable(designs),
    ...findDoubts(proof),
  ];
}

/** Undefined where nothing was made that could be printed. */
export function judgePress(work: Printed, made: Made): Press | undefined {
  const { proof, isBroken = false } = made;
  if (proof === undefined) return undefined;
  const found = listWarnings(work, made, proof);
  const { state, job } = work;
  const warnings =
    job.source === null ? withNames(found, (key) => state.row(key)?.wanted.displayName) : found;
  if (isBroken || !isSound(proof, warnings)) return { verdict: "not-ready", warnings };
  if (work.isRehearsal) return { verdict: "rehearsal", warnings };
  const { codes, compared } = proof;
  if (compared !== undefined)
    return { verdict: "ready-sampled", warnings, sampled: toSampled(proof) };
  const verdict = warnings.length === 0 ? "ready" : "ready-with-warnings";
  return { verdict, warnings, ...(codes === 0 && { pictures: true }) };
}
