/**
 * The life of printed codes as EPCIS 2.0 (JSON-LD): ObjectEvents ADD (commissioning) for what was printed,
 * DELETE (decommissioning) for what is void. Source: GS1 EPCIS 2.0 and CBV 2.0; docs/ledger.md
 * explains the mapping.
 */
import { sha256 } from "../base/ids/ids.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";

/** What happened to codes at one time. */
export interface EpcisEvent {
  readonly does: "commissioning" | "decommissioning";
  readonly atMs: number;
  /** One thing each: URIs. */
  readonly epcs: readonly string[];
  /** Of a class of things, such as a GTIN with its batch: the URI, and how many labels. */
  readonly quantities: readonly { readonly epcClass: string; readonly quantity: number }[];
}

const CONTEXT = "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld";

const rules = {
  commissioning: { action: "ADD", disposition: "active" },
  decommissioning: { action: "DELETE", disposition: "inactive" },
} as const;

/** An event has the same id each time it is written, so that a second capture adds nothing. */
function toEventId(event: object): string {
  const hash = sha256(JSON.stringify(event));
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 3) | 8).toString(16);
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return `urn:uuid:${parts.join("-")}`;
}

function toJson({ does, atMs, epcs, quantities }: EpcisEvent): string {
  const { action, disposition } = rules[does];
  const event = {
    type: "ObjectEvent",
    eventTime: new Date(atMs).toISOString(),
    eventTimeZoneOffset: "+00:00",
    epcList: epcs,
    ...(quantities.length === 0 ? {} : { quantityList: quantities }),
    action,
    bizStep: does,
    disposition,
  };
  return JSON.stringify({ ...event, eventID: toEventId(event) });
}

async function* makeDocument(events: Iterable<EpcisEvent>, atMs: number): AsyncGenerator<string> {
  const head = JSON.stringify({
    "@context": [CONTEXT],
    type: "EPCISDocument",
    schemaVersion: "2.0",
    creationDate: new Date(atMs).toISOString(),
  });
  yield `${head.slice(0, -1)},"epcisBody":{"eventList":[`;
  let isFirst = true;
  for (const event of events) {
    yield `${isFirst ? "" : ","}\n${toJson(event)}`;
    isFirst = false;
  }
  yield "\n]}}\n";
}

/** Writes the document event by event. */
export const writeEpcis = (
  file: string,
  events: Iterable<EpcisEvent>,
  atMs: number,
): Promise<WrittenFile> => writeTextFile(file, makeDocument(events, atMs));
