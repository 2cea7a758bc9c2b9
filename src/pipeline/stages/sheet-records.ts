/** The sheets of a group before they are written: their records and fingerprint. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import { invariant } from "../../base/errors.ts";
import { toFontPlace } from "../../base/shapes/font-place.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { sha256 } from "../../base/ids/ids.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { LookTally } from "../../plan/looks.ts";
import { toOldLevel } from "../../api/design.ts";
import {
  type CaptionSetting,
  openCaptionSizes,
  type SheetOptions,
  type SheetRecord,
} from "../../print/sheets.ts";
import { SHOWN_FIELDS, type ShownRow, type StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { loadOlderFonts } from "../../print/fonts/label-fonts.ts";
import { openAccents } from "../../print/draw/edition.ts";
import { openInkCensus } from "../../print/art/design-inks.ts";
import type { PressDesign } from "../../print/art/logo-shapes.ts";
import type { Ink } from "../../base/shapes/label-art.ts";
import { openCodePictures } from "../../print/art/code-picture.ts";
import { toPayload } from "./payload.ts";
import type { PredictedGrade } from "../../qr/grade/predict-grade.ts";
import { type GradeCount, openRowGrades, warnOfGrades } from "../paper/grades.ts";
import type { Work, WorkJob } from "./work.ts";
import { CodeLooks } from "./code-looks.ts";
import { comparePrints, type Prints } from "./prints.ts";

/** The drawing that was fetched as a file; undefined when there is none. */
function readArtwork(folder: string, row: Pick<StateRow, "artwork">): string | undefined {
  const file = toDrawingFile(folder, row);
  return file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function toDrawingFile(folder: string, { artwork }: Pick<StateRow, "artwork">): string | undefined {
  const drawing = artwork?.files.find(({ name }) => name.endsWith(".svg"));
  return drawing && path.join(folder, drawing.name);
}

/** Reads a drawing only when it is needed: those of a volume may not fit into memory. */
const withDrawing = (record: SheetRecord, read: () => string | undefined): SheetRecord => ({
  ...record,
  get svg() {
    return read();
  },
});

/** By key of the row: what counters on its labels show, label by label. */
export type LabelNumbers = ReadonlyMap<string, NonNullable<SheetRecord["counts"]>>;

/** Facts about a code's artwork that its row lacks, by key of the row. */
export type DrawnCodes = ReadonlyMap<string, NonNullable<SheetRecord["drawn"]>>;

/** Records of a group, in the order of its rows. */
export function* toRecords(
  { state, folder }: Pick<Work, "state" | "folder">,
  name: string,
  {
    artwork,
    drawn,
    looks,
    numbers,
  }: {
    readonly artwork: SheetOptions["artwork"];
    readonly drawn: DrawnCodes;
    readonly looks: Pick<CodeLooks, "designOf">;
    /** Of labels that take the place of others; no part of fingerprints. */
    readonly numbers?: LabelNumbers | undefined;
  },
): Iterable<SheetRecord> {
  for (const row of state.sheetRows(name, SHOWN_FIELDS)) {
    const built = drawn.get(row.key);
    const design = looks.designOf(row, built?.level);
    const counts = numbers?.get(row.key);
    const record = {
      ...toBareRecord(row),
      ...(built === undefined ? {} : { drawn: built }),
      ...(design === undefined ? {} : { design }),
      ...(counts === undefined ? {} : { counts }),
    };
    const read = (): string | undefined => drawingOf(state, folder, row);
    yield artwork === "server" ? withDrawing(record, read) : record;
  }
}

/** What a row's label shows, without its design. */
export const toBareRecord = (
  row: Pick<StateRow, "key" | "wanted" | "made" | "shortLink" | "placing">,
): SheetRecord => ({
  key: row.key,
  payload: toPayload(row),
  level: toOldLevel(row.made ?? row.wanted),
  caption: row.placing.caption,
  // Left out without own copies, so that older fingerprints hold.
  ...(row.placing.copies === undefined ? {} : { copies: row.placing.copies }),
});

const drawingOf = (
  state: State,
  folder: string,
  row: Pick<StateRow, "key" | "artwork">,
): string | undefined => state.svg(row.key) ?? readArtwork(folder, row);

/** True where a drawing that was fetched is gone: nobody knows its PDF until it is there again. */
export function lacksDrawings({ state, folder }: Pick<Work, "state" | "folder">, name: string) {
  for (const row of state.sheetRows(name, ["key", "artwork"])) {
    const file = toDrawingFile(folder, row);
    if (file !== undefined && !existsSync(file) && state.svg(row.key) === null) return true;
  }
  return false;
}

/** Pictures on the labels of a job. */
function imageFiles({ label, back }: SheetOptions): string[] {
  const items = [...(label?.items ?? []), ...(back?.label?.items ?? [])];
  return items.flatMap((item) => (item.kind === "image" ? [item.file] : []));
}

/** A group of sheets before it is written. */
export interface Examined extends Prints {
  readonly options: SheetOptions;
  readonly captions: CaptionSetting;
  readonly drawn: DrawnCodes;
  /** Knows the designs of the rows. */
  readonly looks: Pick<CodeLooks, "designOf">;
  /** Parts of the codes' designs that the sheets don't show. */
  readonly press: readonly PressWarning[];
  /** Grades that its codes are expected to get, the worst first. */
  readonly grades: readonly GradeCount[];
  /** Of what they are made with beside their rows. */
  readonly settings: string;
  /** The fingerprint that makeready 0.1.0 gave such sheets. */
  readonly before: string;
}

/** What printing sheets needs. */
export interface Printing extends Pick<Work, "state" | "folder" | "writer"> {
  readonly job: Pick<WorkJob, "kind" | "output">;
  /** Ends it between two records. */
  readonly signal?: AbortSignal;
}

const NO_GRID = { deviceDpi: undefined, isDefaultDpi: undefined } as const;

/** Plates of designers' pages follow from their bytes. */
function withoutPlates(options: SheetOptions): SheetOptions {
  const { background, back } = options;
  const strip = (page: NonNullable<typeof background>) => ({ ...page, plates: undefined });
  return {
    ...options,
    ...(background !== undefined && { background: strip(background) }),
    ...(back?.background !== undefined && {
      back: { ...back, background: strip(back.background) },
    }),
  };
}

/** Without fields that plain codes lack, so that fingerprints of their sheets hold. */
export function withoutDesigns(options: SheetOptions): SheetOptions {
  if (options.print !== "designed") return options;
  const { print: _print, designInks: _inks, artworkInks: _named, ...rest } = options;
  return rest;
}

async function hashOptions({ writer }: Printing, options: SheetOptions): Promise<string> {
  const profile = typeof options.icc === "object" ? await hashFile(options.icc.file) : null;
  const named = [
    ...imageFiles(options),
    ...(options.fonts ?? []).map((font) => toFontPlace(font).file),
  ];
  const files = await Promise.all(named.map(hashFile));
  // A default grid is no reason to print finished sheets again.
  const known = withoutDesigns(options);
  const asked = options.isDefaultDpi === true ? { ...known, ...NO_GRID } : known;
  return sha256(JSON.stringify([writer, withoutPlates(asked), profile, files]));
}

/** What sheets are made with beside their rows, whatever spreadsheet their slug line names. */
export const hashSettings = (work: Printing, { slug, ...options }: SheetOptions): Promise<string> =>
  hashOptions(work, { ...options, slug: slug && { ...slug, input: "", inputHash: "" } });

export interface PrintedCode {
  readonly svg: string;
  /** It looks like its artwork. */
  readonly isAlike: boolean;
  /** What verifiers are expected to say of it; undefined where no code is printed. */
  readonly grade: PredictedGrade | undefined;
}

/** Shows rows as the sheets of a job print them. */
export function openPrintedCodes(
  work: Pick<Work, "state" | "folder"> & { readonly job: Pick<WorkJob, "kind" | "output"> },
  options: SheetOptions,
): (row: ShownRow) => Promise<PrintedCode> {
  const draw = openCodePictures(options);
  const { sheets } = work.job.output;
  const looks = sheets === null ? undefined : openLooks(work, sheets);
  const grades = openRowGrades(options, work.job.output);
  return async (row) => {
    const look = await looks?.of(row);
    const { artwork } = options;
    const svg = artwork === "server" ? drawingOf(work.state, work.folder, row) : undefined;
    const { level, minVersion } = look ?? { level: toOldLevel(row.wanted), minVersion: 1 };
    const built = { level, minVersion };
    const record = { ...toBareRecord(row), drawn: built, design: look?.design, svg };
    const drawn = await draw(record);
    return {
      svg: drawn.svg,
      isAlike: look?.lost.length === 0 && drawn.isDesigned,
      grade: await (await grades)?.add(row, look?.design, level),
    };
  };
}

const AS_DRAWN = {
  print: "designed",
  artwork: "redraw",
  artworkInks: {},
  codeStyle: null,
} as const;

/** Grades of artwork that no sheet prints; undefined for a code whose design isn't known. */
export async function openArtworkGrades(
  work: Pick<Work, "state" | "folder"> & { readonly job: Pick<WorkJob, "kind" | "output"> },
) {
  const looks = openLooks(work, AS_DRAWN);
  const grades = await openRowGrades(undefined, work.job.output);
  return {
    async add(row: ShownRow): Promise<PredictedGrade | undefined> {
      const { design, level } = await looks.of(row);
      return design === undefined ? undefined : grades?.add(row, design, level);
    },
    list: async () => (await grades?.list()) ?? [],
  };
}

const openLooks = (
  { state, folder, job }: Pick<Printing, "state" | "folder" | "job">,
  sheets: ConstructorParameters<typeof CodeLooks>[0]["sheets"],
): CodeLooks =>
  new CodeLooks({
    state,
    kind: job.kind,
    sheets,
    drawingOf: (row) => drawingOf(state, folder, row),
  });

interface CodesSeen extends Pick<Examined, "drawn" | "press" | "looks" | "grades"> {
  /** The inks of their designs. */
  readonly designInks: readonly Ink[];
}

/** Looks at the codes of a group as their artwork has them. */
async function seeCodes(
  work: Printing,
  options: SheetOptions,
  { name, told }: { readonly name: string; readonly told: ReadonlySet<string> | undefined },
): Promise<CodesSeen> {
  const { state } = work;
  const { sheets: asked } = work.job.output;
  invariant(asked !== null, "a job that prints must want sheets");
  // Older sheets are looked at as they were printed.
  const sheets = { ...asked, print: options.print ?? "plain" };
  const looks = openLooks(work, sheets);
  const inks = await openInkCensus(options);
  const lost = new LookTally(sheets);
  const drawn = new Map<string, NonNullable<SheetRecord["drawn"]>>();
  const grades = await openRowGrades(options, work.job.output);
  for (const row of state.sheetRows(name, SHOWN_FIELDS)) {
    const { level, minVersion, lost: left, design } = await looks.of(row);
    if (told === undefined || told.has(row.key)) lost.add(row.key, left);
    if (design !== undefined) inks.add(design);
    await grades?.add(row, design, level);
    const isSame = level === toOldLevel(row.made ?? row.wanted) && minVersion === 1;
    if (!isSame) drawn.set(row.key, { level, minVersion });
  }
  const found = (await grades?.list()) ?? [];
  const press = [...lost.list(), ...looks.warnings, ...warnOfGrades(found, work.job.output)];
  return { drawn, looks, press, grades: found, designInks: inks.list() };
}

/** Texts that stand for how designs look; each is made once. */
function openMarks(): (design: PressDesign | undefined) => string {
  const known = new WeakMap<PressDesign, string>();
  return (design) => {
    if (design === undefined) return "";
    const made = known.get(design) ?? toMark(design);
    known.set(design, made);
    return made;
  };
}

const toMark = ({ logo, logoShapes, sizePx: _none, ...design }: PressDesign): string =>
  sha256(JSON.stringify([design, logoShapes?.key ?? (logo === null ? null : sha256(logo))]));

const countLabels = ({ copies }: SheetRecord, { copies: each = 1 }: SheetOptions): number =>
  copies ?? each;

/** Looks at all records of a group; warns only of those with keys in `told`, by default of all. */
export async function examineSheets(
  work: Printing,
  given: SheetOptions,
  name: string,
  told?: ReadonlySet<string>,
): Promise<Examined> {
  const { designInks, ...codes } = await seeCodes(work, given, { name, told });
  const hasDesigns = designInks.length > 0;
  const options = hasDesigns ? { ...given, designInks } : given;
  const hash = createHash("sha256").update(await hashOptions(work, options));
  const built = createHash("sha256");
  if (hasDesigns) built.update(JSON.stringify([designInks, options.artworkInks]));
  const marks = openMarks();
  const sizes = (await openCaptionSizes(options))();
  const accents = await openAccents(options);
  let labels = 0;
  for (const record of toRecords(work, name, { artwork: options.artwork, ...codes })) {
    // Drawings of servers may be long: Ctrl-C is heard between them.
    if (options.artwork === "server") await nextTurn();
    work.signal?.throwIfAborted();
    const { drawn, design, ...old } = record;
    hash.update(`\n${JSON.stringify(old)}`);
    const looks = hasDesigns ? `${JSON.stringify([record.key, marks(design)])}\n` : "";
    built.update(looks);
    if (drawn !== undefined) built.update(`${JSON.stringify([record.key, drawn])}\n`);
    sizes.add(record);
    accents.add(record);
    labels += countLabels(record, options);
  }
  const before = hash.digest("hex");
  const captions = sizes.setting();
  const prints = await comparePrints(given, before, {
    captions,
    hasMatrix: codes.drawn.size > 0,
    hasDesigns,
    labels,
    hasAccents: accents.found(),
    built: codes.drawn.size > 0 || hasDesigns ? built.digest("hex") : undefined,
    olderCaptions: async () => {
      const older = (await openCaptionSizes(options, loadOlderFonts))();
      for (const record of toRecords(work, name, { artwork: options.artwork, ...codes }))
        older.add(record);
      return older.setting();
    },
  });
  const settings = await hashSettings(work, given);
  return { options, captions, ...codes, settings, before, ...prints };
}
