/** How far a run with a limit came: of new codes, or of changes to codes that exist. */
export interface Limited {
  readonly made: number;
  readonly of: number;
}

/** Undefined where nothing is taken off the limit yet. */
export const toLimited = (of: number | null | undefined, made: number): Limited | undefined =>
  of == null || made === 0 ? undefined : { made: Math.min(made, of), of };
