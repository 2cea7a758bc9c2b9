/** What `retire` is asked for, and what it would do. */
import type { Problem } from "../../base/errors.ts";
import type { RowsFrom } from "../../base/shapes/rows-from.ts";
import type { Kind } from "../../kinds/names.ts";
import type { GoneRow } from "../../plan/gone-row.ts";

/** What becomes of codes whose rows vanished. */
export type RetireAction =
  | { readonly does: "file"; readonly folder: string }
  | { readonly does: "delete" };

export interface RetireRequest {
  /** Left out: the codes are listed, nothing is done. */
  readonly action?: RetireAction | undefined;
  /** Only these rows; default: all that vanished. */
  readonly keys?: readonly string[] | undefined;
  readonly isConfirmed?: boolean | undefined;
  readonly patienceMs?: number | undefined;
}

/** Codes whose rows vanished, and what can become of them. */
export interface RetirePlan {
  readonly job: string;
  readonly kind: Kind;
  /** The spreadsheet, absolute. */
  readonly input: string;
  readonly from: RowsFrom;
  readonly rows: readonly GoneRow[];
  /**
   * So many carry a short link that would die with them; that of `voided` ones is dead in print
   * already, and `products` carry a Digital Link, which lives on.
   */
  readonly dynamic: number;
  readonly voided: number;
  readonly products: number;
  /** Rows that vanished since the last run: the next one takes them over. */
  readonly waiting: number;
  readonly canFile: boolean;
  readonly canDelete: boolean;
  readonly action: RetireAction | undefined;
  /** What `action` sends, folders included; without one, what the codes alone take. */
  readonly writes: number;
  /** Another job has moved all codes to another address: what is printed leads nowhere. */
  readonly moved?: Problem | undefined;
  /** So many of them are for folders: every one of the path is asked for, since it may be gone. */
  readonly folderWrites: number;
}
