/**
 * White underbase and varnish: plates that are no picture, each on a layer that declares it (ISO
 * 19593-1).
 */

export const finishKinds = ["white", "varnish"] as const;
export type FinishKind = (typeof finishKinds)[number];

/** Where a finish lies: all of each label, its codes and symbols with their quiet zones, or all but these. */
export const finishAreas = ["label", "codes", "around-codes"] as const;

/** As a job asks for it. */
export interface FinishPlate {
  /** Name of its plate. */
  readonly spot: string;
  readonly area: (typeof finishAreas)[number];
  /** How far it stays inside of the label's cut; 0 = it bleeds. */
  readonly chokeMm: number;
}

export interface Finish extends FinishPlate {
  readonly kind: FinishKind;
}

/** Group of each processing step, and what stands in for the plate on screens. */
export const finishSteps = {
  white: { group: "White", cmyk: [0.1, 0, 0, 0], space: "W", layer: "LW" },
  varnish: { group: "Varnish", cmyk: [0, 0, 0.1, 0], space: "V", layer: "LV" },
} as const;

/** White first: varnish lies on top. */
export const toFinishes = (wanted: {
  readonly white?: FinishPlate | undefined;
  readonly varnish?: FinishPlate | undefined;
}): readonly Finish[] =>
  finishKinds.flatMap((kind) => {
    const plate = wanted[kind];
    return plate === undefined ? [] : [{ kind, ...plate }];
  });
