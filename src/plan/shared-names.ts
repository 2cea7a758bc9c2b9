import type { Problem } from "../base/errors.ts";
import type { SourceRow } from "../read/rows/rows.ts";
import { sha256 } from "../base/ids/ids.ts";
import type { RowsJob } from "../job/job.ts";
import type { Wanted } from "../state/row.ts";
import { toRowPlace, toRowWord } from "./row-place.ts";

/**
 * Contacts and GS1 codes that share a name but not their content. Lists don't show what they hold:
 * if the answers to two of them are lost, it can't be known which code is whose
 * (docs/spec/engine.md section 1.5).
 */
export class SharedNames {
  readonly #job: RowsJob;
  /** name and folder -> hash of the content, and the line, of the first that has it. */
  readonly #first = new Map<string, { readonly content: string; readonly line: number }>();

  constructor(job: RowsJob) {
    this.#job = job;
  }

  /** The warning of this row, if it is one of several. */
  find(row: SourceRow, wanted: Wanted): Problem[] {
    const { api, run, source } = this.#job;
    const isHidden = wanted.vcard !== null || wanted.gs1Product !== null;
    // The embedded service is asked again under the row's key: no list is needed.
    if (!isHidden || api.baseUrl === undefined || run.marker) return [];
    const { displayName, folder, dynamic, type } = wanted;
    const name = JSON.stringify([displayName, folder, dynamic, type]);
    const content = sha256(JSON.stringify([wanted.vcard, wanted.gs1Product])).slice(0, 16);
    const first = this.#first.get(name);
    if (first === undefined) this.#first.set(name, { content, line: row.line });
    if (first === undefined || first.content === content) return [];
    return [
      {
        message: `codes of different content should have different names, got "${displayName}" on ${toRowWord(source)}s ${first.line} and ${row.line}: if answers to both are lost, neither can be found again`,
        where: toRowPlace(source, row),
        hint: "set run.marker: true, or put what tells them apart into code.display_name",
      },
    ];
  }
}
