/** Fields of a manifest under the names that the screen "label and sheet" gives them. */
import { frames } from "../../api/design.ts";
import type { Words } from "../words/words.ts";

/** Where the fields of that screen stand in manifests. */
const FIELD = /\b(?:output\.sheets|(?:code\.)?design)\.([a-z_]+)\b/gu;
const FRAME = /\bthe frame ([a-z-]+)\b/gu;

/** A message of the engine, which names fields and frames as manifests do. */
export function nameControls(text: string, { label }: Words): string {
  const nameOf = (id: string): string | undefined => {
    const known = Object.hasOwn(label.fields, id) ? label.fields[id] : undefined;
    return known && label.named(known.name);
  };
  return text
    .replace(FIELD, (field, id: string) => nameOf(id) ?? field)
    .replace(FRAME, (said, frame: string) =>
      frames.some((one) => one === frame) ? `${nameOf("frame") ?? "the frame"} ${frame}` : said,
    );
}
