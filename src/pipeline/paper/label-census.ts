/** The labels of a plan, before any code exists: the size of their captions, and what they won't show. */
import { joinPressWarnings, type PressWarning } from "../../base/shapes/press-warning.ts";
import type { Design } from "../../plan/looks.ts";
import { toLevel } from "../../api/design.ts";
import { toStaticPayload } from "../../api/payload.ts";
import { SAMPLE_ORIGIN, SAMPLE_PATH, toLinkPath } from "../../plan/link-path.ts";
import { networkFaultOf } from "../../plan/odd-text.ts";
import { findPlaceholder } from "../../plan/placeholder.ts";
import { READABLE_PT } from "../../print/fonts/caption.ts";
import {
  type CaptionSetting,
  type CaptionSizes,
  openCaptionSizes,
  type SheetOptions,
} from "../../print/sheets.ts";
import type { PlannedRow } from "../../state/row.ts";
import type { CaptionSize } from "./plan-notes.ts";

/** Words of frames, and the codes that have them. */
export interface FrameText {
  readonly text: string;
  readonly second: string;
  readonly count: number;
  /** Keys of the first few, with their places among all codes of the design. */
  readonly rows: readonly { readonly key: string; readonly at: number }[];
}

export interface DesignCount {
  readonly design: Design;
  readonly count: number;
  /** Keys of the first few. */
  readonly rows: readonly string[];
  /** Every text of their frames, each once; left out where they were not asked for. */
  readonly texts?: readonly FrameText[] | undefined;
}

export interface LabelPlan {
  readonly sizes: readonly CaptionSize[];
  /** Texts that can't be set as they are. */
  readonly press: readonly PressWarning[];
  /** Of all codes. */
  readonly designs: readonly DesignCount[];
  /** Of those that have a label. */
  readonly printed: readonly DesignCount[];
  /** Whether any code leads to an address that stands for another one; older plans don't say. */
  readonly hasPlaceholders?: boolean | undefined;
  /** Whether any code lets no phone join its network; older plans don't say. */
  readonly hasDeadNetworks?: boolean | undefined;
  /** Files of logos that are drawings. */
  readonly svgLogos?: readonly string[] | undefined;
}

type Row = Pick<PlannedRow, "key" | "wanted" | "placing">;

/** What the verdict wants to know of them. */
export type JudgedLabels = Pick<LabelPlan, "designs" | "hasPlaceholders" | "hasDeadNetworks">;

/** Looks at one row after another. */
export interface LabelCensus {
  /** `named`: what names the row better than its key. */
  add(row: Row, named?: Pick<CaptionSize, "line" | "code">): void;
  /** Of a PDF of the plan. */
  settingOf(file: string): CaptionSetting | undefined;
  plan(): LabelPlan;
}

/** What a code will say, of about its length. */
function toSample({ wanted }: Row): string {
  if (!wanted.dynamic && wanted.type !== "GS1") return toStaticPayload(wanted);
  return `${SAMPLE_ORIGIN}${toLinkPath(wanted) ?? SAMPLE_PATH}`;
}

/** So many rows are named. */
export const ROWS_KEPT = 5;
/** Designs that differ only in these count as one. */
const SOME = ["text", "text_secondary", "logo_url", "logo_file"] as const;

interface Counted {
  readonly design: Design;
  count: number;
  readonly rows: string[];
  readonly texts: Map<
    string,
    Omit<FrameText, "count" | "rows"> & { count: number; rows: { key: string; at: number }[] }
  >;
}

const newCount = (design: Design): Counted => ({ design, count: 0, rows: [], texts: new Map() });

export class DesignCensus {
  readonly #designs = new Map<string, Counted>();
  readonly #withTexts: boolean;

  constructor({ withTexts = false } = {}) {
    this.#withTexts = withTexts;
  }

  add({ key, wanted }: Pick<Row, "key" | "wanted">): void {
    const { design } = wanted;
    const some = SOME.filter((field) => (design[field] ?? "") !== "");
    const shared = { ...design, ...Object.fromEntries(some.map((field) => [field, "…"])) };
    const name = JSON.stringify(shared);
    const known = this.#designs.get(name) ?? newCount(shared);
    this.#designs.set(name, known);
    if (this.#withTexts) addText(known, key, design);
    known.count += 1;
    if (known.rows.length < ROWS_KEPT) known.rows.push(key);
  }

  list(): DesignCount[] {
    return Array.from(this.#designs.values(), ({ texts, ...counted }) => ({
      ...counted,
      ...(this.#withTexts && { texts: [...texts.values()] }),
    }));
  }
}

function addText({ texts, count: at }: Counted, key: string, design: Design): void {
  const { text = "", text_secondary: told } = design;
  if (typeof text !== "string") return;
  const second = typeof told === "string" ? told : "";
  if (text === "") return;
  const name = JSON.stringify([text, second]);
  const known = texts.get(name) ?? { text, second, count: 0, rows: [] };
  texts.set(name, known);
  known.count += 1;
  if (known.rows.length < ROWS_KEPT) known.rows.push({ key, at });
}

/** `options`: of the sheets; undefined without any. Throws `bad-usage` for a font that can't be embedded. */
export async function openLabelCensus(options: SheetOptions | undefined): Promise<LabelCensus> {
  const groups = new Map<string, CaptionSizes>();
  /** What names the row that a PDF's size is for. */
  const needing = new Map<string, Pick<CaptionSize, "row" | "line" | "code">>();
  const withTexts = options?.print === "designed";
  const [designs, printed] = [new DesignCensus(), new DesignCensus({ withTexts })];
  const open = options && (await openCaptionSizes(options));
  let [hasPlaceholders, hasDeadNetworks] = [false, false];
  return {
    add(row, named) {
      designs.add(row);
      hasPlaceholders ||= findPlaceholder(row.wanted).length > 0;
      hasDeadNetworks ||= networkFaultOf(row.wanted) !== undefined;
      const { sheets: file, caption } = row.placing;
      if (file === null || open === undefined) return;
      printed.add(row);
      const sizes = groups.get(file) ?? open();
      groups.set(file, sizes);
      sizes.add({ key: row.key, caption, payload: toSample(row), level: toLevel(row.wanted) });
      if (sizes.setting().neededBy === row.key) needing.set(file, { row: row.key, ...named });
    },
    settingOf: (file) => groups.get(file)?.setting(),
    plan: () => ({
      sizes: [...groups].flatMap(([file, sizes]) => {
        const { sizePt, neededBy: row, smaller: count, isUneven } = sizes.setting();
        const smaller = count === 0 ? undefined : { count, leastPt: READABLE_PT };
        const named = needing.get(file);
        if (row === undefined) return [];
        const isOfAll = isUneven ? undefined : true;
        return [{ file, sizePt, isOfAll, row, smaller, ...(named?.row === row && named) }];
      }),
      press: joinPressWarnings([...groups.values()].map((sizes) => sizes.press())),
      designs: designs.list(),
      printed: printed.list(),
      hasPlaceholders,
      hasDeadNetworks,
    }),
  };
}
