/** Codes of a job as EPCIS names things, and what happened to them (docs/ledger.md). */
import { isUrl } from "../../base/text/url.ts";
import {
  buildDigitalLinkUri,
  isUriFault,
  parseDigitalLinkUri,
} from "../../gs1/digital-link-uri.ts";
import type { EpcisEvent } from "../../pack/epcis.ts";
import { toDigitalLinkOf } from "../../plan/product-wish.ts";
import { countFate, type Unit } from "./gather-units.ts";

/** EPCs of one event. */
const MOST = 5000;

interface Thing {
  readonly uri: string;
  /** One thing; else a class of them, such as a GTIN, whose labels are counted. */
  readonly isOne: boolean;
}

/** Keys that name one thing by themselves (identification keys of the GS1 General Specifications). */
const ALONE: ReadonlySet<string> = new Set(["00", "8004", "8017", "8018", "401", "402"]);
/** Keys that do so with a serial number inside: more characters than this. */
const WITH_SERIAL: ReadonlyMap<string, number> = new Map([
  ["8003", 14],
  ["253", 13],
  ["255", 13],
]);
/** Keys that do so with such a qualifier. */
const QUALIFIED: ReadonlyMap<string, string> = new Map([
  ["01", "21"],
  ["8006", "21"],
  ["414", "254"],
  ["8010", "8011"],
]);

/** The Digital Link of a code under `https://id.gs1.org`, without attributes. */
function toGs1(text: string): Thing | undefined {
  const parsed = parseDigitalLinkUri(text);
  if (isUriFault(parsed)) return undefined;
  const uri = buildDigitalLinkUri(parsed.path);
  if (typeof uri !== "string") return undefined;
  const [[key, value] = ["", ""], ...qualifiers] = parsed.path;
  const serial = QUALIFIED.get(key);
  const isOne =
    ALONE.has(key) ||
    value.length > (WITH_SERIAL.get(key) ?? Infinity) ||
    qualifiers.some(([ai]) => ai === serial);
  return { uri, isOne };
}

/** Undefined for a code that says nothing EPCIS could name: a contact, a text. */
function toThing({ row, payload }: Unit): Thing | undefined {
  const wanted = row.made ?? row.wanted;
  const path = toDigitalLinkOf(wanted);
  if (path !== undefined) return toGs1(`https://id.gs1.org${path}`);
  if (payload === undefined) return undefined;
  return toGs1(payload) ?? (isUrl(payload) ? { uri: payload, isOne: true } : undefined);
}

interface Heap {
  readonly does: EpcisEvent["does"];
  atMs: number;
  readonly epcs: string[];
  readonly quantities: Map<string, number>;
}

class Heaps {
  readonly #heaps = new Map<string, Heap>();

  add(
    name: string,
    { uri, isOne }: Thing,
    {
      does,
      atMs,
      count,
    }: { readonly does: EpcisEvent["does"]; readonly atMs: number; readonly count: number },
  ): void {
    const heap = this.#heaps.get(name) ?? {
      does,
      atMs,
      epcs: [],
      quantities: new Map<string, number>(),
    };
    this.#heaps.set(name, heap);
    heap.atMs = Math.max(heap.atMs, atMs);
    if (isOne) heap.epcs.push(uri);
    else heap.quantities.set(uri, (heap.quantities.get(uri) ?? 0) + count);
  }

  *events(): Iterable<EpcisEvent> {
    for (const { does, atMs, epcs, quantities } of this.#heaps.values()) {
      const classes = [...quantities].map(([epcClass, quantity]) => ({ epcClass, quantity }));
      for (let at = 0; at < Math.max(epcs.length, 1); at += MOST) {
        const some = { does, atMs, epcs: epcs.slice(at, at + MOST) };
        yield { ...some, quantities: at === 0 ? classes : [] };
      }
    }
  }
}

/**
 * Codes are commissioned as their PDFs were made, by the time of the last one in it, and
 * decommissioned as they became void. Answers also how many have no name in EPCIS.
 * @param makeMs time of codes whose server said none
 */
export function toEpcisEvents(
  units: Iterable<Unit>,
  makeMs: number,
): { readonly events: readonly EpcisEvent[]; readonly named: number; readonly nameless: number } {
  const heaps = new Heaps();
  let [named, nameless] = [0, 0];
  for (const unit of units) {
    if (unit.labels.length === 0) continue;
    const thing = toThing(unit);
    if (thing === undefined) {
      nameless += 1;
      continue;
    }
    named += 1;
    const created = Date.parse(unit.row.created ?? "");
    const count = unit.labels.length + unit.reprinted.length;
    const atMs = Number.isNaN(created) ? makeMs : created;
    heaps.add(`+${unit.row.placing.sheets}`, thing, { does: "commissioning", atMs, count });
  }
  for (const unit of units) {
    const thing = unit.labels.length === 0 ? undefined : toThing(unit);
    if (thing === undefined) continue;
    const fate = countFate(unit);
    if (unit.voided !== undefined) {
      const { atMs, who } = unit.voided;
      heaps.add(`-${atMs} ${who}`, thing, { does: "decommissioning", atMs, count: fate.void });
      continue;
    }
    // A single thing keeps its identity under a label that was printed again; a class has lost so
    // many labels.
    if (thing.isOne) continue;
    for (const { atMs, who } of unit.spoiled)
      heaps.add(`-${atMs} ${who}`, thing, { does: "decommissioning", atMs, count: 1 });
  }
  return { events: [...heaps.events()], named, nameless };
}
