/** What became of labels since a scan found them spoiled, for read-only use. */
import type { SpoiledLabel } from "../../pack/spoiled-labels.ts";
import {
  groupByUnit,
  readUnitEvents,
  toPlaceText,
  type NotedEvent,
} from "../../state/unit-ledger.ts";
import { lookAtState } from "../standing/look-at-state.ts";
import type { Ports } from "../ports.ts";
import { findThere, type KeptReprint, listReprints } from "../reprint/reprints.ts";
import { isLeft, scannedPlacer } from "./last-scan.ts";
import type { UnitOrder } from "./unit-job.ts";
import { toUnitOwner } from "./unit-owner.ts";

/** All that are to be marked: those of an earlier scan as well. */
export const listSpoiled = ({
  spoiled,
  earlier = [],
}: {
  readonly spoiled: readonly SpoiledLabel[];
  readonly earlier?: readonly SpoiledLabel[] | undefined;
}): readonly SpoiledLabel[] => [...spoiled, ...earlier];

export interface SpoiledLeft {
  /** Labels that nobody has printed again or taken out of use. */
  readonly left: number;
  /** Labels whose codes are void by now. */
  readonly dead: number;
  /** Labels that were printed again. */
  readonly again: number;
  /** PDFs that have them and are still there, absolute; the latest first. */
  readonly files: readonly string[];
  /** Of those that are left: labels in places whose labels were printed again before the sheets were made anew. */
  readonly earlier: number;
  /** PDFs that have these. */
  readonly earlierFiles: readonly string[];
}

const isVoid = (noted: readonly NotedEvent[]): boolean => noted.some(({ what }) => what === "void");

/** In any print: the scan may be of paper from before the sheets were made anew. */
const wasSpoiled = (label: SpoiledLabel, noted: readonly NotedEvent[]): boolean =>
  noted.some(
    ({ what, place }) =>
      what === "spoiled" && place !== undefined && toPlaceText(place) === toPlaceText(label),
  );

/** Key of a row -> the latest PDF that has its labels once more. */
function toLatest(reprints: readonly KeptReprint[]): ReadonlyMap<string, string> {
  const latest = new Map<string, string>();
  for (const { file, cells } of reprints.toReversed())
    for (const { key } of cells) latest.set(key, file);
  return latest;
}

/** As `replace --spoiled` sees them now. */
export async function findSpoiledLeft(
  { job, server: { dataDir } }: UnitOrder,
  spoiled: readonly SpoiledLabel[],
  ports: Pick<Ports, "clock" | "writer">,
): Promise<SpoiledLeft> {
  return lookAtState(job, ports, (state) => {
    const owner = toUnitOwner({ job, dataDir, state });
    const byKey = groupByUnit(readUnitEvents(dataDir, owner));
    const notedOf = ({ key }: SpoiledLabel): readonly NotedEvent[] => byKey.get(key) ?? [];
    const living = spoiled.filter((label) => !isVoid(notedOf(label)));
    const dead = spoiled.length - living.length;
    if (state === undefined)
      return { left: living.length, dead, again: 0, files: [], earlier: 0, earlierFiles: [] };
    const toScanned = scannedPlacer({ folder: job.output.dir, state });
    const isOpen = (label: SpoiledLabel): boolean => isLeft(toScanned(label), notedOf(label));
    const again = living.filter((label) => !isOpen(label));
    const earlier = living.filter((label) => isOpen(label) && wasSpoiled(label, notedOf(label)));
    const reprints = listReprints(state);
    const latest = toLatest(reprints);
    const filesOf = (labels: readonly SpoiledLabel[]): string[] => {
      const names = new Set(labels.map(({ key }) => latest.get(key)));
      return findThere(
        job,
        reprints.filter(({ file }) => names.has(file)),
      );
    };
    return {
      left: living.length - again.length,
      dead,
      again: again.length,
      files: filesOf(again),
      earlier: earlier.length,
      earlierFiles: filesOf(earlier),
    };
  });
}
