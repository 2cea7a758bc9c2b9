/** What goes between the proof pool and its threads. */
import type { PagesProof, ProofTask } from "./prove-pages.ts";
import type { PictureClaim, PicturesProof } from "./prover.ts";

export type ProofRequest =
  | { readonly id: number; readonly pages: ProofTask }
  | { readonly id: number; readonly pictures: readonly PictureClaim[] };

export type ProofAnswer =
  | { readonly id: number; readonly proof: PagesProof | PicturesProof }
  | { readonly id: number; readonly error: string };
