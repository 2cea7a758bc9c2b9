import { mmToPt } from "../../base/shapes/units.ts";
import { DEFAULT_SPOT, DIE_WIDTH_PT } from "../../print/draw/die-line.ts";
import { cellBox } from "../../print/layout/label-sheet.ts";
import { finishSteps } from "../../print/layout/finish.ts";
import type { FileCheck } from "./file-rules.ts";
import type { Fault } from "./finding.ts";
import type { BoxPt } from "../page/page-path.ts";
import type { Painted } from "../page/painted.ts";
import type { PdfFile } from "../pdf/pdf-file.ts";
import { isArray, isReference, nameOf, type PdfNode, walk } from "../pdf/pdf-node.ts";
import {
  containsPt,
  describe,
  finishOf,
  growPt,
  isDieLine,
  on,
  type PageCheck,
  type PageContext,
  spotOf,
  toPagePt,
} from "./sheet-context.ts";

/** Checks of named inks, layers and die lines (docs/spec/print.md section 12, rules 10 to 12). */

const faults = (messages: readonly string[]): Fault[] => messages.map((message) => ({ message }));

/** Names of Separation and DeviceN inks anywhere in the file. */
function spotNames(file: PdfFile): string[] {
  const names: string[] = [];
  const look = (node: PdfNode): void => {
    if (!isArray(node)) return;
    const spot = spotOf(file, node);
    if (spot !== undefined) names.push(spot);
    if (nameOf(node[0]) === "DeviceN")
      names.push(...file.array(node[1]).map((item) => nameOf(item) ?? ""));
  };
  for (const node of file.objects.values()) walk(node, look);
  return [...new Set(names)];
}

/** Inks of a designer's DeviceN spaces that are no plates of their own. */
const processInks = new Set(["Cyan", "Magenta", "Yellow", "Black", "None"]);

/** Rule 10. Two names that differ in case only are two plates to a RIP and one to a cutter. */
export const checkSpots: FileCheck = ({ file, job }) => {
  const wanted = job.dieLine === undefined ? undefined : (job.dieLine.spot ?? DEFAULT_SPOT);
  const names = spotNames(file);
  const allowed = new Set([
    wanted,
    ...job.inks.map(({ spot }) => spot),
    ...job.finishes.map(({ spot }) => spot),
    ...job.faces.flatMap(({ background }) => background?.spots ?? []),
  ]);
  const twins = names.filter((name) =>
    names.some((other) => other !== name && other.toLowerCase() === name.toLowerCase()),
  );
  const messages = names
    .filter((name) => !allowed.has(name) && !processInks.has(name))
    .map((name) => `spot ink ${JSON.stringify(name)} is not one of the job's`);
  messages.push(
    ...twins.map((name) => `spot ink ${JSON.stringify(name)} must not differ in case only`),
  );
  if (wanted !== undefined && !names.includes(wanted))
    messages.push(`spot ink ${JSON.stringify(wanted)} must be there for the die lines`);
  return faults(messages);
};

/** Layers of the file: that of its die lines, and one of each finish. */
function countLayers({ job }: Parameters<FileCheck>[0]): number {
  if (job.standard !== "PDF/X-4") return 0;
  return job.finishes.length + Number(job.dieLine !== undefined);
}

/** Rule 12. */
export const checkLayers: FileCheck = (context) => {
  const { file } = context;
  const wanted = countLayers(context);
  const properties = file.dict(file.catalog.get("OCProperties"));
  if (properties === undefined)
    return faults(wanted > 0 ? ["file must have the layer of its die lines"] : []);
  if (wanted === 0) return faults(["file must have no layers: the job has none"]);
  const view = file.dict(properties.get("D"));
  const groups = file.array(properties.get("OCGs")).filter(isReference);
  const listed = (key: string): Set<number> =>
    new Set(
      file
        .array(view?.get(key))
        .filter(isReference)
        .map(({ ref }) => ref),
    );
  const on = listed("ON");
  const off = listed("OFF");
  const says = wanted === 1 ? "1 layer" : `${wanted} layers`;
  const messages = groups.length === wanted ? [] : [`file must have ${says}, got ${groups.length}`];
  if (groups.some(({ ref }) => !on.has(ref) || off.has(ref)))
    messages.push("every layer must be on in the default configuration");
  return faults(messages);
};

/** Group and step that a layer of the page declares (ISO 19593-1). */
function stepOf(
  { file, page }: PageContext,
  layer: string,
): readonly [group: string, step: string] {
  const properties = file.dict(file.dict(page.dict.get("Resources"))?.get("Properties"));
  const metadata = file.dict(file.dict(properties?.get(layer))?.get("GTS_Metadata"));
  const name = (key: string): string => nameOf(file.resolve(metadata?.get(key))) ?? "none";
  return [name("GTS_ProcStepsGroup"), name("GTS_ProcStepsType")];
}

function layerFaults(context: PageContext, { layer }: Painted): string[] {
  const { standard, dieLine } = context.job;
  if (standard !== "PDF/X-4")
    return layer === undefined ? [] : ["die line must be on no layer in PDF/X-1a"];
  const [group, step] = stepOf(context, layer ?? "");
  const wanted = dieLine?.step ?? "Cutting";
  if (group === "Structural" && step === wanted) return [];
  return [`die line must be on a layer of group Structural, type ${wanted}, got ${group}, ${step}`];
}

function paintFaults(context: PageContext, line: Painted): string[] {
  const messages = layerFaults(context, line);
  if (!line.state.overprintStroke) messages.push("die line must overprint");
  if (line.ink.values.length !== 1 || line.ink.values[0] !== 1)
    messages.push(`die line must be 100% of its ink, got ${line.ink.values.join(" ")}`);
  return messages;
}

/** White and varnish are plates of their own, overprinting, on the layer of their step. */
function finishFaults(context: PageContext): string[] {
  const { content, job, face } = context;
  const messages = new Set<string>();
  const painted = content.painted.map((mark) => ({ mark, finish: finishOf(context, mark) }));
  for (const { mark, finish } of painted) {
    if (finish === undefined) continue;
    const { group } = finishSteps[finish.kind];
    const [got, type] = stepOf(context, mark.layer ?? "");
    if (got !== group || type !== "none")
      messages.add(`${finish.kind} must be on a layer of group ${group}, got ${got}, ${type}`);
    if (!mark.state.overprintFill) messages.add(`${finish.kind} must overprint`);
    if (mark.ink.values.join() !== "1") messages.add(`${finish.kind} must be 100% of its ink`);
  }
  for (const { kind } of face.side === "front" ? job.finishes : [])
    if (!painted.some(({ finish }) => finish?.kind === kind))
      messages.add(`page must have its ${kind}`);
  return [...messages];
}

/** The four edges of a box as thin boxes. */
function edgesOf([left, bottom, right, top]: BoxPt): BoxPt[] {
  return [
    [left, bottom, left, top],
    [right, bottom, right, top],
    [left, bottom, right, bottom],
    [left, top, right, top],
  ];
}

const PLACE_SLACK_PT = 0.05;

/** True for a stroke that runs along all of an edge, no thicker than a line. */
function coversEdge({ box }: Painted, edge: BoxPt): boolean {
  const thin = Math.min(box[2] - box[0], box[3] - box[1]) <= DIE_WIDTH_PT + PLACE_SLACK_PT;
  return thin && containsPt(growPt(box, PLACE_SLACK_PT), edge, 0);
}

function outlineFaults(context: PageContext, lines: readonly Painted[]): string[] {
  const { job, trim } = context;
  const { sheet } = job;
  const square = sheet.label.shape === "rectangle" && sheet.label.cornerRadiusMm === 0;
  const messages = new Set<string>();
  for (let cell = 0; cell < sheet.perSheet; cell += 1) {
    const [row, column] = [Math.floor(cell / sheet.columns), cell % sheet.columns];
    const label = toPagePt(trim, cellBox(sheet, row, column));
    const whole = growPt(label, DIE_WIDTH_PT / 2);
    const counts = square
      ? edgesOf(label).map((edge) => lines.filter((line) => coversEdge(line, edge)).length)
      : [
          lines.filter(
            ({ box }) =>
              containsPt(growPt(whole, PLACE_SLACK_PT), box) &&
              containsPt(growPt(box, PLACE_SLACK_PT), whole),
          ).length,
        ];
    const wrong = counts.find((count) => count !== 1);
    if (wrong !== undefined)
      messages.add(
        `label in row ${row + 1}, column ${column + 1} must be cut once all round, got ${wrong} lines at an edge`,
      );
  }
  for (const { box } of lines)
    if (!containsPt(growPt(trim, mmToPt(0.1)), box))
      messages.add(`die line must stay on the sheet, got ${describe(box)}`);
  return [...messages];
}

/** Rule 11. */
export const checkDieLines: PageCheck = (context) => {
  const finishes = on(context, finishFaults(context));
  return [...finishes, ...dieLineFaults(context)];
};

function dieLineFaults(context: PageContext): Fault[] {
  const { painted } = context.content;
  const lines = painted.filter((line) => isDieLine(context, line));
  if (context.job.dieLine === undefined) return [];
  if (context.face.side === "back")
    return on(
      context,
      lines.length === 0 ? [] : ["back must have no die lines: the cutter sees the front"],
    );
  if (lines.length === 0) return on(context, ["page must have its die lines"]);
  const first = painted.findIndex((line) => isDieLine(context, line));
  const messages = new Set(lines.flatMap((line) => paintFaults(context, line)));
  if (painted.slice(first).some((line) => !isDieLine(context, line)))
    messages.add("die lines must be on top of everything");
  return on(context, [...messages, ...outlineFaults(context, lines)]);
}
