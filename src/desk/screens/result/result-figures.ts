/** The figures of a result. */
import type { RunResult } from "../../../pipeline/results.ts";
import { countIn } from "../../view/figures.tsx";
import type { Words } from "../../words/words.ts";

/** Of a report that a command made, only the files are known. */
const toScanFigures = ({ scans }: RunResult, { language, reports: { figures } }: Words) =>
  scans === undefined
    ? []
    : [
        { name: figures.codes, value: countIn(language)(scans.codes) },
        { name: figures.scans, value: countIn(language)(scans.scans) },
      ];

export const toFigures = (result: RunResult, words: Words) => {
  if (result.kind === "report") return toScanFigures(result, words);
  const count = countIn(words.language);
  const { figures } = words.result;
  const { withoutFiles = 0 } = result;
  const few = (name: string, value: number, isWrong = false) =>
    value === 0 ? [] : [{ name, value: count(value), isWrong }];
  return [
    { name: figures.rows, value: count(result.rows) },
    { name: figures.created, value: count(result.created) },
    ...few(figures.adopted, result.adopted),
    {
      name: result.did === "undo" ? figures.putBack : figures.changed,
      value: count(result.changed),
    },
    { name: figures.unchanged, value: count(result.unchanged) },
    {
      name: figures.failed,
      value: count(result.failed + result.bad),
      isWrong: result.failed + result.bad > 0,
    },
    ...few(figures.left, result.left),
    ...few(figures.withoutFiles, withoutFiles, true),
  ];
};
