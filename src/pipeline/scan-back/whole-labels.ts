/** Labels with several codes are one piece of paper each: what pictures show of their codes, put together. */
import type { LabelState, ScannedLabel } from "../../scan/scan.ts";

/** What is not good of a label counts, in this order. */
const WORST: readonly LabelState[] = ["damaged", "missing", "outside"];

/** A label is missing where all of its codes are. */
function stateOf(states: ReadonlySet<LabelState>): LabelState {
  const isHalf = states.has("missing") && states.has("good");
  return isHalf ? "damaged" : (WORST.find((state) => states.has(state)) ?? "good");
}

/** The code that the label is judged by: the first of the worst ones. */
function joinCodes<Label extends ScannedLabel>(codes: readonly [Label, ...Label[]]): Label {
  const [first] = codes;
  if (codes.length === 1) return first;
  const state = stateOf(new Set(codes.map((one) => one.state)));
  const bad = codes.filter((one) => one.state !== "good" && one.state !== "outside");
  const shown = bad[0] ?? codes.find((one) => one.state === state) ?? first;
  const reasons = [...new Set(bad.map((one) => one.reason))].join("; ");
  if (reasons === "" || bad.length === codes.length)
    return { ...shown, state, reason: reasons === "" ? shown.reason : reasons };
  return { ...shown, state, reason: `${bad.length} of its ${codes.length} codes: ${reasons}` };
}

/** One label for all codes of a piece of paper: good where all of them are. `idOf` tells pieces apart. */
export function joinLabels<Label extends ScannedLabel>(
  labels: readonly Label[],
  idOf: (label: Label) => string,
): Label[] {
  const pieces = new Map<string, [Label, ...Label[]]>();
  for (const label of labels) {
    const known = pieces.get(idOf(label));
    if (known === undefined) pieces.set(idOf(label), [label]);
    else known.push(label);
  }
  return [...pieces.values()].map((codes) => joinCodes(codes));
}
