/** The next steps that lead to `retire`. */
import { formatCount, formatMany } from "../base/words.ts";
import { isRowKind, type Kind, toThing } from "../kinds/names.ts";
import { waysToRetire } from "../kinds/retire.ts";
import type { CommandOf } from "../pipeline/ports.ts";
import type { NextStep } from "../pipeline/results.ts";

type RetireStep = Extract<NextStep, { code: "retire-again" | "retire-rows" }>;

export const isRetireStep = (step: NextStep): step is RetireStep => step.code.startsWith("retire-");

/** ` (1 of them is void)`. */
function sayVoided(count: number, voided: number): string {
  if (voided === 0) return "";
  if (count === voided) return count === 1 ? " (it is void)" : " (all of them are void)";
  return ` (${formatCount(voided)} of them ${voided === 1 ? "is" : "are"} void)`;
}

export function sayRetireStep(step: RetireStep, kind: Kind, commandOf: CommandOf): string {
  if (step.code === "retire-again") return `go on with: ${commandOf("retire", { again: true })}`;
  const { count, voided = 0 } = step;
  const which = sayVoided(count, voided);
  const thing = toThing(kind);
  const ways = isRowKind(kind) ? waysToRetire(kind).join(" or ") : "retire";
  const many = formatMany(
    count,
    `${thing} has no row any more${which}, and this run left it as it is`,
    `${thing}s have no rows any more${which}, and this run left them as they are`,
  );
  return `${many}; to ${ways} ${count === 1 ? "it" : "them"}: ${commandOf("retire")}`;
}
