/** The limits of a sender, from the operator's choice. */
import { limits as hostedLimits } from "../../api/limits.ts";
import type { LimitRule } from "./dispatch.ts";

export type LimitChoice =
  | "off"
  | "told"
  | "hosted"
  | { readonly reads: number; readonly writes: number; readonly rejected?: number };

/** A limit that is never reached. */
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
