/** Messages between the proof pool and its threads. */
import type { VolumeTask } from "../../print/draw/volume-task.ts";
import type { DrawnVolume } from "../../print/volume.ts";
import type { PagesProof, ProofTask } from "./prove-pages.ts";
import type { PictureClaim, PicturesProof } from "./prover.ts";

export type ProofRequest =
  | { readonly id: number; readonly pages: ProofTask }
  | { readonly id: number; readonly pictures: readonly PictureClaim[] }
  | { readonly id: number; readonly volume: VolumeTask };

export type ProofAnswer =
  | { readonly id: number; readonly proof: PagesProof | PicturesProof | DrawnVolume }
  | { readonly id: number; readonly error: string };
