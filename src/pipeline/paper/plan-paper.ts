/** How many sheets of paper a plan takes, and whether the codes fit them. */
import type { Problem } from "../../base/errors.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { isRowKind, type Kind } from "../../kinds/names.ts";
import {
  type Design,
  type Look,
  LookTally,
  lostLooks,
  plainLosses,
  toTemplateName,
  withTemplate,
} from "../../plan/looks.ts";
import { hasLogo, isTold, toLevel } from "../../api/design.ts";
import type { PlanGroup } from "../../plan/tally.ts";
import { loadOutputIntent, planSheets, volumeFile, type SheetOptions } from "../../print/sheets.ts";
import { encodeQr } from "../../qr/encode/encode.ts";
import type { QrLevel } from "../../qr/encode/tables.ts";
import { isTrueToSize } from "../../print/layout/calibration.ts";
import type { DeviceDpi } from "../../print/layout/device-grid.ts";
import { isRoll } from "../../print/layout/label-sheet.ts";
import type { State } from "../../state/state.ts";
import { findUnder, gradeWish, hasNoCodes, noteGrades, refuseGrades, tallyPlan } from "./grades.ts";
import type { LabelPlan } from "./label-census.ts";
import { checkTillSheets, toTillReason } from "../checks/point-of-sale.ts";
import { type DesignPlan, planDesigns } from "./plan-designs.ts";
import type { PaperFigures, RollPlan, VolumesPlan } from "./paper-figures.ts";
import type { PlanNote } from "./plan-notes.ts";
import {
  hasGuess,
  longestText,
  type SampleLinks,
  sayGuess,
  toSampleText,
} from "../address/sample-link.ts";
import { noteSheets } from "./sheet-notes.ts";
import {
  judgeSheetFiles,
  makeSheetOptions,
  refuseSheets,
  warnOfSheet,
} from "../stages/sheet-options.ts";
import { planStarts, toNext } from "../stages/sheet-start.ts";
import { findTakenVolumes, type KeptOf, toLong } from "./volume-names.ts";
import type { WorkJob } from "../stages/work.ts";

interface SheetFigures {
  readonly pages: number;
  readonly rows: number;
  /** Copies, overs and those of spare cells included. */
  readonly labels: number;
  readonly volumes: readonly VolumesPlan[];
  readonly roll: RollPlan | undefined;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly notes: readonly PlanNote[];
  /** What will differ on the sheets from what the job wants. */
  readonly press: readonly PressWarning[];
}

const NO_SHEETS: SheetFigures = {
  pages: 0,
  rows: 0,
  labels: 0,
  volumes: [],
  roll: undefined,
  problems: [],
  warnings: [],
  notes: [],
  press: [],
};

/** The figures of them that every plan has. */
export const toPaperFigures = ({
  pages,
  rows,
  labels,
  volumes,
  roll,
}: Pick<SheetFigures, "pages" | "rows" | "labels" | "volumes" | "roll">): PaperFigures => ({
  sheetPages: pages,
  ...(roll === undefined && labels !== rows && { sheetLabels: labels }),
  sheetVolumes: volumes,
  roll,
});

/** The grid that modules lie on once the printer has undone what was measured of it. */
const gridOf = ({ deviceDpi, calibration }: SheetOptions): DeviceDpi =>
  calibration === undefined || isTrueToSize(calibration) ? deviceDpi : undefined;

/** Sheets on which a PDF ends and the next one goes on. */
function countShared(
  options: SheetOptions,
  { groups, starts }: Pick<StartedPlan, "groups" | "starts">,
): number {
  const isShared = (group: PlanGroup, at: number): boolean => {
    const start = starts.get(group.name) ?? 1;
    const before = groups[at - 1];
    if (before === undefined || start === 1) return false;
    return toNext({ ...options, start: starts.get(before.name) }, before) === start;
  };
  return groups.filter(isShared).length;
}

function planGroups(
  options: SheetOptions,
  { groups, starts, kept }: StartedPlan,
  toVersion: (group: PlanGroup) => number,
): SheetFigures {
  const startOf = ({ name }: PlanGroup): number | undefined => starts.get(name) ?? options.start;
  const plans = groups.map((group) => ({
    name: group.name,
    ...planSheets(
      { ...options, start: startOf(group) },
      {
        count: group.rows,
        labels: group.labels,
        maxVersion: toVersion(group),
      },
    ),
  }));
  const warnings = new Set(plans.flatMap((plan) => plan.warnings));
  const [first] = plans;
  const shared = countShared(options, { groups, starts });
  const pages = plans.reduce((sum, plan) => sum + plan.sheets, 0) - shared;
  const labels = plans.reduce((sum, plan) => sum + plan.labels, 0);
  const leastMm = Math.min(...plans.map((plan) => plan.xMm));
  const long = toLong(plans, volumeFile);
  const taken = findTakenVolumes({ volumes: long, groups, kept }, volumeFile);
  const lengthMm = Math.round(pages * options.sheet.page.heightMm);
  return {
    pages,
    rows: groups.reduce((sum, group) => sum + group.rows, 0),
    labels,
    volumes: long,
    roll: isRoll(options.sheet) ? { labels, lengthMm } : undefined,
    problems: toDistinct([...plans.flatMap((plan) => plan.problems), ...taken]),
    warnings: [...warnings].map((message) => ({ message })),
    notes:
      first === undefined || hasNoCodes(options)
        ? []
        : [{ code: "x-dimension", xMm: leastMm, dpi: gridOf(options) }],
    press: first?.press ?? [],
  };
}

/** Groups of one layout have the same problems. */
function toDistinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}

/** What the sheets of a plan depend on. */
export interface PaperPlan {
  readonly groups: readonly PlanGroup[];
  readonly createdAt: string;
  readonly isRehearsal: boolean;
  /** Of the source. */
  readonly inputName: string;
  readonly inputSha256: string;
  readonly design: Design;
  readonly links: SampleLinks;
  readonly labels: LabelPlan;
  /** What a template's codes look like; undefined where that isn't known. */
  readonly templateOf: (name: string) => Design | undefined;
  /** What earlier runs made; undefined before the first one. */
  readonly finished: { readonly state: State; readonly writer: string } | undefined;
  /** The same where files are not looked at; default: that of `finished`. */
  readonly state?: State | undefined;
  /** Finished PDFs of other groups, which stay since bad rows may belong to them. */
  readonly kept?: KeptOf | undefined;
}

interface StartedPlan extends PaperPlan {
  /** `start: continue`: the first cell of each PDF. */
  readonly starts: ReadonlyMap<string, number>;
}

type PaperJob = Pick<WorkJob, "name" | "kind" | "file" | "output">;

/** Codes whose designs the sheets will not show in full. */
function findPlain(
  { kind, output }: PaperJob,
  { labels, templateOf }: PaperPlan,
): readonly PressWarning[] {
  const { sheets } = output;
  if (sheets === null) return [];
  const tally = new LookTally(sheets);
  for (const { design, count, rows } of labels.printed) {
    if (!isRowKind(kind)) {
      // Codes that exist may have more than the manifest says.
      tally.addAll({ rows, count }, lossesOfExisting(design, { kind, output }));
      continue;
    }
    const name = toTemplateName(design);
    const facts = name === undefined ? undefined : templateOf(name);
    const isUnknown = name !== undefined && facts === undefined;
    // The run will ask for an unknown template, and print it.
    const unknown: readonly Look[] = sheets.print === "designed" ? [] : [`template ${name}`];
    const lost = isUnknown ? unknown : lostLooks(withTemplate(design, facts), sheets);
    tally.addAll({ rows, count }, lost);
  }
  return tally.list();
}

/** Jobs that print codes as their server shows them change no design; a logo is read out of its drawing. */
function lossesOfExisting(
  design: Design,
  { kind, output: { sheets, files } }: Pick<PaperJob, "kind" | "output">,
): readonly Look[] {
  if (!isTold(design)) return ["unknown design"];
  if (sheets?.print !== "designed") return sheets === null ? [] : lostLooks(design, sheets);
  if (kind !== "export") return plainLosses(design).length === 0 ? [] : ["design"];
  return hasLogo(design) && !files.includes("svg") ? ["logo"] : [];
}

/** A redesign knows only what it changes of a design: its sheets are plain. */
const isPrintedDesigned = ({ kind, output }: Pick<PaperJob, "kind" | "output">): boolean =>
  output.sheets?.print === "designed" && (isRowKind(kind) || kind === "export");

/** Designs of the codes, as far as they are known, with what their templates bring. */
const sampleDesigns = (
  designs: LabelPlan["designs"],
  { templateOf }: Pick<PaperPlan, "templateOf">,
) =>
  designs.flatMap((count) => {
    const name = toTemplateName(count.design);
    const facts = name === undefined ? undefined : templateOf(name);
    if (name !== undefined && facts === undefined) return [];
    return [{ ...count, design: withTemplate(count.design, facts) }];
  });

/**
 * What verifiers will say of the codes that sheets print; where none is printed, of their artwork. Throws
 * `design-invalid` where the manifest refuses that.
 */
async function planGrades(
  { kind, output, file }: PaperJob,
  sheets: SheetOptions | undefined,
  plan: PaperPlan,
): Promise<Pick<SheetFigures, "warnings" | "notes">> {
  const { printed, designs: all } = plan.labels;
  const options = printed.length === 0 ? undefined : sheets;
  const hasCodes = options === undefined ? output.files.length > 0 : !hasNoCodes(options);
  // Of codes that exist, only those on sheets are graded: today's designs are asked for their sake.
  if (!hasCodes || !(isRowKind(kind) || options)) return { warnings: [], notes: [] };
  const wish = gradeWish(output);
  const isPlain = options !== undefined && !isPrintedDesigned({ kind, output });
  const found = sampleDesigns(options === undefined ? all : printed, plan);
  const isKnown = ({ design }: (typeof found)[number]): boolean =>
    isPlain || isRowKind(kind) || isTold(design);
  const designs = found.filter(isKnown);
  const unknown = found.filter((one) => !isKnown(one));
  const counts = await tallyPlan({ options, isPlain, designs, payload: longestText(plan) }, wish);
  refuseGrades(counts, wish, file);
  const under = findUnder(counts, wish);
  return { warnings: under === undefined ? [] : [under], notes: noteGrades(counts, unknown) };
}

/** What is known of designed codes; undefined for jobs that print none. */
async function planDesigned(
  { kind, output }: PaperJob,
  options: SheetOptions,
  plan: PaperPlan,
): Promise<DesignPlan | undefined> {
  if (!isPrintedDesigned({ kind, output })) return undefined;
  const sampled = sampleDesigns(plan.labels.printed, plan).filter(
    ({ design }) => isRowKind(kind) || isTold(design),
  );
  const longest = longestText(plan);
  return planDesigns(options, sampled, longest, plan.labels.svgLogos);
}

/** Only the server knows the error correction of codes that exist: a stronger one has smaller modules. */
const asMost = (note: PlanNote): PlanNote =>
  note.code === "x-dimension" ? { ...note, isMost: true } : note;

/** Modules of designed codes are smaller where a frame takes some of the room. */
function withDesigns(
  kind: Kind,
  notes: readonly PlanNote[],
  designed: DesignPlan | undefined,
): PlanNote[] {
  if (designed === undefined || designed.inks.length === 0)
    return isRowKind(kind) ? [...notes] : notes.map(asMost);
  const { xMm: least = Infinity, inks, vectors } = designed;
  const own = notes.map((note) =>
    note.code === "x-dimension" ? { ...note, xMm: Math.min(note.xMm, least) } : note,
  );
  return [
    ...own,
    { code: "design-inks", inks },
    ...(vectors.length === 0 ? [] : [{ code: "logo-shapes", files: vectors } as const]),
  ];
}

/** What an X-dimension was measured with, where links are not known. */
function withGuess(
  { xDimensionMm }: SheetOptions,
  plan: PaperPlan,
  notes: readonly PlanNote[],
): PlanNote[] {
  if (xDimensionMm !== undefined || !hasGuess(plan)) return [...notes];
  const linkLength = longestText(plan).length;
  return notes.map((note) => (note.code === "x-dimension" ? { ...note, linkLength } : note));
}

/** What finished sheets have that stay; for thousandths nobody looks twice. */
const withKept = (notes: readonly PlanNote[], keptMm: number | undefined): PlanNote[] =>
  notes.map((note) =>
    note.code === "x-dimension" && keptMm !== undefined && keptMm.toFixed(3) !== note.xMm.toFixed(3)
      ? { ...note, keptMm }
      : note,
  );

/** With the error correction of the artwork, which is printed where there is room; else with its own. */
function planAt(options: SheetOptions, plan: StartedPlan, level: QrLevel): SheetFigures {
  const at = (asked: QrLevel): SheetFigures =>
    planGroups(
      options,
      plan,
      (group) => encodeQr(toSampleText(group, plan.links, asked), { level: asked }).version,
    );
  const planned = at(level);
  const own = toLevel(plan);
  return planned.problems.length === 0 || own === level ? planned : at(own);
}

/** Faults of the sheets: of those that the smallest codes would not have, it is said where links are a guess. */
function judgeRoom(
  options: SheetOptions,
  plan: StartedPlan,
  { problems }: Pick<SheetFigures, "problems">,
): readonly Problem[] {
  const isOfLength =
    problems.length > 0 && planGroups(options, plan, () => 1).problems.length === 0;
  return isOfLength ? problems.map((problem) => sayGuess(plan, problem)) : problems;
}

/** Paper and its warnings. Throws `layout-impossible` when the sheets can't be printed. */
export async function planPaper(
  job: PaperJob,
  plan: PaperPlan,
): Promise<Omit<SheetFigures, "problems">> {
  const options = await makeSheetOptions(job, {
    createdAt: plan.createdAt,
    isRehearsal: plan.isRehearsal,
    input: { name: plan.inputName, sha256: plan.inputSha256, columns: [] },
  });
  if (options === undefined) return { ...NO_SHEETS, ...(await planGrades(job, options, plan)) };
  await loadOutputIntent(options.icc);
  const files = await judgeSheetFiles(options);
  const name = toTemplateName(plan.design);
  const facts = name === undefined ? undefined : plan.templateOf(name);
  const level = toLevel({ design: withTemplate(plan.design, facts) });
  const starts = await planStarts(job, options, {
    groups: plan.groups,
    state: plan.state ?? plan.finished?.state,
  });
  const started = { ...plan, starts };
  const planned = planAt(options, started, level);
  const { sheets } = job.output;
  const warned = sheets === null ? [] : warnOfSheet({ file: job.file, sheets });
  const tooSmall = judgeRoom(options, started, planned).map((problem) =>
    toTillReason(sheets, problem),
  );
  const paper = {
    ...planned,
    warnings: [...warned, ...planned.warnings, ...files.warnings],
    problems: [...files.problems, ...checkTillSheets(sheets), ...tooSmall],
  };
  if (paper.problems.length === 0) {
    const designed = await planDesigned(job, options, plan);
    const graded = await planGrades(job, options, plan);
    const own = await noteSheets(job, options, started);
    const sized = withGuess(options, plan, withDesigns(job.kind, paper.notes, designed));
    return {
      ...paper,
      warnings: [
        ...paper.warnings,
        ...(designed?.warnings ?? []).map((message): Problem => ({ message })),
        ...graded.warnings,
      ],
      notes: [...withKept(sized, own.keptMm), ...graded.notes, ...own.notes],
      press: [
        ...findPlain(job, plan),
        ...(designed?.press ?? []),
        ...plan.labels.press,
        ...planned.press,
        ...files.press.filter(
          ({ code }) => designed?.press.every((said) => said.code !== code) ?? true,
        ),
      ],
    };
  }
  return refuseSheets(job, paper.problems);
}
