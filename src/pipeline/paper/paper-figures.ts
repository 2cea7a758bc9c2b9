/** What the sheets of a plan take. */

/** What a plan takes of a roll, whose repeats are the pages. */
export interface RollPlan {
  /** Copies, overs and those of spare cells included. */
  readonly labels: number;
  readonly lengthMm: number;
}

/** A PDF or archive that a run writes as several. */
export interface VolumesPlan {
  /** Name of the first. */
  readonly name: string;
  readonly count: number;
  /** Name of the last. */
  readonly last: string;
}

export interface PaperFigures {
  readonly sheetPages: number;
  /**
   * Labels on them, copies, overs and those of spare cells included; left out on a roll, and where
   * each row has one.
   */
  readonly sheetLabels?: number | undefined;
  /** Of PDFs that are written in several volumes. */
  readonly sheetVolumes?: readonly VolumesPlan[] | undefined;
  /** Of jobs that print on a roll. */
  readonly roll?: RollPlan | undefined;
}

/** The side of a module. */
export interface PlannedX {
  readonly xMm: number;
  /** Dots per inch of the device whose grid it keeps to. */
  readonly dpi?: number | undefined;
  /** That of finished sheets which stay, from before there was a grid. */
  readonly keptMm?: number;
  /** Designs of codes that exist may make it smaller. */
  readonly isMost?: boolean;
  /** Measured with a short link of so many characters: the server has not told all of them yet. */
  readonly linkLength?: number;
}
