/** What is said of sheets that were printed before those of today were made, and of a run that was cut short. */

import { showKey } from "../../../base/shapes/row-key.ts";
import { cutText, formatRunTime } from "../../../base/text/words.ts";
import type { OlderPicture, ScanResult } from "../../../pipeline/scan-back/scan-back.ts";
import { Go } from "../../../console/view/parts.tsx";
import { countIn } from "../../view/figures.tsx";
import { jobPath } from "../../view/page.tsx";
import type { Words } from "../../words/words.ts";
import { Lines } from "./lines.tsx";

interface Props {
  readonly scan: ScanResult;
  readonly words: Words;
}

const keyed = (key: string): string => cutText(showKey(key));

/** Codes of older sheets that need a word: void ones, those that no sheet of today holds, and foreign ones. */
function listNamed({ picture, past, void: dead, foreign }: OlderPicture, { scan: said }: Words) {
  return [
    ...dead.map((key) => said.voidCodeOf(keyed(key))),
    ...past.map(({ key, why }) => said.past[why](keyed(key))),
    ...foreign.map((text) => said.foreign(cutText(text))),
  ].map((what) => ({ what, picture }));
}

export function OlderSheets({ scan, words }: Props) {
  const said = words.scan;
  const { older, remadeAt } = scan;
  if (older.length === 0) return null;
  const count = countIn(words.language);
  return (
    <>
      <Lines
        words={words}
        title={said.older}
        head={[said.look, words.common.state]}
        all={older}
        line={({ picture, why, codes, lacks = [] }) => (
          <tr>
            <td class="word">{words.scan.picture(picture)}</td>
            <td>
              {said.signs[why]} {said.readToday(count(codes))}{" "}
              {lacks.length > 0 && said.lacks(count(lacks.length))}
            </td>
          </tr>
        )}
      />
      <p>
        {remadeAt === undefined
          ? said.olderThanToday
          : said.olderSince(formatRunTime(Date.parse(remadeAt)))}{" "}
        {said.olderFix}
      </p>
      <Lines
        words={words}
        title={said.strays}
        head={[words.codes.title, said.look]}
        all={older.flatMap((one) => listNamed(one, words))}
        line={({ what, picture }) => (
          <tr>
            <td class="word">{what}</td>
            <td class="word">{words.scan.picture(picture)}</td>
          </tr>
        )}
      />
    </>
  );
}

/** Rows that a run which was cut short has still to put on sheets, and the way on. */
export function Unfinished({ scan, words, manifest }: Props & { readonly manifest: string }) {
  const said = words.scan;
  const { unfinished } = scan;
  if (unfinished.length === 0) return null;
  const count = countIn(words.language);
  return (
    <>
      <p class="banner warn" role="status">
        {said.unfinished(count(unfinished.length))}{" "}
        <Go href={`${jobPath(manifest)}/plan`} text={said.goOn} />
      </p>
      <Lines
        words={words}
        title={said.onNoSheet}
        head={[said.label]}
        all={unfinished}
        line={({ line, key }) => (
          <tr>
            <td class="word">
              {showKey(key)} <span class="soft">{words.common.onLine(count(line))}</span>
            </td>
          </tr>
        )}
      />
    </>
  );
}
