/** The captions of a plan, before any code exists: the size that they will have, and what has no room. */
import { joinPressWarnings, type PressWarning } from "../base/press-warning.ts";
import { toLevel } from "../api/design.ts";
import { toStaticPayload } from "../api/payload.ts";
import { toDigitalLinkOf } from "../plan/product-wish.ts";
import {
  type CaptionSetting,
  type CaptionSizes,
  openCaptionSizes,
  type SheetOptions,
} from "../print/sheets.ts";
import type { PlannedRow } from "../state/row.ts";
import type { CaptionSize } from "./results.ts";
import { SAMPLE_ORIGIN, SAMPLE_PATH } from "./sample-link.ts";

/** What is known of the captions of a plan. */
export interface CaptionPlan {
  readonly sizes: readonly CaptionSize[];
  readonly press: readonly PressWarning[];
}

export const NO_CAPTIONS: CaptionPlan = { sizes: [], press: [] };

type Row = Pick<PlannedRow, "key" | "wanted" | "placing">;

/** Counts the captions of each PDF. */
export interface CaptionCensus {
  add(row: Row): void;
  /** Of a PDF of the plan. */
  settingOf(file: string): CaptionSetting | undefined;
  plan(): CaptionPlan;
}

/** What a code will say, of about its length. */
function toSample({ wanted }: Row): string {
  if (!wanted.dynamic && wanted.type !== "GS1") return toStaticPayload(wanted);
  return `${SAMPLE_ORIGIN}${toDigitalLinkOf(wanted) ?? SAMPLE_PATH}`;
}

/** Throws `bad-usage` for a font that can't be embedded. */
export async function openCaptionCensus(options: SheetOptions): Promise<CaptionCensus> {
  const groups = new Map<string, CaptionSizes>();
  // Fonts are read once; what is opened later only looks at them.
  const open = await openCaptionSizes(options);
  return {
    add(row) {
      const { sheets: file, caption } = row.placing;
      if (file === null) return;
      const sizes = groups.get(file) ?? open();
      groups.set(file, sizes);
      sizes.add({ key: row.key, caption, payload: toSample(row), level: toLevel(row.wanted) });
    },
    settingOf: (file) => groups.get(file)?.setting(),
    plan: () => ({
      sizes: [...groups].flatMap(([file, sizes]) => {
        const { sizePt, neededBy: row } = sizes.setting();
        return row === undefined ? [] : [{ file, sizePt, row }];
      }),
      press: joinPressWarnings([...groups.values()].map((sizes) => sizes.press())),
    }),
  };
}
