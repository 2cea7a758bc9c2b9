/** Which existing codes are meant, as jobs express it. */
export interface CodeSelect {
  /** Path, id or slug; `none` for codes in no folder; null for all. */
  readonly folder: string | null;
  readonly subfolders: boolean;
  /** Codes must have all of them. */
  readonly tags: readonly string[];
  readonly q: string | null;
  readonly dynamic: boolean | null;
  readonly type: string | null;
}
