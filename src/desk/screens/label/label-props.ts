/** Data between the screen and its island. */

export interface ShownPicture {
  readonly url: string;
  readonly alt: string;
  readonly widthMm: number;
  readonly heightMm: number;
}

/** A message of the engine, in the reader's language where it has words there. */
export interface Told {
  readonly text: string;
  readonly isEnglish: boolean;
}

/** One picture with its notes, in the reader's language. */
export interface ShownLook {
  /** Empty where nothing can be drawn: the last good one stays. */
  readonly pictures: readonly ShownPicture[];
  readonly facts: readonly string[];
  readonly warnings: readonly Told[];
  /** Why it can't be drawn. */
  readonly faults: readonly Told[];
}

export const lookNames = ["label", "sheet", "code"] as const;
export type LookName = (typeof lookNames)[number];

export type Shown = Readonly<Partial<Record<LookName, ShownLook>>>;

export interface LabelProps {
  /** Address that draws the form. */
  readonly address: string;
  readonly looks: Shown;
  readonly words: {
    readonly language: string;
    readonly titles: Readonly<Record<LookName, string>>;
    readonly live: string;
    readonly clickSheet: string;
    readonly sheetButton: string;
    readonly waiting: string;
    readonly offline: string;
    readonly signedOut: string;
    readonly warnings: string;
    /** Says that faults and warnings are English; empty where the page is, too. */
    readonly english: string;
    readonly find: string;
    readonly found: string;
    readonly foundOne: string;
  };
}

export interface LabelAnswer {
  readonly looks: Shown;
  /** Where printing begins after a click on the sheet. */
  readonly start?: number;
  /** The result of the click. */
  readonly said?: string;
}
