/** Scans of printed sheets: what became of each label, and the command that prints the spoiled ones again. */
import { showKey } from "../../base/shapes/row-key.ts";
import { badUsage } from "../../base/errors.ts";
import { formatProblem, toShortPath } from "../../base/text/format-problem.ts";
import { rowsFromOf, sayIn, sayNoLonger, type RowsFrom } from "../../base/shapes/rows-from.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { showRanges } from "../../base/text/number-ranges.ts";
import { formatCount, formatMany, formatRunTime, quoteText } from "../../base/text/words.ts";
import {
  isFlawless,
  type LabelCounts,
  type OlderPicture,
  type ScanResult,
  type SheetOnPicture,
  type StrayOnPicture,
  toTakeOff,
} from "../../pipeline/scan-back/scan-back.ts";
import type { PrintMeasure, UnfitMeasure } from "../../pipeline/scan-back/scan-measure.ts";
import type { OpenJob } from "../../pipeline/open.ts";
import type { Ports } from "../../pipeline/ports.ts";
import {
  findSpoiledLeft,
  listSpoiled,
  type SpoiledLeft,
} from "../../pipeline/units/spoiled-left.ts";
import { isRowJob } from "../../kinds/any-job.ts";
import { EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import type { Call } from "../call.ts";
import { sayCounts, withMore } from "../views/lists.ts";
import { makePorts, openJob } from "../open-job.ts";

const SHOWN = 50;
/** Codes are cut off in messages after so many characters. */
const TEXT_LENGTH = 80;

const quoted = (text: string): string => quoteText(text.slice(0, TEXT_LENGTH));

const inPercent = (share: number): string => `${Math.round(share * 100)} %`;

function countLabels({ good, damaged, missing, outside, void: dead }: LabelCounts): string {
  const others = sayCounts([
    [damaged, "damaged"],
    [missing, "missing"],
    [outside, "outside of the picture"],
    [dead, "void"],
  ]);
  const all = formatCount(good + damaged + missing + outside + dead);
  return `${formatCount(good)} of ${all} labels good${others === "" ? "" : `, ${others}`}`;
}

function describeLie({ lie: { quarter, turn, isMirrored } }: SheetOnPicture): string {
  const words = linesOf(
    isMirrored && "mirrored",
    quarter !== 0 && (quarter === 180 ? "upside down" : `turned by ${quarter}°`),
    Math.abs(turn) >= 0.05 && `askew by ${turn.toFixed(1)}°`,
  );
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

function describeSheet(sheet: SheetOnPicture): string {
  const { picture, file, page, labels, isDouble } = sheet;
  const again = isDouble ? ", seen before" : "";
  return `${picture}: ${file} page ${page}${describeLie(sheet)}${again}: ${countLabels(labels)}`;
}

function describeStray({ picture, text, key, isVoid, on }: StrayOnPicture): string {
  const code = isVoid === true ? "void code, which must not ship," : "code";
  const what =
    key === undefined ? `foreign code ${quoted(text)}` : `${code} of row ${quoted(showKey(key))}`;
  const where =
    on === undefined
      ? "on no label"
      : `on ${on.file} page ${on.page}, row ${on.row}, column ${on.column}`;
  return `${picture}: ${what} ${where}`;
}

/** What today's sheets were made by, where that is known. */
const sayBefore = ({ remadeAt }: Pick<ScanResult, "remadeAt">): string =>
  remadeAt === undefined
    ? "printed before the sheets of today were made"
    : `printed before the run of ${formatRunTime(Date.parse(remadeAt))} made the sheets anew`;

const signWords = {
  past: "it holds codes that no sheet of today holds",
  moved: "its codes are not where the sheets of today have them",
  shifted: "its labels are not where the sheets of today have them",
  resized: "its codes are of another size than on the sheets of today",
  added: "it ends where the sheets ended before rows were added",
} as const;

const pastWords = {
  vanished: (from) => `, which is ${sayNoLonger(from)}`,
  bad: (from) => `, which is a bad row ${sayIn(from)} now`,
  deleted: () => ", which was deleted",
  address: () => " with an earlier address",
  unprinted: () => ", which is on no sheet now",
} as const satisfies Record<string, (from: RowsFrom) => string>;

function describeOlder(older: OlderPicture, before: string): string {
  const { picture, why, codes, past } = older;
  const read = `${formatMany(codes, "code", "codes")} read that the sheets of today hold as well`;
  const others = past.length === 0 ? "" : `, ${formatCount(past.length)} that they do not hold`;
  return `${picture}: ${before}: ${signWords[why]}; ${read}${others}`;
}

const describePast = (
  { picture, past, lacks = [], void: dead, foreign }: OlderPicture,
  from: RowsFrom,
): string[] => [
  ...dead.map((key) => `${picture}: void code of row ${quoted(showKey(key))}, which must not ship`),
  ...past.map(
    ({ key, why }) => `${picture}: code of row ${quoted(showKey(key))}${pastWords[why](from)}`,
  ),
  ...lacks.map(
    (key) => `${picture}: not on it yet: row ${quoted(showKey(key))}, which was added since`,
  ),
  ...foreign.map((text) => `${picture}: foreign code ${quoted(text)}`),
];

const describePlace = ({
  file,
  page,
  row,
  column,
  line,
  key,
}: ScanResult["outside"][number]): string =>
  `${file} page ${page}, row ${row}, column ${column}: line ${line}, ${quoted(showKey(key))}`;

const describeSpoiled = (label: ScanResult["spoiled"][number]): string =>
  `${label.state}: ${describePlace(label)}: ${label.reason}`;

const describeVoid = (label: ScanResult["void"][number]): string =>
  `void, ${label.isPrinted ? "" : "and "}${label.reason}: ${describePlace(label)}`;

/** `a.pdf pages 1-3, 5` of each PDF. */
function listPages(pages: ScanResult["unseen"]): string {
  const files = new Map<string, number[]>();
  for (const { file, page } of pages) files.set(file, [...(files.get(file) ?? []), page]);
  return [...files]
    .map(([file, on]) => `${file} ${on.length === 1 ? "page" : "pages"} ${showRanges(on)}`)
    .join("; ");
}

/** Less than half of a percent can't be measured. */
export function sayGrowth(growth: number): string {
  const percent = inPercent(Math.abs(growth));
  if (percent === inPercent(0)) return "dark modules as wide as drawn";
  return `dark modules ${percent} ${growth < 0 ? "narrower" : "wider"} than drawn`;
}

/** When offsets hold: labels may have lain elsewhere before the sheets were made anew. */
const sayTrue = (remadeAt: string | undefined): string =>
  remadeAt === undefined
    ? "the scanner is true to size"
    : `the scanner is true to size and the sheets were printed after the run of ${formatRunTime(Date.parse(remadeAt))}`;

/** Why nothing is offered for `printers.json`, and what to do. */
function sayUnfit({ field, value, least, most, dpi }: UnfitMeasure): string {
  const nothing = "nothing for printers.json";
  return dpi === undefined
    ? `${nothing}: ${field} must be from ${least} to ${most}, got ${value}; print at 100% on paper that lies straight, then scan again`
    : `${nothing}: the picture says ${dpi.says} dpi, but by the size of its labels it must say ${dpi.fits} dpi; give the scan as the scanner made it, or a print at 100%`;
}

const GROWTH = "growth is set by bar_width_reduction of output.sheets, not in printers.json";

function describeMeasure(
  { growth, contrast, turn, printer, unfit }: PrintMeasure,
  remadeAt: string | undefined,
): string[] {
  const ink = linesOf(
    growth !== undefined && sayGrowth(growth),
    contrast !== undefined && `contrast ${inPercent(contrast)}`,
    `askew by ${turn.toFixed(2)}°`,
  );
  return linesOf(
    `measured on the print, with the errors of the scanner: ${ink.join(", ")}`,
    printer !== undefined &&
      `for printers.json, if ${sayTrue(remadeAt)}: ${JSON.stringify(printer)}`,
    unfit !== undefined && sayUnfit(unfit),
    unfit === undefined &&
      printer?.offset_x_mm === undefined &&
      "offset and turn were not measured: scan exactly the paper, with labels on most of it, and save the resolution in the file",
    growth !== undefined && GROWTH,
  );
}

/** Each line once, as of copies of one code. */
function countSame(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, n]) => (n === 1 ? line : `${line} (${formatCount(n)} times)`));
}

function cut(lines: readonly string[]): string[] {
  const all = countSame(lines);
  return withMore(all.slice(0, SHOWN), all.length, (left) => `and ${left} more (--json lists all)`);
}

const nextWords = {
  same: "print the spoiled labels again",
  new: "give the spoiled labels fresh serials",
  forbidden: "take the spoiled labels out of use",
} as const;

const TAKE_OFF = "→ take the void labels off the sheets, and throw them away";

const SCAN_TODAY =
  "→ scan sheets that were printed from the PDFs of today: on older ones no label is judged";

const SCAN_AGAIN =
  "→ give sharp pictures of this job's sheets: scan them flat, at 300 dpi or more, as PNG, JPEG, WebP, TIFF or PDF";

const NO_CODES =
  "→ labels of this job have symbols and no QR codes, so no scan can judge them: check them with a barcode reader, and name each spoiled label to replace or void with --key";

/** Where no sheet was seen; without any sheet that has codes, no picture helps. */
const sayUnseen = ({ unseen, symbols }: ScanResult): string =>
  symbols > 0 && unseen.length === 0 ? NO_CODES : SCAN_AGAIN;

interface Next {
  /** Goes on with a run that did not end. */
  readonly goOn: string;
  readonly next: string | undefined;
  readonly policy: keyof typeof nextWords;
  readonly spoiled: SpoiledLeft | undefined;
  readonly from: RowsFrom;
  /** Labels have backs without a code. */
  readonly hasPlainBacks: boolean;
}

function sayAgain(count: number, files: readonly string[], when: string, cwd: string): string {
  const names = files.map((file) => toShortPath(file, cwd)).join(", ");
  const place = names === "" ? "" : `, in ${names}`;
  return `${formatMany(count, "spoiled label was", "spoiled labels were")} printed again ${when}${place}`;
}

/**
 * Of labels that an older print shows spoiled; and of those that lie where others were printed
 * again before the sheets were made anew.
 */
const sayPrinted = (now: SpoiledLeft, cwd: string): string[] =>
  linesOf(
    now.again > 0 &&
      `${sayAgain(now.again, now.files, "already", cwd)}${now.left === 0 ? ": nothing is left to print" : ""}`,
    now.earlier > 0 &&
      `${sayAgain(now.earlier, now.earlierFiles, "before the sheets were made anew", cwd)}: if the pictures show paper of before, nothing of ${now.earlier === 1 ? "it" : "them"} is left to print`,
  );

/** How many sheets were seen, and what of them. */
export function sayHead(
  result: Pick<ScanResult, "sheets" | "older" | "labels" | "remadeAt">,
): string {
  const older = result.older.length;
  const seen = result.sheets.filter(({ isDouble }) => !isDouble).length;
  const before = sayBefore(result);
  if (seen === 0 && older === 0) return "no sheet seen, no label judged, nothing written";
  if (seen === 0)
    return `${formatMany(older, "picture", "pictures")} of sheets that were ${before}; no label judged, nothing written`;
  const head = `${formatMany(seen, "sheet")} seen, ${countLabels(result.labels)}`;
  if (older === 0) return head;
  const were = older === 1 ? "that was" : "that were";
  return `${head}, and ${formatCount(older)} ${were} ${before}`;
}

const sayUnfinished = (rows: ScanResult["unfinished"], goOn: string): string[] =>
  rows.length === 0
    ? []
    : [
        `the last run was cut short: ${formatMany(rows.length, "row has", "rows have")} no finished sheet yet; go on with: ${goOn}`,
        ...cut(
          rows.map(
            ({ line, key }) => `on no finished sheet yet: line ${line}, ${quoted(showKey(key))}`,
          ),
        ),
      ];

const sayEmpty = (picture: string, hasPlainBacks: boolean): string =>
  `${picture}: no code of this job was read${hasPlainBacks ? "; a back without a code looks so, too" : ""}`;

/** What is to be done with the sheets. */
const listSteps = (result: ScanResult, { next, policy, spoiled: now }: Next, cwd: string) =>
  linesOf(
    ...(now === undefined ? [] : sayPrinted(now, cwd)),
    next !== undefined && `→ ${nextWords[policy]}: ${next}`,
    toTakeOff(result).length > 0 && TAKE_OFF,
    result.older.length > 0 && SCAN_TODAY,
    result.older.length === 0 && result.sheets.length === 0 && sayUnseen(result),
  );

function listResult(result: ScanResult, next: Next, cwd: string): string[] {
  const { goOn, from, hasPlainBacks } = next;
  const { spoiled, earlier = [], outside, strays, older, empty, unreadable } = result;
  const { unseen, symbols, measured } = result;
  const before = sayBefore(result);
  const lines = linesOf(
    ...(result.address ?? []).map((problem) => formatProblem(problem, cwd)),
    ...sayUnfinished(result.unfinished, goOn),
    ...result.sheets.map(describeSheet),
    ...older.map((one) => describeOlder(one, before)),
    ...cut(older.flatMap((one) => describePast(one, from))),
    ...cut(spoiled.map(describeSpoiled)),
    ...cut(earlier.map((one) => `by an earlier scan, ${describeSpoiled(one)}`)),
    ...cut(result.void.map(describeVoid)),
    ...cut(outside.map((one) => `not in the picture: ${describePlace(one)}`)),
    ...cut(strays.map(describeStray)),
    ...empty.map((picture) => sayEmpty(picture, hasPlainBacks)),
    ...unreadable.map((problem) => formatProblem(problem, cwd)),
    unseen.length > 0 && `not scanned: ${listPages(unseen)}`,
    symbols > 0 && `${formatMany(symbols, "symbol")} not looked at: a scan judges QR codes`,
    ...(measured === undefined ? [] : describeMeasure(measured, result.remadeAt)),
    result.file !== undefined && `written: ${toShortPath(result.file, cwd)}`,
  );
  const shown = lines.map((line) => `  ${line}`);
  return [`${result.job}: ${sayHead(result)}`, ...shown, ...listSteps(result, next, cwd)];
}

/** The command for spoiled labels that are left, by the job's policy. */
async function findNext({ job, server }: OpenJob, result: ScanResult, ports: Ports): Promise<Next> {
  const goOn = ports.commandOf("run");
  const from = rowsFromOf(job);
  if (!isRowJob(job)) {
    const none = { next: undefined, policy: "same", spoiled: undefined } as const;
    return { goOn, ...none, from, hasPlainBacks: false };
  }
  const { back = null } = job.output.sheets ?? {};
  const hasPlainBacks =
    back !== null && back.label?.art.items.some(({ kind }) => kind === "code") !== true;
  const policy = job.output.sheets?.reprint ?? "same";
  const spoiled = await findSpoiledLeft({ job, server }, listSpoiled(result), ports);
  const verb = policy === "forbidden" ? "void" : "replace";
  // Labels that lead nowhere are not printed again.
  const isMoved = (result.address ?? []).length > 0;
  const next =
    spoiled.left === 0 || isMoved ? undefined : ports.commandOf(verb, { more: ["--spoiled"] });
  return { goOn, next, policy, spoiled, from, hasPlainBacks };
}

export async function scan(call: Call): Promise<number> {
  const images = call.input.others ?? [];
  if (images.length === 0) {
    throw badUsage(
      "scans or photos must be named, got none",
      "makeready scan jobs/table-codes.yaml page-1.png page-2.png",
    );
  }
  const { cwd } = call.context;
  const opened = await openJob(call);
  const ports = makePorts(call);
  const files = images.map((image) => call.resolve(image));
  const result = await opened.scan(ports, { files, cwd });
  const next = await findNext(opened, result, ports);
  const lines = listResult(result, next, cwd);
  const left = next.spoiled?.left ?? 0;
  call.tell("summary", { ...result, left, next: next.next ?? null }, ...lines);
  return isFlawless(result) ? 0 : EXIT_ROWS_FAILED;
}
