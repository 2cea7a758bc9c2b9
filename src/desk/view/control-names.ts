/** Fields of a manifest under the names that the screen "label and sheet" gives them. */
import { frames } from "../../api/design.ts";
import type { Words } from "../words/words.ts";

/** Where the fields of that screen stand in manifests. */
const FIELD = /\b(?:output\.sheets|(?:code\.)?design)\.([a-z_]+)\b/gu;
/** Texts of a label template, and what an own sheet has. */
const PART = /\boutput\.sheets\.(label\.texts|sheet)\.([a-z_]+)\b/gu;
/** Sizes that messages name without their place; never what a cell holds, which is quoted, or a file. */
const SIZE = /"[^"]*"|(?<![\w.])(?:qr_size_mm|x_dimension_mm|safe_mm|device_dpi)(?![\w.])/gu;
/** Fields that messages name without their place, before what must be true of them. */
const BARE = /^(?:start|text)(?= (?:must|muss|darf) )/u;
/** An option that is a field of the customer's proof. */
const LINES = /^--lines(?= )/u;
const FRAME = /\bthe frame ([a-z-]+)\b/gu;

/** A message of the engine, which names fields and frames as manifests do. */
export function nameControls(text: string, { label, approval }: Words): string {
  const nameOfPart = (field: string, part: string, id: string): string => {
    const known: Readonly<Record<string, string>> =
      part === "sheet" ? label.ownFields : label.texts;
    const name = Object.hasOwn(known, id) ? known[id] : undefined;
    return name === undefined ? field : label.named(name);
  };
  const nameOf = (id: string): string | undefined => {
    const known = Object.hasOwn(label.fields, id) ? label.fields[id] : undefined;
    return known && label.named(known.name);
  };
  return text
    .replace(BARE, (id) => nameOf(id) ?? id)
    .replace(LINES, label.named(approval.lines))
    .replace(PART, nameOfPart)
    .replace(FIELD, (field, id: string) => nameOf(id) ?? field)
    .replace(SIZE, (id) => nameOf(id) ?? id)
    .replace(FRAME, (said, frame: string) =>
      frames.some((one) => one === frame) ? `${nameOf("frame") ?? "the frame"} ${frame}` : said,
    );
}
