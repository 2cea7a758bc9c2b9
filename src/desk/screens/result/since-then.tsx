/** Codes that the service no longer has, or has changed since the job made them. */
import type { Press } from "../../../base/shapes/press-warning.ts";
import { quoteWord } from "../../../base/text/shell-words.ts";
import { Command, jobPath } from "../../view/page.tsx";
import type { JobPart } from "../../view/part.ts";
import { Problems } from "../../view/problems.tsx";
import { toPressRows } from "./proved.tsx";
import { listUntold, type CodesSince, type GoneSince } from "./codes-since.ts";

/** Makes codes anew that were deleted, once it was said what that means. */
export const RetryGone: JobPart<{ readonly gone: GoneSince | undefined }> = ({
  gone,
  manifest,
  words,
}) =>
  gone?.canRetry !== true ? null : (
    <details class="shell">
      <summary>{words.since.retry}</summary>
      <p>{words.since.retryAsk}</p>
      <form method="post" action={`${jobPath(manifest)}/retry`} class="actions">
        <button class="danger">{words.since.retry}</button>
      </form>
      <Command words={words} text={`makeready retry ${quoteWord(manifest)}`} />
    </details>
  );

export const SinceThen: JobPart<{
  readonly codes: CodesSince | undefined;
  readonly press: Press | undefined;
}> = ({ codes, press, manifest, words }) => {
  if (codes === undefined) return null;
  const { gone, elsewhere, looks, unread } = codes;
  const problems = [
    ...(unread === undefined ? [] : [unread]),
    ...(gone === undefined ? [] : [gone.problem]),
    ...elsewhere,
    ...toPressRows(listUntold(looks, press)),
  ];
  if (problems.length === 0) return null;
  return (
    <>
      <h2>{words.since.changes}</h2>
      <Problems words={words} problems={problems} label={words.since.changes} />
      <RetryGone gone={gone} manifest={manifest} words={words} />
    </>
  );
};
