/** What a preview made. */
export interface Preview {
  readonly title: string;
  /** What the code says; undefined where it is many. */
  readonly payload: string | undefined;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Why it may not scan, or not look like this in the end. */
  readonly warnings: readonly string[];
}
