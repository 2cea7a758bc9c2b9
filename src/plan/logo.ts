/** What a plan must know of an image that rows want as their logo. */
export type LogoFact =
  /** Stands for its bytes. */
  | { readonly mark: string }
  /** "must be ..., got ...". */
  | { readonly problem: string };

/** Looks at a file that a row names. */
export type LogoOf = (named: string) => LogoFact;
