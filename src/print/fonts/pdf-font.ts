import { createHash } from "node:crypto";

import type { FontMetrics } from "./font-file.ts";
import type { FontProgram, SubsetGlyph } from "./font.ts";
import { type PdfObjects, type PdfRef, type PdfValue, text } from "../pdf/pdf-objects.ts";

const CMAP_BLOCK = 100;
const SYMBOLIC = 4;

const hex4 = (n: number): string => n.toString(16).toUpperCase().padStart(4, "0");

/** A text in UTF-16, big end first, as hex. */
export function utf16Hex(says: string): string {
  return Array.from(says.split(""), (unit) => hex4(unit.charCodeAt(0))).join("");
}

/** Glyph identifiers -> characters, so that text can be searched and copied. */
export function makeToUnicode(all: readonly SubsetGlyph[]): string {
  const blocks: string[] = [];
  const glyphs = all.filter((glyph) => glyph.text !== "");
  for (let i = 0; i < glyphs.length; i += CMAP_BLOCK) {
    const block = glyphs.slice(i, i + CMAP_BLOCK);
    const pairs = block.map((glyph) => `<${hex4(glyph.id)}> <${utf16Hex(glyph.text)}>`);
    blocks.push(`${block.length} beginbfchar\n${pairs.join("\n")}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
${blocks.join("\n")}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

/** Six capital letters that tell subsets of one face apart. */
function subsetTag(file: Uint8Array): string {
  const digest = createHash("sha256").update(file).digest();
  return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join(
    "",
  );
}

/** A subset of a font as files embed it. */
export interface EmbeddableSubset {
  /** By identifier, ascending from 1 without gaps. */
  readonly glyphs: readonly SubsetGlyph[];
  encode(): FontProgram;
}

function addProgram(pdf: PdfObjects, { kind, bytes }: FontProgram): Record<string, PdfValue> {
  return kind === "TrueType"
    ? { FontFile2: pdf.addStream(bytes, { Length1: bytes.length }) }
    : { FontFile3: pdf.addStream(bytes, { Subtype: "CIDFontType0C" }) };
}

const subtypes = { TrueType: "CIDFontType2", CFF: "CIDFontType0" } as const;

/** Embeds the subset of a finished file under `ref`: Type 0, Identity-H, TrueType or CFF outlines. Answers the font file. */
export function setFont(
  pdf: PdfObjects,
  ref: PdfRef,
  { name: faceName, metrics }: { readonly name: string; readonly metrics: FontMetrics },
  subset: EmbeddableSubset,
): Uint8Array {
  const program = subset.encode();
  const glyphs = subset.glyphs;
  const name = `${subsetTag(program.bytes)}+${faceName}`;
  const descriptor = pdf.add({
    Type: "FontDescriptor",
    FontName: name,
    Flags: SYMBOLIC,
    FontBBox: metrics.bbox,
    ItalicAngle: 0,
    Ascent: metrics.ascent,
    Descent: metrics.descent,
    CapHeight: metrics.capHeight,
    StemV: 80,
    ...addProgram(pdf, program),
  });
  // Identifiers are given without gaps, so one run of widths holds all.
  const widths: PdfValue =
    glyphs.length === 0 ? [] : [glyphs[0]?.id ?? 1, glyphs.map((glyph) => glyph.width)];
  const descendant = pdf.add({
    Type: "Font",
    Subtype: subtypes[program.kind],
    BaseFont: name,
    CIDSystemInfo: { Registry: text("Adobe"), Ordering: text("Identity"), Supplement: 0 },
    ...(program.kind === "TrueType" ? { CIDToGIDMap: "Identity" } : {}),
    FontDescriptor: descriptor,
    DW: 1000,
    W: widths,
  });
  pdf.set(ref, {
    Type: "Font",
    Subtype: "Type0",
    BaseFont: name,
    Encoding: "Identity-H",
    DescendantFonts: [descendant],
    ToUnicode: pdf.addStream(makeToUnicode(glyphs)),
  });
  return program.bytes;
}
