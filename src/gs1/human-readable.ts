/**
 * Human-readable interpretation: what people read beside a GS1 code (docs/spec/print.md section 5).
 */
import { isUriFault, parseDigitalLinkUri } from "./digital-link-uri.ts";
import { checkElements, type Element, parseBracketed } from "./elements.ts";

function readElements(payload: string): readonly Element[] | undefined {
  if (payload.startsWith("(")) {
    const elements = parseBracketed(payload);
    return elements === undefined || checkElements(elements) !== undefined ? undefined : elements;
  }
  const link = parseDigitalLinkUri(payload);
  return isUriFault(link) ? undefined : [...link.path, ...link.attributes];
}

/**
 * `(01) 09506000134352`, one text per element, so that lines are only broken between them: the
 * primary key alone, or everything in the code. Undefined when the code holds neither a valid
 * Digital Link URI nor a valid bracketed element string.
 */
export function toHumanReadable(payload: string, parts: "key" | "all"): string[] | undefined {
  const elements = readElements(payload);
  const shown = parts === "key" ? elements?.slice(0, 1) : elements;
  return shown?.map(([ai, value]) => `(${ai}) ${value}`);
}
