/** Pictures with their notes, for the page and for its island. */
import { withoutContrastField } from "../../../base/color/contrast.ts";
import type { Problem } from "../../../base/errors.ts";
import { rowsFromOf } from "../../../base/shapes/rows-from.ts";
import { showCommands } from "../../../base/text/program-words.ts";
import type { Picture } from "../../../pipeline/preview/picture.ts";
import { nameControls } from "../../view/control-names.ts";
import { countIn } from "../../view/figures.tsx";
import type { Words } from "../../words/words.ts";
import { controlsOf, designPathOf, SHEETS } from "./controls.ts";
import { toWantedRow, type Draft } from "./draft.ts";
import type { LookName, Shown, ShownLook, ShownPicture, Told } from "./label-props.ts";
import type { Look, Looks, Refusal } from "./looks.ts";
import { isRowJob } from "../../../kinds/any-job.ts";

const FAULTS_SHOWN = 6;

const toUrl = (svg: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;

/** `output.sheets.overs must be a number`: the field, and the rule. */
const OF_FIELD = /^((?:output|code|design)\.[\w.]+:?) ((?:(?:template|filter) )?must .*)$/su;

/** In the reader's language, where it has words there. */
function tell(text: string, words: Words): Told {
  const [, field, rule] = OF_FIELD.exec(text) ?? [];
  const said = words.reason(text) ?? (rule === undefined ? undefined : words.reason(rule));
  const named = said === undefined || words.reason(text) !== undefined ? said : `${field} ${said}`;
  return { text: nameControls(named ?? text, words), isEnglish: named === undefined };
}

function toFault({ message, hint }: Pick<Problem, "message" | "hint">, words: Words): Told {
  const told = tell(message, words);
  if (hint === undefined) return told;
  const fix = tell(withoutContrastField(hint), words);
  const isEnglish = told.isEnglish || fix.isEnglish;
  return { text: `${told.text}: ${fix.text}`, isEnglish };
}

export function toFaults({ message, hint, problems }: Refusal, words: Words): Told[] {
  const all = problems.length > 0 ? problems : [{ message, hint }];
  return all.slice(0, FAULTS_SHOWN).map((one) => toFault(one, words));
}

/** Codes have no room on the labels, whatever field it comes from. */
const ROOM = SHEETS.join(".");

/** Field of the manifest -> why it was refused. Where room lacks, that stands at the sizes that were changed. */
export function toFieldFaults(
  { problems }: Refusal,
  { job, edits }: Pick<Draft, "job" | "edits">,
  words: Words,
): ReadonlyMap<string, Told> {
  const changed = new Set(edits.map(({ path }) => path.join(".")));
  const sizes = controlsOf(job)
    .filter(({ group }) => group === "size")
    .map(({ path }) => path.join("."));
  return new Map(
    problems.flatMap((one) => {
      const { field } = one.where ?? {};
      const fields = field === ROOM ? sizes.filter((size) => changed.has(size)) : [field ?? ""];
      return fields.map((name) => [name, toFault(one, words)] as const);
    }),
  );
}

const refusedLook = (refused: Refusal, words: Words): ShownLook => ({
  pictures: [],
  facts: [],
  warnings: [],
  faults: toFaults(refused, words),
});

function toPictures(pictures: readonly Picture[], name: string, words: Words): ShownPicture[] {
  const sides = { front: words.label.front, back: words.label.back };
  return pictures.map(({ svg, side, widthMm, heightMm }) => ({
    url: toUrl(svg),
    alt: pictures.length > 1 ? `${name}, ${sides[side]}` : name,
    widthMm,
    heightMm,
  }));
}

type Untold = Omit<ShownLook, "warnings" | "faults"> & { readonly warnings: readonly string[] };

function say<T>(look: Look<T>, words: Words, show: (shown: T) => Untold): ShownLook {
  if ("refused" in look) return refusedLook(look.refused, words);
  const shown = show(look.shown);
  return { ...shown, warnings: shown.warnings.map((text) => tell(text, words)), faults: [] };
}

async function showLabelAndCode(draft: Draft, looks: Looks, words: Words): Promise<Shown> {
  const { opened } = draft;
  if (opened === undefined) return {};
  const { facts, label: title } = words.label;
  const from = rowsFromOf(opened.job);
  const isOnLine = from === "spreadsheet" || from === "stream";
  const decimals = new Intl.NumberFormat(words.language, { maximumFractionDigits: 3 });
  const look = await looks.label(opened, toWantedRow(draft.view));
  const label = say(look, words, ({ pictures, warnings, samples, line, name, payload, xMm }) => ({
    pictures: toPictures(pictures, title, words),
    facts: [
      facts.row(countIn(words.language)(line), name, isOnLine),
      facts.says(payload),
      ...samples.map((text) => tell(text, words).text),
      ...(xMm === undefined ? [] : [facts.module(decimals.format(xMm))]),
    ],
    warnings,
  }));
  if ("refused" in look || designPathOf(opened.job) === undefined) return { label };
  const { design, payload } = look.shown;
  return { label, code: await showCode(draft, looks, { design, payload, words }) };
}

async function showCode(
  { opened }: Draft,
  looks: Looks,
  {
    design,
    payload,
    words,
  }: { design: Readonly<Record<string, unknown>>; payload?: string; words: Words },
): Promise<ShownLook> {
  const look = await looks.code(design, payload);
  const output = opened?.job && isRowJob(opened.job) ? opened.job.output.sheets : null;
  const isOther =
    Object.keys(design).length > 0 && output?.print === "plain" && output.artwork === "redraw";
  return say(look, words, ({ svg, warnings }) => ({
    pictures: [{ url: toUrl(svg), alt: words.label.code, widthMm: 40, heightMm: 40 }],
    facts: isOther ? [words.label.codeDiffers] : [],
    warnings,
  }));
}

async function showSheet(draft: Draft, looks: Looks, words: Words): Promise<Shown> {
  const { opened, view } = draft;
  if (opened === undefined) return {};
  const { facts, sheet: title } = words.label;
  const count = countIn(words.language);
  const look = await looks.sheet(opened, view.hasGrid);
  const sheet = say(look, words, ({ pictures, warnings, sheets, labels, ...shown }) => ({
    pictures: toPictures(pictures, title, words),
    facts: [
      sheets === undefined
        ? facts.several(count(labels))
        : facts.paper(count(labels), count(sheets), count(shown.perSheet)),
      ...(shown.refused === 0 ? [] : [facts.refused(count(shown.refused))]),
      ...(shown.counted === shown.rows
        ? []
        : [facts.counted(count(shown.counted), count(shown.rows))]),
      ...(shown.sizedBy === "longest" ? [facts.longest] : []),
    ],
    warnings,
  }));
  return { sheet };
}

interface Wanted {
  readonly words: Words;
  readonly names: readonly LookName[];
}

/** Draws the wanted pictures; for codes that exist, only a new design. */
export async function showLooks(
  draft: Draft,
  looks: Looks,
  { program, ...wanted }: Wanted & { readonly program: string },
): Promise<Shown> {
  const shown = Object.entries(await drawLooks(draft, looks, wanted));
  const show = (text: string): string => showCommands(text, program);
  return Object.fromEntries(
    shown.map(([name, look]: [string, ShownLook]) => [
      name,
      { ...look, faults: look.faults.map((told) => ({ ...told, text: show(told.text) })) },
    ]),
  );
}

async function drawLooks(draft: Draft, looks: Looks, { words, names }: Wanted): Promise<Shown> {
  const { opened, refused } = draft;
  if (opened === undefined) {
    const [name = "label"] = names;
    return refused === undefined ? {} : { [name]: refusedLook(refused, words) };
  }
  const { job } = opened;
  if (!isRowJob(job)) {
    if (job.kind !== "redesign" || !names.includes("label")) return {};
    return { code: await showCode(draft, looks, { design: job.design, words }) };
  }
  if (job.output.sheets === null) {
    const isShown = names.includes("label") && designPathOf(job) !== undefined;
    return isShown
      ? { code: await showCode(draft, looks, { design: { ...job.code.design }, words }) }
      : {};
  }
  return {
    ...(names.includes("label") ? await showLabelAndCode(draft, looks, words) : {}),
    ...(names.includes("sheet") ? await showSheet(draft, looks, words) : {}),
  };
}
