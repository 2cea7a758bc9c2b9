/** What the last scan-back found spoiled (`spoiled.csv`), and which of it nobody has marked. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";

import { AppError, badUsage } from "../../base/errors.ts";
import { SPOILED, type SpoiledLabel } from "../../pack/spoiled-labels.ts";
import { withoutMark } from "../../read/cells/clean-cell.ts";
import { toOwnSource } from "../../read/rows/mended.ts";
import { openSource } from "../../read/source.ts";
import type { StateRow } from "../../state/row.ts";
import {
  groupByUnit,
  isSameLabel,
  type NotedEvent,
  readUnitEvents,
  toPlaceText,
  type UnitPlace,
} from "../../state/unit-ledger.ts";
import { type KeptReprint, listReprints } from "../reprint/reprints.ts";
import { readSheetGroups } from "../stages/sheets.ts";
import type { Work } from "../stages/work.ts";
import type { UnitOrder } from "./unit-job.ts";
import { toUnitOwner } from "./unit-owner.ts";

/** Where a label lay in the print that was scanned. */
export interface ScannedPlace extends UnitPlace {
  /** Undefined where a person named the label. */
  readonly scannedMs?: number;
}

export interface SpoiledByScan {
  readonly place: ScannedPlace;
  readonly reason: string;
  /** As `spoiled.csv` has it. */
  readonly label: SpoiledLabel;
}

const NOTHING: ReadonlyMap<string, readonly SpoiledByScan[]> = new Map();

const COLUMNS = ["key", "file", "page", "row", "column", "reason"] as const;

const toFile = ({ folder }: Pick<Work, "folder">): string => path.join(folder, SPOILED);

/**
 * The place of a spoiled label in its print. Lists of an older makeready don't say which print they
 * are of, nor when it was scanned: the print of today and the time of the list count.
 */
export function scannedPlacer(
  work: Pick<Work, "folder" | "state">,
): (label: UnitPlace & Pick<SpoiledLabel, "scanned">) => ScannedPlace {
  const toPlace = placer(work);
  const listedMs = statSync(toFile(work), { throwIfNoEntry: false })?.mtimeMs ?? NaN;
  return ({ scanned = "", ...label }) => {
    const place = toPlace(label);
    return {
      ...place,
      sha256: label.sha256 === undefined || label.sha256 === "" ? place.sha256 : label.sha256,
      scannedMs: scanned === "" ? listedMs : Date.parse(scanned),
    };
  };
}

function toListed(cells: Readonly<Record<string, string>>): SpoiledLabel {
  // Programs take some texts for formulas: those have a mark in front.
  const text = (name: string): string => withoutMark(cells[name] ?? "");
  const count = (name: string): number => Number(cells[name]);
  return {
    line: count("line"),
    key: text("key"),
    caption: text("caption"),
    file: text("file"),
    page: count("page"),
    row: count("row"),
    column: count("column"),
    state: text("state") === "missing" ? "missing" : "damaged",
    reason: text("reason"),
    picture: text("picture"),
    sha256: cells["sha256"],
    scanned: cells["scanned"],
  };
}

/** Throws `bad-usage` where there is no such file. */
async function readListed(work: Work): Promise<SpoiledLabel[]> {
  const file = toFile(work);
  if (!existsSync(file)) {
    throw badUsage(
      `${file} must hold spoiled labels, got no such file`,
      "makeready scan writes it",
    );
  }
  const source = await openSource(await toOwnSource(file, ["line", "key"]), [], work.signal);
  const found: SpoiledLabel[] = [];
  try {
    const missing = COLUMNS.filter((name) => !source.columns.includes(name));
    if (missing.length > 0)
      throw badUsage(
        `${file} must have the columns of a scan-back, got none named ${missing.join(", ")}`,
      );
    for await (const { cells } of source.rows()) {
      // Void labels are listed, too; they are out of use already.
      if (cells["state"] !== "void") found.push(toListed(cells));
    }
  } finally {
    await source.close();
  }
  return found;
}

/** By key. Throws `bad-usage` where there is no such file. */
export async function readSpoiled(work: Work): Promise<Map<string, SpoiledByScan[]>> {
  const labels = await readListed(work);
  const toScanned = scannedPlacer(work);
  const found = new Map<string, SpoiledByScan[]>();
  const listed = new Set<string>();
  for (const label of labels) {
    const { key, reason } = label;
    const place = toScanned(label);
    // An older makeready listed a label with two codes twice.
    const id = JSON.stringify([key, toPlaceText(place), place.sha256]);
    if (!listed.has(id)) found.set(key, [...(found.get(key) ?? []), { place, reason, label }]);
    listed.add(id);
  }
  return found;
}

/** Where a label lies, and in which print of its PDF. */
export function placer(work: Pick<Work, "state">): (cell: Omit<UnitPlace, "sha256">) => UnitPlace {
  const volumes = [
    ...readSheetGroups(work).flatMap((group) => group.volumes),
    ...listReprints(work.state).toReversed(),
  ];
  const hashes = new Map(volumes.map(({ file, sha256 }) => [file, sha256]));
  return ({ file, page, row, column }) => ({
    file,
    page,
    row,
    column,
    sha256: hashes.get(file),
  });
}

/** The places of a row's labels today, those that were printed again as well. */
export function placesOf(
  { key, labels }: Pick<StateRow, "key" | "labels">,
  again: readonly KeptReprint[],
): ReadonlySet<string> {
  const reprinted = again.flatMap(({ file, cells }) =>
    cells.flatMap((cell) => (cell.key === key ? [{ ...cell, file }] : [])),
  );
  return new Set([...labels, ...reprinted].map(toPlaceText));
}

/**
 * A label that was noted as spoiled in this print, or in any since the scan, is not spoiled a second
 * time.
 */
export const isLeft = (place: ScannedPlace, noted: readonly NotedEvent[]): boolean =>
  !noted.some(
    ({ what, place: gone, atMs }) =>
      what === "spoiled" &&
      gone !== undefined &&
      (isSameLabel(gone, place) ||
        (toPlaceText(gone) === toPlaceText(place) && atMs > (place.scannedMs ?? Infinity))),
  );

/** What the scan found spoiled of a row, and `replace --spoiled` has not taken out of use. */
export type FindUnmarked = (
  row: Pick<StateRow, "key" | "labels">,
  noted: readonly NotedEvent[],
) => readonly SpoiledByScan[];

/** Labels that lie elsewhere by now are those of an older print, and left out. */
function toFinder(
  work: Work,
  spoiled: ReadonlyMap<string, readonly SpoiledByScan[]>,
): FindUnmarked {
  const again = listReprints(work.state);
  return (row, noted) => {
    const own = spoiled.get(row.key);
    if (own === undefined || noted.some(({ what }) => what === "void")) return [];
    const lie = placesOf(row, again);
    const byPlace = new Map(own.map((one) => [toPlaceText(one.place), one]));
    return [...byPlace]
      .filter(([text, { place }]) => lie.has(text) && isLeft(place, noted))
      .map(([, one]) => one);
  };
}

export const openLastScan = async (work: Work): Promise<FindUnmarked> =>
  existsSync(toFile(work)) ? toFinder(work, await readSpoiled(work)) : () => [];

/**
 * What an earlier scan found on labels that no picture of a new one shows, and that nobody has marked since.
 * `seen`: places that they show. Warns where that list can't be read: the new scan writes another one.
 */
export async function listEarlier(
  work: Work,
  { job, server: { dataDir } }: UnitOrder,
  seen: ReadonlySet<string>,
): Promise<SpoiledLabel[]> {
  if (!existsSync(toFile(work))) return [];
  const spoiled = await readSpoiled(work).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const message = `spoiled labels of earlier scans are not kept: ${SPOILED} can't be read as their list`;
    work.on({ type: "warning", problem: { message, hint: "scan those sheets again" } });
    return NOTHING;
  });
  if (spoiled.size === 0) return [];
  const { state } = work;
  const findUnmarked = toFinder(work, spoiled);
  const byKey = groupByUnit(readUnitEvents(dataDir, toUnitOwner({ job, dataDir, state })));
  const found: SpoiledLabel[] = [];
  for (const row of state.rows()) {
    for (const { place, label } of findUnmarked(row, byKey.get(row.key) ?? []))
      if (!seen.has(toPlaceText(place))) found.push(label);
  }
  return found;
}
