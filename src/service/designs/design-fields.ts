/** Design fields on the wire (snake_case) <-> designs as the store keeps them. */
import type { z } from "zod";

import {
  designNames,
  recoloredParts,
  type DesignFields,
  type DesignPatch,
} from "../../api/design.ts";
import type { Design } from "../../qr/draw/design.ts";

import type { StoredDesign } from "./stored-design.ts";

type Given = Partial<
  z.output<typeof DesignFields> & Pick<z.output<typeof DesignPatch>, "text_secondary">
>;

const names = designNames satisfies Partial<Record<keyof Given, keyof StoredDesign>>;

/**
 * `base` with the given fields over it: a field left out keeps its value, null resets it to the
 * default. Equal designs give equal results, in the same order of keys, since files are named after
 * them.
 */
export function overlayDesign(base: StoredDesign, given: Given): StoredDesign {
  const result: Record<string, unknown> = {};
  for (const [wire, name] of Object.entries(names) as [keyof typeof names, keyof StoredDesign][]) {
    const wanted = given[wire as keyof Given];
    const value = wanted === undefined ? base[name] : wanted;
    if (value !== undefined && value !== null) result[name] = value;
  }
  return base.logo === undefined ? result : { ...result, logo: base.logo };
}

/** A template with a code's own fields over it (docs/spec/api.md section 4.1, create). */
export function overlayTemplate(template: StoredDesign, given: Given): StoredDesign {
  const told = Object.entries(names).map(([wire, name]) => [wire, template[name]] as const);
  const recolored = recoloredParts(Object.fromEntries(told), given);
  const freed = Object.fromEntries(recolored.map((part) => [part, null]));
  return overlayDesign(template, { ...dropUndefined(given), ...freed });
}

/**
 * A design update: `primary_color` alone also recolours eyes and frame
 * (docs/spec/api.md section 4.1, design).
 */
export function patchDesign(base: StoredDesign, given: Given): StoredDesign {
  if (given.primary_color === undefined) return overlayDesign(base, given);
  return overlayDesign(base, { eye_color: null, frame_color: null, ...dropUndefined(given) });
}

/** The wire form of a whole design. */
export function toDesignAnswer(design: Design): Record<string, unknown> {
  const entries = Object.entries(names).map(([wire, name]) => [wire, design[name]] as const);
  return { ...Object.fromEntries(entries), has_logo: design.logo !== null };
}

function dropUndefined<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as T;
}
