/**
 * How slugs of a job write the letters of its source: as in its first run, even if the manifest
 * changes. Slugs are in print, and names of files are what others look for.
 */
import type { Problem } from "../../base/errors.ts";
import { slugLanguages, type SlugLanguage } from "../../base/text/slug.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { State } from "../../state/state.ts";
import { ANY } from "../../state/which-rows.ts";
import { lookAtState } from "../standing/look-at-state.ts";
import type { Ports } from "../ports.ts";

/** Meta: the language of the first run; empty for none. */
const SLUG_LANGUAGE = "slug_language";

const hasRows = (state: State): boolean => state.count(ANY) > 0;

/** The language that counts; `state` is undefined before the first run. */
export function toSlugLanguage(
  { source }: Pick<RowJob, "source">,
  state: State | undefined,
): SlugLanguage | undefined {
  if (state === undefined || !hasRows(state)) return source.language;
  const first = state.meta(SLUG_LANGUAGE);
  return slugLanguages.find((language) => language === first);
}

/** The same for callers that have not opened the state. */
export const readSlugLanguage = (
  job: RowJob,
  ports: Pick<Ports, "clock" | "writer">,
): Promise<SlugLanguage | undefined> =>
  lookAtState(job, ports, (state) => toSlugLanguage(job, state));

/** Keeps the language of a first run. */
export function rememberSlugLanguage({ source }: RowJob, state: State): void {
  if (!hasRows(state)) state.setMeta(SLUG_LANGUAGE, source.language ?? "");
}

const toWords = (language: SlugLanguage | undefined): string => language ?? "nothing";

/** The warning where the manifest asks for another language than the one that counts. */
export function warnOfSlugLanguage(job: RowJob, state: State | undefined): Problem[] {
  const first = toSlugLanguage(job, state);
  const { language } = job.source;
  if (first === language) return [];
  return [
    {
      message: `source.language is ${toWords(language)}, but the first run of this job had ${toWords(first)}: its slugs and file names stay as they are`,
      where: { file: job.file, field: "source.language" },
      hint: `put it back to ${toWords(first)}; in one template, {{ column | slug: de }} says it for itself`,
    },
  ];
}
