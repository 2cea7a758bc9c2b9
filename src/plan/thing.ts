/** The thing that a kind of job makes of a row beside a code: product, link, PDF, page, form. */
import type { Problem } from "../base/errors.ts";
import type { RowParts, Wanted } from "../state/row.ts";

/** Facts about a row's PDF, found before it is planned. */
export interface PdfFacts {
  /** Absolute; null when the row names no file. */
  readonly file: string | null;
  readonly sha256: string | null;
  readonly problems: readonly string[];
  /** As the row names it; set where it has no page. */
  readonly empty?: string;
}

export const NO_PDF: PdfFacts = { file: null, sha256: null, problems: [] };

export type Render = (template: string) => string;

/** The fields of a wish that only its kind has, and what is wrong with them. */
export interface Thing {
  readonly fields: Partial<Wanted>;
  readonly problems: readonly string[];
  /** Warnings about its row. */
  readonly warnings?: readonly Advice[];
  /** Fields that are dates of GS1. */
  readonly gs1Dates?: readonly Gs1Date[];
}

/** A template whose text is the date of an AI. */
export interface Gs1Date {
  readonly field: string;
  readonly ai: string;
  readonly template: string;
}

/** A warning, and what to do about it. */
export type Advice = Pick<Problem, "message" | "hint">;

/** Calls that change something on the server (docs/spec/jobs.md section 1, the table of kinds). */
export interface ThingCost {
  /** Of a row that isn't on the server yet; `parts`: what is there of it all the same. */
  readonly create: (wanted: Wanted, parts?: RowParts) => number;
  /** Of bringing a finished row's content to what it wants today, but for design and tags. */
  readonly update: (made: Wanted, wanted: Wanted) => number;
  /** Calls that this change reads first; left out: none. */
  readonly updateReads?: (made: Wanted, wanted: Wanted) => number;
  /** This change draws the code anew, so that its files are fetched again. */
  readonly redraws?: true;
}

/** Why what was made can't become what the row wants now; undefined when it can. */
export type FindFixed = (made: Wanted, wanted: Wanted) => string | undefined;

/**
 * A warning about what stays as it was made against the row's wish, and what to do; mostly
 * undefined.
 */
export type FindKept = (made: Wanted, wanted: Wanted) => Advice | undefined;

/** What a planner must know of the kind of a job. */
export interface ThingPlan {
  readonly toThing: (render: Render, facts: PdfFacts) => Thing;
  readonly cost: ThingCost;
  readonly findFixed: FindFixed;
  readonly findKept?: FindKept;
}

/** Plain codes make nothing more. */
export const PLAIN_CODES: ThingPlan = {
  toThing: () => ({ fields: {}, problems: [] }),
  cost: {
    create: ({ tags, design }) =>
      1 + Number(tags.length > 0) + Number(design["logo_file"] !== undefined),
    update: () => 1,
  },
  findFixed: () => undefined,
};
