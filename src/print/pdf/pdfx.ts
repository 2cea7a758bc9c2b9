import { createHash } from "node:crypto";

import { parseMoment } from "../../base/time/moment.ts";
import type { OutputIntent } from "./icc-profile.ts";
import { type PdfObjects, type PdfRef, type PdfValue, text } from "./pdf-objects.ts";

/** Kinds of file that the press half writes (docs/spec/print.md section 2). */
export const pdfxStandards = ["PDF/X-4", "PDF/X-1a:2003"] as const;
export type PdfxStandard = (typeof pdfxStandards)[number];

export const PRODUCER = "makeready";

/** The identity of a document. */
export interface DocumentFacts {
  readonly standard: PdfxStandard;
  readonly title: string;
  readonly createdAt: Date;
  /** 32 bytes of a hash over everything the document shows. */
  readonly hash: Uint8Array;
}

/** True for an ISO date and time. */
export function isIsoTime(text: string): boolean {
  return text.includes("T") && parseMoment(text) !== undefined;
}

const isoSeconds = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

/** `D:YYYYMMDDHHmmSSZ`, always UTC. */
export function toPdfDate(date: Date): string {
  return `D:${isoSeconds(date).replaceAll(/[-:TZ]/gu, "")}Z`;
}

/** A UUID (version 8, "custom") out of a hash. */
function toUuid(hash: Uint8Array): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = bytes.toString("hex");
  return [8, 12, 16, 20, 32].map((end, i, ends) => digits.slice(ends[i - 1] ?? 0, end)).join("-");
}

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** XML text: reserved characters escaped, characters that XML 1.0 forbids dropped. */
function xml(value: string): string {
  return value
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, "")
    .replaceAll(/[&<>"']/gu, (char) => escapes[char] ?? char);
}

/** The XMP packet of PDF/X-4: version key, title, dates, identifiers, Trapped. */
export function makeXmp(facts: DocumentFacts): Uint8Array {
  const date = isoSeconds(facts.createdAt);
  const documentId = `uuid:${toUuid(facts.hash)}`;
  const instanceId = `uuid:${toUuid(createHash("sha256").update(facts.hash).update("instance").digest())}`;
  const packet = `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
    xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/">
   <dc:format>application/pdf</dc:format>
   <dc:title><rdf:Alt><rdf:li xml:lang="x-default">${xml(facts.title)}</rdf:li></rdf:Alt></dc:title>
   <pdf:Producer>${PRODUCER}</pdf:Producer>
   <pdf:Trapped>False</pdf:Trapped>
   <pdfxid:GTS_PDFXVersion>${facts.standard}</pdfxid:GTS_PDFXVersion>
   <xmp:CreatorTool>${PRODUCER}</xmp:CreatorTool>
   <xmp:CreateDate>${date}</xmp:CreateDate>
   <xmp:ModifyDate>${date}</xmp:ModifyDate>
   <xmp:MetadataDate>${date}</xmp:MetadataDate>
   <xmpMM:DocumentID>${documentId}</xmpMM:DocumentID>
   <xmpMM:InstanceID>${instanceId}</xmpMM:InstanceID>
   <xmpMM:VersionID>1</xmpMM:VersionID>
   <xmpMM:RenditionClass>default</xmpMM:RenditionClass>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`;
  return Buffer.from(packet, "utf8");
}

/** The Info dictionary; agrees with the XMP packet. X-1a says what it is here. */
export function makeInfo(facts: DocumentFacts): PdfValue {
  const date = text(toPdfDate(facts.createdAt));
  const claim =
    facts.standard === "PDF/X-1a:2003"
      ? { GTS_PDFXVersion: text(facts.standard), GTS_PDFXConformance: text(facts.standard) }
      : {};
  return {
    Title: text(facts.title),
    Creator: text(PRODUCER),
    Producer: text(PRODUCER),
    CreationDate: date,
    ModDate: date,
    Trapped: "False",
    ...claim,
  };
}

/** The one output intent, its profile embedded. */
export function addOutputIntent(pdf: PdfObjects, intent: OutputIntent): PdfRef {
  const profile = pdf.addStream(intent.profile, { N: 4 });
  return pdf.add({
    Type: "OutputIntent",
    S: "GTS_PDFX",
    OutputConditionIdentifier: text(intent.condition),
    OutputCondition: text(intent.info),
    Info: text(intent.info),
    RegistryName: text(intent.registry),
    DestOutputProfile: profile,
  });
}
