/** What a check of printed sheets found: figures, spoiled labels, codes that do not belong there. */
import { showKey } from "../../../base/shapes/row-key.ts";
import path from "node:path";

import type { Child } from "hono/jsx";

import { numberFormat } from "../../../base/text/number-format.ts";
import { showRanges } from "../../../base/text/number-ranges.ts";
import { cutText, formatRunTime } from "../../../base/text/words.ts";
import {
  isFlawless,
  type ScanResult,
  type StrayOnPicture,
  toTakeOff,
} from "../../../pipeline/scan-back/scan-back.ts";
import { toCutName } from "../../../pipeline/scan-back/scan-cuts.ts";
import { countIn, Figures } from "../../view/figures.tsx";
import { jobPath } from "../../view/page.tsx";
import { Problems, Reason, SaysEnglish } from "../../view/problems.tsx";
import type { Words } from "../../words/words.ts";
import { Lines } from "./lines.tsx";
import { printerHref } from "../printer/printer.tsx";
import { OlderSheets, Unfinished } from "./older-sheets.tsx";

interface Props {
  readonly scan: ScanResult;
  readonly words: Words;
}

const toFigures = ({ scan, words }: Props) => {
  const count = countIn(words.language);
  const { figures } = words.scan;
  const { good, damaged, missing, outside } = scan.labels;
  const foreign = scan.strays.filter(({ key }) => key === undefined).length;
  const elsewhere = scan.strays.length - foreign;
  const wrong = (name: string, n: number) => ({ name, value: count(n), isWrong: n > 0 });
  return [
    { name: figures.sheets, value: count(scan.sheets.filter((one) => !one.isDouble).length) },
    { name: figures.good, value: count(good) },
    wrong(figures.damaged, damaged),
    wrong(figures.missing, missing),
    wrong(figures.outside, outside),
    ...(scan.labels.void > 0 ? [wrong(figures.void, scan.labels.void)] : []),
    wrong(figures.foreign, foreign),
    wrong(figures.elsewhere, elsewhere),
  ];
};

type Place = Pick<ScanResult["spoiled"][number], "file" | "page" | "row" | "column">;

function toPlace({ file, page, row, column }: Place, words: Words): string {
  const count = countIn(words.language);
  return words.scan.at(file, count(page), count(row), count(column));
}

const cutHref = (manifest: string, task: string, place: Place): string =>
  `${jobPath(manifest)}/scan/label/${toCutName(place)}?task=${task}`;

function SpoiledLabels({
  scan,
  words,
  manifest,
  task,
}: Props & { readonly manifest: string; readonly task: string }) {
  const said = words.scan;
  const { common } = words;
  const count = countIn(words.language);
  return (
    <Lines
      words={words}
      title={said.spoiled}
      head={[said.look, said.label, common.state, common.place]}
      all={scan.spoiled}
      line={(one) => (
        <tr>
          <td>
            <img
              src={cutHref(manifest, task, one)}
              alt={said.pictureOf(showKey(one.key))}
              width={80}
              height={80}
              loading="lazy"
            />
          </td>
          <td class="text">
            {one.caption === "" ? showKey(one.key) : one.caption}
            <br />
            <span class="soft">{common.onLine(count(one.line))}</span>
          </td>
          <td>
            {said.states[one.state]}: <Reason text={one.reason} words={words} />
          </td>
          <td>
            {toPlace(one, words)}
            <br />
            <span class="soft">{said.inPicture(said.picture(one.picture))}</span>
          </td>
        </tr>
      )}
    />
  );
}

/** Of labels that these pictures don't show. */
function EarlierLabels({ scan, words }: Props) {
  const said = words.scan;
  return (
    <Lines
      words={words}
      title={said.earlier}
      head={[said.label, words.common.state, words.common.place]}
      all={scan.earlier ?? []}
      line={(one) => (
        <tr>
          <td class="text">{one.caption === "" ? showKey(one.key) : one.caption}</td>
          <td>
            {said.states[one.state]}: <Reason text={one.reason} words={words} />
          </td>
          <td>{toPlace(one, words)}</td>
        </tr>
      )}
    />
  );
}

function VoidLabels({ scan, words }: Props) {
  const { common, scan: said } = words;
  return (
    <>
      <Lines
        words={words}
        title={said.void}
        head={[said.label, common.place, said.look]}
        all={scan.void}
        line={(one) => (
          <tr>
            <td class="text">{one.caption === "" ? showKey(one.key) : one.caption}</td>
            <td>
              {toPlace(one, words)}: {one.isPrinted ? said.mustNotShip : said.takenOff}
            </td>
            <td class="word">{said.picture(one.picture)}</td>
          </tr>
        )}
      />
      {toTakeOff(scan).length === 0 ? null : <p>{said.takeOff}</p>}
    </>
  );
}

function toStrayWords(
  { key, text, isVoid, on }: StrayOnPicture,
  words: Words,
): readonly [string, string] {
  const said = words.scan;
  const codeOf = isVoid === true ? said.voidCodeOf : said.codeOf;
  const what = key === undefined ? said.foreign(cutText(text)) : codeOf(cutText(showKey(key)));
  return [what, on === undefined ? said.onNoLabel : toPlace(on, words)];
}

function Strays({ scan, words }: Props) {
  const { common, scan: said } = words;
  return (
    <Lines
      words={words}
      title={said.strays}
      head={[words.codes.title, common.place, said.look]}
      all={scan.strays}
      line={(one) => {
        const [what, where] = toStrayWords(one, words);
        return (
          <tr>
            <td class="word">{what}</td>
            <td>{where}</td>
            <td class="word">{said.picture(one.picture)}</td>
          </tr>
        );
      }}
    />
  );
}

function Outside({ scan, words }: Props) {
  const { common, scan: said } = words;
  if (scan.outside.length === 0) return null;
  return (
    <>
      <Lines
        words={words}
        title={said.outside}
        head={[said.label, common.place]}
        all={scan.outside}
        line={(one) => (
          <tr>
            <td class="text">{showKey(one.key)}</td>
            <td>{toPlace(one, words)}</td>
          </tr>
        )}
      />
      <p>{said.outsideHint}</p>
    </>
  );
}

function Sheets({ scan, words }: Props) {
  const said = words.scan;
  const count = countIn(words.language);
  return (
    <Lines
      words={words}
      title={said.sheets}
      head={[said.look, said.sheet, said.figures.good]}
      all={scan.sheets}
      line={({ picture, file, page, labels, isDouble }) => {
        const all = Object.values(labels).reduce((sum, one) => sum + one, 0);
        return (
          <tr>
            <td class="word">{said.picture(picture)}</td>
            <td>
              {said.page(file, count(page))}
              {isDouble ? ` (${said.again})` : ""}
            </td>
            <td data-head={said.figures.good}>{said.goodOf(count(labels.good), count(all))}</td>
          </tr>
        );
      }}
    />
  );
}

/** `a.pdf, page 1-3, 5; b.pdf, page 3` */
function listPages(pages: ScanResult["unseen"], words: Words): string {
  const files = new Map<string, number[]>();
  for (const { file, page } of pages) files.set(file, [...(files.get(file) ?? []), page]);
  const count = countIn(words.language);
  return [...files].map(([file, all]) => words.scan.page(file, showRanges(all, count))).join("; ");
}

/** No sheet has codes: no picture helps. */
const hasNoCodes = ({ sheets, unseen, symbols }: ScanResult): boolean =>
  sheets.length === 0 && symbols > 0 && unseen.length === 0;

/** Files that can't be read, and pictures without a code of the job. */
function Useless({ scan, words }: Props) {
  const { common, scan: said } = words;
  const unreadable = scan.unreadable.map(({ message, where }) => ({
    message: `${path.basename(where?.file ?? "")}: ${message}`,
  }));
  const files: readonly (readonly [what: Child, fix: string])[] = [
    ...unreadable.map(
      ({ message }) => [<Reason text={message} words={words} />, said.unreadableFix] as const,
    ),
    ...scan.empty.map(
      (one) => [said.empty(said.picture(one)), hasNoCodes(scan) ? "" : said.emptyFix] as const,
    ),
  ];
  return (
    <>
      <Lines
        words={words}
        title={said.unusable}
        head={[common.problem, common.fix]}
        all={files}
        line={([what, fix]) => (
          <tr>
            <td>{what}</td>
            <td>{fix}</td>
          </tr>
        )}
      />
      <SaysEnglish problems={unreadable} words={words} />
    </>
  );
}

function Measured({ scan, words, manifest }: Props & { readonly manifest: string }) {
  const { measured, remadeAt } = scan;
  if (measured === undefined) return null;
  const said = words.scan;
  const number = (value: number, digits: number): string =>
    numberFormat(words.language, { maximumFractionDigits: digits }).format(value);
  const percent = (share: number): string => `${number(share * 100, 0)} %`;
  const { growth, contrast, turn, printer, unfit } = measured;
  return (
    <details class="shell">
      <summary>{said.measured}</summary>
      {growth === undefined ? null : <p>{said.growth(percent(growth))}</p>}
      {contrast === undefined ? null : <p>{said.contrast(percent(contrast))}</p>}
      <p>{said.turn(number(turn, 2))}</p>
      {unfit === undefined ? null : (
        <p>{unfit.dpi ? said.otherDpi(unfit.dpi) : said.unfit(unfit)}</p>
      )}
      {printer === undefined ? null : (
        <>
          <p>
            {remadeAt === undefined
              ? said.printer
              : said.printerSince(formatRunTime(Date.parse(remadeAt)))}
          </p>
          <code class="command">{JSON.stringify(printer)}</code>
          <p>
            <a href={printerHref(manifest, printer)}>{words.label.printer.measured}</a>
          </p>
        </>
      )}
    </details>
  );
}

/** Where no label was judged. */
function toEmptyVerdict({ scan, words: { scan: said } }: Props): string {
  if (scan.older.length > 0) return said.noneJudged;
  return hasNoCodes(scan) ? said.noCodes : said.noSheet;
}

function Verdict({ scan, words }: Props) {
  const said = words.scan;
  const isEmpty = scan.sheets.length === 0;
  if (!isEmpty && isFlawless(scan) && scan.earlier === undefined) {
    return (
      <p class="banner good" role="status">
        {said.good(countIn(words.language)(scan.labels.good))}
      </p>
    );
  }
  return (
    <p class="banner warn" role="status">
      {isEmpty ? toEmptyVerdict({ scan, words }) : said.notGood}
    </p>
  );
}

/** All that was found. `children` is what can be done about spoiled labels. */
export function Found({
  scan,
  words,
  manifest,
  task,
  children,
}: Props & { readonly manifest: string; readonly task: string; readonly children?: Child }) {
  const said = words.scan;
  const isEmpty = scan.sheets.length === 0;
  return (
    <>
      <Verdict scan={scan} words={words} />
      <Problems words={words} problems={scan.address ?? []} label={said.address} />
      <Unfinished scan={scan} words={words} manifest={manifest} />
      {isEmpty ? null : <Figures figures={toFigures({ scan, words })} />}
      <OlderSheets scan={scan} words={words} />
      <SpoiledLabels scan={scan} words={words} manifest={manifest} task={task} />
      <EarlierLabels scan={scan} words={words} />
      {children}
      <VoidLabels scan={scan} words={words} />
      <Strays scan={scan} words={words} />
      <Outside scan={scan} words={words} />
      <Useless scan={scan} words={words} />
      <Sheets scan={scan} words={words} />
      {isEmpty || scan.unseen.length === 0 ? null : (
        <p>{said.unseen(listPages(scan.unseen, words))}</p>
      )}
      {scan.symbols === 0 ? null : <p>{said.symbols(countIn(words.language)(scan.symbols))}</p>}
      <Measured scan={scan} words={words} manifest={manifest} />
    </>
  );
}
