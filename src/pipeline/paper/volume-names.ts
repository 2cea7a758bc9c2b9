/** Long groups come in volumes, `-2`, `-3` …: none of them may have the name of another group's file. */
import { AppError, type Problem } from "../../base/errors.ts";
import { toNameKey } from "../../base/files/file-name.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { toVolumeName } from "../../pack/group-zip.ts";
import type { PlanGroup } from "../../plan/tally.ts";
import type { VolumesPlan } from "./paper-figures.ts";
import { planVolumes } from "../stages/zip-places.ts";

const HINT =
  'let the name end in a word that is no value of the column, such as name: "{{ region | slug }}-labels" of a column region';

type ToName = (file: string, volume: number) => string;

/** Groups that one file won't hold; those that no number of files would hold are refused by their plan. */
export const toLong = (
  plans: readonly { readonly name: string; readonly volumes: number }[],
  toName: ToName,
): VolumesPlan[] =>
  plans
    .filter(({ volumes }) => volumes > 1 && Number.isFinite(volumes))
    .map(({ name, volumes: count }) => ({ name, count, last: toName(name, count) }));

/** The finished file that stays and that writing a file of this name would change; undefined where there is none. */
export type KeptOf = (name: string) => string | undefined;

interface Names {
  /** Groups that come in several files. */
  readonly volumes: readonly Pick<VolumesPlan, "name" | "count">[];
  readonly groups: readonly Pick<PlanGroup, "name">[];
  /** Finished files of other groups, which stay since bad rows may belong to them. Default: none. */
  readonly kept: KeptOf | undefined;
}

function sayTaken({ name, count }: Pick<VolumesPlan, "name" | "count">, taken: string): string {
  if (count > 1) return `the ${count} files of ${name} must have names of their own, got ${taken}`;
  return `${name} must have a name of its own, got ${taken}`;
}

/** Files that would be written over the file of another group. */
export function findTakenVolumes({ volumes, groups, kept }: Names, toName: ToName): Problem[] {
  if (volumes.length === 0 && kept === undefined) return [];
  const firsts = new Map(groups.map(({ name }) => [toNameKey(name), name]));
  const counts = new Map(volumes.map(({ name, count }) => [name, count]));
  return groups.flatMap(({ name }) => {
    const count = counts.get(name) ?? 1;
    return Array.from({ length: count }, (_, at) => at + 1).flatMap((number): Problem[] => {
      const file = toName(name, number);
      const first = number === 1 ? undefined : firsts.get(toNameKey(file));
      const taken = first ?? kept?.(file);
      if (taken === undefined) return [];
      const whose =
        first === undefined
          ? "which is a finished file of another group, kept since bad rows may belong to it"
          : "which is the file of another group";
      const hint = first === undefined ? `mend the bad rows first; or ${HINT}` : HINT;
      return [{ message: `${sayTaken({ name, count }, taken)}, ${whose}`, hint }];
    });
  });
}

/** Archives that come in volumes; `kept`: finished ones that stay. Throws `manifest-invalid` where one has the name of another group's. */
export function planZips(
  { file, output }: Pick<RowJob, "file" | "output">,
  zips: readonly PlanGroup[],
  kept?: KeptOf,
): VolumesPlan[] {
  const volumes = planVolumes(zips, output.files.length);
  const [first] = findTakenVolumes({ volumes, groups: zips, kept }, toVolumeName);
  if (first === undefined) return volumes;
  const { message, hint } = first;
  const where = { file, field: "output.zip.name" };
  throw new AppError("manifest-invalid", message, { hint, where });
}
