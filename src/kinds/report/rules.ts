import type { Finding, ManifestTree } from "../../job/yaml/manifest-tree.ts";
import { textOf } from "../shared-rules.ts";

export function reportRules(manifest: ManifestTree): Finding[] {
  const has = (field: string): boolean => manifest.has(["window", field]);
  const path = ["window", "days"];
  if (has("days") && (has("start") || has("end"))) {
    const hint = "a number of days up to today, or fixed days: not both";
    return [{ path, rule: "must stand without start and end", hint }];
  }
  if (has("end") && !has("start")) {
    const hint = 'add "start: …" under window';
    return [{ path: ["window", "end"], rule: "must go with start", hint }];
  }
  const start = textOf(manifest, ["window", "start"]);
  const end = textOf(manifest, ["window", "end"]);
  if (end === "" || start <= end) return [];
  const rule = `must not be before start (${start}), got "${end}"`;
  return [{ path: ["window", "end"], rule, hint: "swap the two" }];
}
