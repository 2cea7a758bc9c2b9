/** Scans of printed sheets: what became of each label, and the command that prints the spoiled ones again. */
import { showKey } from "../../base/row-key.ts";
import { badUsage } from "../../base/errors.ts";
import { formatProblem, toShortPath } from "../../base/format-problem.ts";
import { showRanges } from "../../base/number-ranges.ts";
import { formatCount, formatMany } from "../../base/words.ts";
import {
  isFlawless,
  type LabelCounts,
  type PrintMeasure,
  type ScanResult,
  type SheetOnPicture,
  type StrayOnPicture,
  toTakeOff,
} from "../../pipeline/scan-back.ts";
import type { OpenJob } from "../../pipeline/open.ts";
import type { Ports } from "../../pipeline/ports.ts";
import { findSpoiledLeft, type SpoiledLeft } from "../../pipeline/units/spoiled-left.ts";
import { isRowJob } from "../../kinds/any-job.ts";
import { EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import type { Call } from "../call.ts";
import { withMore } from "../lists.ts";
import { makePorts, openJob } from "../open-job.ts";

const SHOWN = 50;
/** Codes are cut off in messages after so many characters. */
const TEXT_LENGTH = 80;

const quoted = (text: string): string => JSON.stringify(text.slice(0, TEXT_LENGTH));

const inPercent = (share: number): string => `${Math.round(share * 100)} %`;

function countLabels({ good, damaged, missing, outside, void: dead }: LabelCounts): string {
  const others = [
    [damaged, "damaged"],
    [missing, "missing"],
    [outside, "outside of the picture"],
    [dead, "void"],
  ] as const;
  const told = others
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatCount(count)} ${word}`);
  const all = formatCount(good + damaged + missing + outside + dead);
  return [`${formatCount(good)} of ${all} labels good`, ...told].join(", ");
}

function describeLie({ lie: { quarter, turn, isMirrored } }: SheetOnPicture): string {
  const words = [
    isMirrored ? "mirrored" : "",
    quarter === 180 ? "upside down" : quarter === 0 ? "" : `turned by ${quarter}°`,
    Math.abs(turn) < 0.05 ? "" : `askew by ${turn.toFixed(1)}°`,
  ].filter((word) => word !== "");
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

const describePlace = ({
  file,
  page,
  row,
  column,
  line,
  key,
}: ScanResult["outside"][number]): string =>
  `${file} page ${page}, row ${row}, column ${column}: line ${line}, ${quoted(key)}`;

const describeVoid = (label: ScanResult["void"][number]): string =>
  `void, ${label.isPrinted ? "" : "and "}${label.reason}: ${describePlace(label)}`;

/** `a.pdf pages 1-3, 5` of each PDF. */
function listPages(pages: ScanResult["unseen"]): string {
  const files = new Map<string, number[]>();
  for (const { file, page } of pages) files.set(file, [...(files.get(file) ?? []), page]);
  return [...files]
    .map(([file, numbers]) => {
      const word = numbers.length === 1 ? "page" : "pages";
      return `${file} ${word} ${showRanges(numbers)}`;
    })
    .join("; ");
}

/** Less than half of a percent can't be measured. */
export function sayGrowth(growth: number): string {
  const percent = inPercent(Math.abs(growth));
  if (percent === inPercent(0)) return "dark modules as wide as drawn";
  return `dark modules ${percent} ${growth < 0 ? "narrower" : "wider"} than drawn`;
}

function describeMeasure({ growth, contrast, turn, printer }: PrintMeasure): string[] {
  const ink = [
    growth === undefined ? "" : sayGrowth(growth),
    contrast === undefined ? "" : `contrast ${inPercent(contrast)}`,
    `askew by ${turn.toFixed(2)}°`,
  ].filter((word) => word !== "");
  const lines = [`measured on the print, with the errors of the scanner: ${ink.join(", ")}`];
  if (printer !== undefined)
    lines.push(`for printers.json, if the scanner is true to size: ${JSON.stringify(printer)}`);
  lines.push(
    printer?.offset_x_mm === undefined
      ? "offset and turn were not measured: scan exactly the paper, and save the resolution in the file. Growth is set by bar_width_reduction of output.sheets, not in printers.json"
      : "growth is set by bar_width_reduction of output.sheets, not in printers.json",
  );
  return lines;
}

const cut = (lines: readonly string[]): string[] =>
  withMore(lines.slice(0, SHOWN), lines.length, (left) => `and ${left} more (--json lists all)`);

const nextWords = {
  same: "print the spoiled labels again",
  new: "give the spoiled labels fresh serials",
  forbidden: "take the spoiled labels out of use",
} as const;

const TAKE_OFF = "→ take the void labels off the sheets, and throw them away";

const SCAN_AGAIN =
  "→ give sharp pictures of this job's sheets: scan them flat, at 300 dpi or more, as PNG, JPEG, WebP, TIFF or PDF";

interface Next {
  readonly next: string | undefined;
  readonly policy: keyof typeof nextWords;
  readonly spoiled: SpoiledLeft | undefined;
}

/** Of labels that an older print shows spoiled. */
function sayAgain({ left, again, files }: SpoiledLeft, cwd: string): string {
  const names = files.map((file) => toShortPath(file, cwd)).join(", ");
  const count = formatMany(again, "spoiled label was", "spoiled labels were");
  const place = names === "" ? "" : `, in ${names}`;
  return `${count} printed again already${place}${left === 0 ? ": nothing is left to print" : ""}`;
}

function listResult(
  result: ScanResult,
  { next, policy, spoiled: now }: Next,
  cwd: string,
): string[] {
  const { spoiled, outside, strays, empty, unreadable, unseen, symbols, measured } = result;
  const lines = [
    ...result.sheets.map(describeSheet),
    ...cut(spoiled.map((one) => `${one.state}: ${describePlace(one)}: ${one.reason}`)),
    ...cut(result.void.map(describeVoid)),
    ...cut(outside.map((one) => `not in the picture: ${describePlace(one)}`)),
    ...cut(strays.map(describeStray)),
    ...empty.map((picture) => `${picture}: no code of this job was read`),
    ...unreadable.map((problem) => formatProblem(problem, cwd)),
    ...(unseen.length === 0 ? [] : [`not scanned: ${listPages(unseen)}`]),
    ...(symbols === 0 ? [] : [`${formatMany(symbols, "symbol")} beside codes not looked at`]),
    ...(measured === undefined ? [] : describeMeasure(measured)),
    ...(result.file === undefined ? [] : [`written: ${toShortPath(result.file, cwd)}`]),
  ];
  const isSeen = result.sheets.length > 0;
  const head = isSeen
    ? `${formatMany(result.sheets.length, "sheet")} seen, ${countLabels(result.labels)}`
    : "no sheet seen, no label judged, nothing written";
  const end = [
    ...(now === undefined || now.again === 0 ? [] : [sayAgain(now, cwd)]),
    ...(next === undefined ? [] : [`→ ${nextWords[policy]}: ${next}`]),
  ];
  if (toTakeOff(result).length > 0) end.push(TAKE_OFF);
  if (!isSeen) end.push(SCAN_AGAIN);
  return [`${result.job}: ${head}`, ...lines.map((line) => `  ${line}`), ...end];
}

/** The command for spoiled labels that are left, by the job's policy. */
async function findNext({ job, server }: OpenJob, result: ScanResult, ports: Ports): Promise<Next> {
  if (!isRowJob(job)) return { next: undefined, policy: "same", spoiled: undefined };
  const policy = job.output.sheets?.reprint ?? "same";
  const spoiled = await findSpoiledLeft({ job, server }, result.spoiled, ports);
  const verb = policy === "forbidden" ? "void" : "replace";
  const next = spoiled.left === 0 ? undefined : ports.commandOf(verb, { more: ["--spoiled"] });
  return { next, policy, spoiled };
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
