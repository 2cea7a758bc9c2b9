/** Which AIs may and must be used together (`req` and `ex` of GS1's dictionary). */
import { findAi, isMeant } from "./application-identifiers.ts";
import type { Element } from "./elements.ts";

export interface Clash {
  readonly rule: "requisites" | "mutex" | "repeats";
  readonly ai: string;
  /** Why, as a sentence. */
  readonly detail: string;
}

/** A repeated AI must have the same value. */
export function checkRepeats(elements: readonly Element[]): Clash | undefined {
  const values = new Map<string, string>();
  for (const [ai, value] of elements) {
    if ((values.get(ai) ?? value) !== value) {
      return { rule: "repeats", ai, detail: `AI ${ai} must have one value, got two.` };
    }
    values.set(ai, value);
  }
  return undefined;
}

/** AIs that must not be used together. */
export function checkExclusions(elements: readonly Element[]): Clash | undefined {
  for (const [ai] of elements) {
    const excludes = findAi(ai)?.excludes ?? [];
    const met = elements.find(
      ([other]) => other !== ai && excludes.some((name) => isMeant(name, other)),
    );
    if (met !== undefined) {
      return { rule: "mutex", ai, detail: `AI ${ai} must not stand with AI ${met[0]}.` };
    }
  }
  return undefined;
}

/** AIs that require others; `settled` ones have what they require. */
export function checkRequisites(
  elements: readonly Element[],
  settled: readonly string[] = [],
): Clash | undefined {
  const isThere = (name: string): boolean => elements.some(([ai]) => isMeant(name, ai));
  for (const [ai] of elements) {
    if (settled.includes(ai)) continue;
    for (const groups of findAi(ai)?.requires ?? []) {
      if (groups.some((group) => group.every(isThere))) continue;
      const wanted = groups.map((group) => group.join(" with ")).join(", ");
      return { rule: "requisites", ai, detail: `AI ${ai} must stand with one of: ${wanted}.` };
    }
  }
  return undefined;
}

/** The first clash of any kind, or undefined. `settled` as for {@link checkRequisites}. */
export function checkPairings(
  elements: readonly Element[],
  settled: readonly string[] = [],
): Clash | undefined {
  return checkRepeats(elements) ?? checkExclusions(elements) ?? checkRequisites(elements, settled);
}
