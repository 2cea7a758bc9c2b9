/** A finding before its rule and file are filled in. */
export interface Fault {
  readonly message: string;
  readonly severity?: "error" | "warning";
  /** From 1, as rows and columns. */
  readonly page?: number | undefined;
  readonly row?: number | undefined;
  readonly column?: number | undefined;
  /** Key of the row whose label it is. */
  readonly key?: string | undefined;
}

/** What a check found. Errors keep a file from the press; warnings are for a person to judge. */
export interface Finding extends Fault {
  readonly severity: "error" | "warning";
  /** Identifier of the rule, see `rules.ts`; artwork has `artwork-*`. */
  readonly rule: string;
  readonly file: string;
}

/** A fault of a picture. */
export type ArtworkRule =
  | "artwork-missing"
  | "artwork-damaged"
  | "artwork-empty"
  | "artwork-unreadable"
  | "artwork-mismatch";
