/** Frames that can't show the text of a design: the code gets another one (docs/spec/api.md section 2.2). */
import { HAS_TEMPLATE } from "../job/shapes/fields.ts";
import type { RowsJob } from "../job/job.ts";
import type { Problem } from "../base/errors.ts";
import { andMore, cutKey, formatMany } from "../base/text/words.ts";
import { toTemplateName, withTemplate } from "./looks.ts";
import { canShowText, type FrameName, frameNames, resolveDesign } from "../qr/draw/design.ts";

type Fields = Readonly<Record<string, unknown>>;

const isFrame = (name: unknown): name is FrameName => frameNames.some((frame) => frame === name);

/** A warning where the frame that a design names isn't the one that its code gets. */
export function findFrameSwap({ frame, text }: Fields): Problem | undefined {
  if (typeof text !== "string" || text === "" || !isFrame(frame) || canShowText(frame))
    return undefined;
  const { frame: given } = resolveDesign({ frame, text: "A" });
  const showing = frameNames.filter(canShowText).join(", ");
  return {
    message: `the frame ${frame} shows no text: the code gets the frame ${given} instead`,
    hint: `take one of ${showing}, or leave out the text`,
  };
}

const isOfRow = (value: unknown): boolean => typeof value === "string" && HAS_TEMPLATE.test(value);

/** True where rows decide. */
const differs = ({ frame, text }: Fields): boolean => isOfRow(frame) || isOfRow(text);

/** Of a design that is the same for all rows: once, at the manifest. */
export function warnOfFrame({ file, code }: Pick<RowsJob, "file" | "code">): Problem[] {
  const design: Fields = { ...code.design };
  const swap = differs(design) ? undefined : findFrameSwap(design);
  return swap === undefined ? [] : [{ ...swap, where: { file, field: "code.design.frame" } }];
}

interface Designed {
  readonly design: Fields;
  readonly count: number;
  /** Keys of the first few. */
  readonly rows: readonly string[];
}

const ROWS_SHOWN = 3;

/** Of designs that a template completes: it brings the frame or the text. */
export function warnOfTemplateFrames(
  { file }: Pick<RowsJob, "file">,
  designs: readonly Designed[],
  templateOf: (name: string) => Fields | undefined,
): Problem[] {
  return designs.flatMap(({ design, count, rows }) => {
    const name = toTemplateName(design);
    const facts = name === undefined ? undefined : templateOf(name);
    if (name === undefined || facts === undefined || findFrameSwap(design) !== undefined) return [];
    const swap = findFrameSwap(withTemplate(design, facts));
    if (swap === undefined) return [];
    const isFrameOfJob = typeof design["frame"] === "string";
    const frame = `the frame ${String(design["frame"] ?? facts["frame"])}`;
    const says = isFrameOfJob
      ? `${frame} shows no text of the template ${name}`
      : `${frame} of the template ${name} shows no text`;
    const which = rows.slice(0, ROWS_SHOWN).map(cutKey).join(", ") + andMore(count - ROWS_SHOWN);
    const gets = `${formatMany(count, "code")} ${count === 1 ? "gets" : "get"}`;
    const given = resolveDesign({ text: "A" }).frame;
    return [
      {
        message: `${says}: ${gets} the frame ${given} instead (${count === 1 ? "row" : "rows"} ${which})`,
        hint: swap.hint,
        where: { file, field: isFrameOfJob ? "code.design.frame" : "code.design.text" },
      },
    ];
  });
}

/** Of a row's own design. */
export function findRowSwap({ code }: Pick<RowsJob, "code">, design: Fields): Problem | undefined {
  return differs({ ...code.design }) ? findFrameSwap(design) : undefined;
}
