/** How much a sender may ask for, from what the operator chose. */
import { limits as hostedLimits } from "../../api/limits.ts";
import type { LimitRule } from "./dispatch.ts";

export type LimitChoice =
  | "off"
  | "told"
  | "hosted"
  | { readonly reads: number; readonly writes: number; readonly rejected?: number };

/** More than anybody sends in a minute. */
const UNREACHED = 999_999_999;

export function toLimitRule(limits: LimitChoice = "hosted"): LimitRule {
  if (limits === "off") return undefined;
  if (limits === "told") return { read: UNREACHED, write: UNREACHED, rejected: UNREACHED };
  const { readsPerWindow, writesPerWindow, rejectedPerWindow } = hostedLimits;
  return limits === "hosted"
    ? { read: readsPerWindow, write: writesPerWindow, rejected: rejectedPerWindow }
    : {
        read: limits.reads,
        write: limits.writes,
        rejected: limits.rejected ?? rejectedPerWindow,
      };
}
