/** Long groups come in volumes, `-2`, `-3` …: none of them may have the name of another group's file. */
import { AppError, type Problem } from "../base/errors.ts";
import { toNameKey } from "../base/file-name.ts";
import type { RowJob } from "../kinds/any-job.ts";
import { toVolumeName } from "../pack/group-zip.ts";
import type { PlanGroup } from "../plan/tally.ts";
import type { VolumesPlan } from "./paper-figures.ts";
import { planVolumes } from "./stages/zip-places.ts";

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

/** Volumes that would be written over the file of another group. */
export function findTakenVolumes(
  volumes: readonly Pick<VolumesPlan, "name" | "count">[],
  groups: readonly Pick<PlanGroup, "name">[],
  toName: ToName,
): Problem[] {
  if (volumes.length === 0) return [];
  const names = new Map(groups.map(({ name }) => [toNameKey(name), name]));
  return volumes.flatMap(({ name, count }) =>
    Array.from({ length: count - 1 }, (_, at) =>
      names.get(toNameKey(toName(name, at + 2))),
    ).flatMap((taken): Problem[] =>
      taken === undefined
        ? []
        : [
            {
              message: `the ${count} files of ${name} must have names of their own, got ${taken}, which is the file of another group`,
              hint: HINT,
            },
          ],
    ),
  );
}

/** Archives that come in volumes. Throws `manifest-invalid` where one has the name of another group's. */
export function planZips(
  { file, output }: Pick<RowJob, "file" | "output">,
  zips: readonly PlanGroup[],
): VolumesPlan[] {
  const volumes = planVolumes(zips, output.files.length);
  const [first] = findTakenVolumes(volumes, zips, toVolumeName);
  if (first === undefined) return volumes;
  const { message, hint } = first;
  const where = { file, field: "output.zip.name" };
  throw new AppError("manifest-invalid", message, { hint, where });
}
