/** What plans, proofs and reprints say of the public address of a remote server. */

/** What codes begin with in the files of a job, and what their server gives them now. */
export interface SeenAddress {
  readonly from: string;
  readonly to: string;
}

export const sayMoves = ({ from, to }: SeenAddress): string =>
  `short links begin with ${to} instead of ${from}`;

export const sayUnasked = (from: string): string =>
  `the server was not asked whether short links still begin with ${from}: a token or an answer is missing`;
