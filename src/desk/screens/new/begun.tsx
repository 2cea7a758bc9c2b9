/** Spreadsheets that were sent or chosen, but have no saved job yet. */
import { statSync } from "node:fs";
import path from "node:path";

import type { DeskContext } from "../../context.ts";
import { listDrafts, type DeskDraft } from "../../drafts.ts";
import type { Words } from "../../words/words.ts";

export const toColumnsHref = (source: string, name: string): string =>
  `/new/columns?source=${encodeURIComponent(source)}&name=${encodeURIComponent(name)}`;

/** Those that are still kept, newest first. */
export async function listBegun(desk: DeskContext): Promise<readonly DeskDraft[]> {
  const drafts = await listDrafts(desk, "columns");
  // Of an empty file nothing can be made.
  const sizeOf = (of: string): number =>
    statSync(path.join(desk.folder, of), { throwIfNoEntry: false })?.size ?? 0;
  return drafts.filter(({ of }) => sizeOf(of) > 0);
}

export function Begun({ begun, words }: { begun: readonly DeskDraft[]; words: Words }) {
  const said = words.wizard;
  if (begun.length === 0) return null;
  const moments = new Intl.DateTimeFormat(words.language, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return (
    <>
      <h2>{said.begun}</h2>
      <ul class="cards">
        {begun.map(({ of, name, atMs }) => (
          <li class="card">
            <a href={toColumnsHref(of, name)}>{`${name}${path.extname(of)}`}</a>
            <p class="soft">{moments.format(atMs)}</p>
            <form method="post" action="/new/columns/forget">
              <button class="plain" name="source" value={of}>
                {said.forget}
              </button>
            </form>
          </li>
        ))}
      </ul>
    </>
  );
}
