/** What the tags of a code cost. */

/** Tags to take off a code, one call each, and whether any are to be put on, in one call. */
export function diffTags(
  made: readonly string[] | null,
  wanted: readonly string[],
): { readonly gone: readonly string[]; readonly isAnyNew: boolean } {
  const before = made ?? [];
  return {
    gone: before.filter((tag) => !wanted.includes(tag)),
    isAnyNew: wanted.some((tag) => !before.includes(tag)),
  };
}

export function countTagWrites(made: readonly string[] | null, wanted: readonly string[]): number {
  const { gone, isAnyNew } = diffTags(made, wanted);
  return gone.length + Number(isAnyNew);
}
