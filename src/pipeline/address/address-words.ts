/** What plans, proofs and reprints say of the public address of a remote server. */
import type { Untold } from "./untold.ts";

/** What codes begin with in the files of a job, and what their server gives them now. */
export interface SeenAddress {
  readonly from: string;
  readonly to: string;
}

export const sayMoves = ({ from, to }: SeenAddress): string =>
  `short links begin with ${to} instead of ${from}`;

/** The address that codes were drawn with, where the server has not told what it gives them now. */
export interface UntoldAddress {
  readonly from: string;
  readonly because: Untold;
}

/** What a server is asked. */
export const whetherStill = (from: string): string =>
  `whether short links still begin with ${from}`;
