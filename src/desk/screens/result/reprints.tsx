/** Labels to print again: the sheet as it lies on the table, each label with a box to tick. */
import { existsSync } from "node:fs";
import path from "node:path";

import type { Hono } from "hono";

import { sayPressWarning } from "../../../base/press-warning.ts";
import type { DeskContext } from "../../context.ts";
import { findTask, manifestOf } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { readLast } from "../../tasks/tail.ts";
import { toShellWord } from "../../view/command.ts";
import { countIn } from "../../view/figures.tsx";
import { Command, jobPath } from "../../view/page.tsx";
import { Fault } from "../../view/problems.tsx";
import type { Words } from "../../words/words.ts";
import { readSheetPage, type MapCell, type SheetPage } from "./sheet-map.ts";

interface ReprintsProps {
  readonly desk: DeskContext;
  readonly manifest: string;
  readonly dir: string;
  readonly words: Words;
  readonly sheet: number;
  readonly file: string | undefined;
}

function Grid({ cells }: { readonly cells: readonly MapCell[] }) {
  const rows = new Map<number, MapCell[]>();
  for (const cell of cells) rows.set(cell.row, [...(rows.get(cell.row) ?? []), cell]);
  return (
    <div class="scroll">
      <table class="sheet-map">
        <tbody>
          {[...rows].map(([, cellsOfRow]) => (
            <tr>
              {cellsOfRow.map(({ key }) => (
                <td>
                  <label>
                    <input type="checkbox" name="key" value={key} />
                    {key}
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

async function LastReprint({ desk, manifest, dir, words }: ReprintsProps) {
  const task = await findTask(desk, manifest, ["reprint"]);
  const last = task === undefined ? undefined : await readLast(task);
  if (last?.type === "fault") return <Fault words={words} fault={last.fault} />;
  if (last?.type !== "result" || last.result.step !== "reprint") return null;
  const { files, codes, warnings } = last.result.reprint;
  return (
    <div class="banner good" role="status">
      <p>{words.result.reprinted(countIn(words.language)(codes))}</p>
      {files.map((file) => (
        <p>
          <a href={`${jobPath(manifest)}/files/${encodeURIComponent(path.relative(dir, file))}`}>
            {path.basename(file)}
          </a>
        </p>
      ))}
      {warnings.map((warning) => (
        <p>{sayPressWarning(warning)}</p>
      ))}
    </div>
  );
}

function Pages({ found, props }: { readonly found: SheetPage; readonly props: ReprintsProps }) {
  const { manifest, words, sheet, file } = props;
  const count = countIn(words.language);
  const volume = found.volumes.find((one) => one.file === file) ?? found.volumes[0];
  if (volume === undefined) return null;
  const href = (page: number, pdf = volume.file): string =>
    `${jobPath(manifest)}/result?pdf=${encodeURIComponent(pdf)}&sheet=${page}#reprint`;
  return (
    <p class="actions">
      {found.volumes.length < 2
        ? null
        : found.volumes.map((one) => <a href={href(1, one.file)}>{one.file}</a>)}
      {sheet > 1 ? <a href={href(sheet - 1)}>←</a> : null}
      <span>{words.result.sheetOf(count(sheet), count(volume.pages))}</span>
      {sheet < volume.pages ? <a href={href(sheet + 1)}>→</a> : null}
      <input type="hidden" name="from" value={volume.file} />
    </p>
  );
}

export async function Reprints(props: ReprintsProps) {
  const { dir, manifest, words, file } = props;
  if (!existsSync(path.join(dir, "sheet-map.json"))) return null;
  const page = Number.isSafeInteger(props.sheet) && props.sheet > 0 ? props.sheet : 1;
  const found = await readSheetPage(dir, { file, page });
  const said = words.result;
  return (
    <section id="reprint">
      <h2>{said.sheets}</h2>
      {await LastReprint(props)}
      <p>{said.sheetsHint}</p>
      <form method="post" action={`${jobPath(manifest)}/reprint`}>
        <Pages found={found} props={{ ...props, sheet: page }} />
        <Grid cells={found.cells} />
        <div class="field">
          <label for="start">{said.firstFree}</label>
          <input id="start" name="start" type="number" min={1} value={1} />
        </div>
        <button>{said.reprint}</button>
      </form>
      <Command words={words} text={`makeready sheets reprint ${toShellWord(manifest)} --key KEY`} />
    </section>
  );
}

const toTexts = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === "string");

export function routeReprints(app: Hono, desk: DeskContext): void {
  app.post("/job/:manifest/reprint", async (c) => {
    const manifest = await manifestOf(c, desk);
    const form = await c.req.parseBody({ all: true });
    const keys = toTexts(form["key"]);
    const start = Number(form["start"] ?? 1);
    const [from] = toTexts(form["from"]);
    const reprint = { keys, start, ...(from !== undefined && { from }) };
    if (keys.length === 0) return c.redirect(`${jobPath(manifest)}/result#reprint`, 303);
    const task = await startTask({ step: "reprint", manifest, reprint }, desk);
    return c.redirect(`/task/${task.id}`, 303);
  });
}
