/** The result of reading the pictures of a job. */
import type { Finding } from "../../verify/verify.ts";
import type { PictureCount } from "../results.ts";

/** How many pictures of each format are proven. */
export interface ProvenCount {
  readonly png: number;
  readonly svg: number;
}

/** What was read of the pictures. */
export interface PictureProof {
  readonly png: PictureCount;
  readonly svg: PictureCount;
  readonly findings: readonly Finding[];
}

export const NO_PICTURES: PictureProof = {
  png: { files: 0, decoded: 0 },
  svg: { files: 0, decoded: 0 },
  findings: [],
};

/** Pictures of earlier runs, as counts have them. */
export const ofBefore = (before: number): Pick<PictureCount, "before"> =>
  before === 0 ? {} : { before };

const sum = ({ decoded, before = 0 }: PictureCount): number => decoded + before;

/** All that are proven, now or before. */
export const countProven = ({ png, svg }: Pick<PictureProof, "png" | "svg">): ProvenCount => ({
  png: sum(png),
  svg: sum(svg),
});

/** What a run knows that opens none. */
export const toKnown = ({ png, svg }: ProvenCount): PictureProof => ({
  png: { ...NO_PICTURES.png, ...ofBefore(png) },
  svg: { ...NO_PICTURES.svg, ...ofBefore(svg) },
  findings: [],
});
