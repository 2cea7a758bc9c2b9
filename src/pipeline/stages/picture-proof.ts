/** The result of reading the pictures of a job. */
import type { Finding } from "../../verify/verify.ts";
import type { PictureCount } from "../results.ts";

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
