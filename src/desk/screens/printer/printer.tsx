/** What a printer does wrong: measured on the alignment page, kept in `printers.json`, undone by the job. */
import path from "node:path";

import type { Context } from "hono";

import { quoteWord, toCommandLine } from "../../../base/text/shell-words.ts";
import { isRowJob } from "../../../kinds/any-job.ts";
import type { JobSheets } from "../../../job/job.ts";
import { measurePrinter, PRINTER } from "../../../pipeline/source/measure-printer.ts";
import { loadJobSheet } from "../../../pipeline/stages/sheet-options.ts";
import {
  findOutside,
  type PrinterField,
  readPrinters,
  toMeasures,
} from "../../../print/layout/calibration.ts";
import { makeAlignmentPage } from "../../../print/sheets.ts";
import { toLenientPort } from "../../../service/embedded/lenient.ts";
import { Download } from "../../../console/view/parts.tsx";
import type { DeskContext, Screen } from "../../context.ts";
import { editJob, lastEdit, noteCommand } from "../../edit-job.ts";
import { resolveInside } from "../../folder.ts";
import { manifestOf, openDeskJob } from "../../jobs.ts";
import type { Part } from "../../view/part.ts";
import { sizeIn } from "../../view/figures.tsx";
import { Command, jobPath, replyPage, Steps } from "../../view/page.tsx";
import { wordsFor, type Words } from "../../words/words.ts";

/** Of the job's page; what a scan measured is handed over in its query. */
const pageOf = (manifest: string): string => `${jobPath(manifest)}/printer`;

/** The page with these numbers filled in. */
export const printerHref = (manifest: string, measured: object): string =>
  `${pageOf(manifest)}?${new URLSearchParams(Object.entries(measured)).toString()}`;

interface Site {
  readonly desk: DeskContext;
  readonly manifest: string;
  readonly words: Words;
  /** Absolute: where the manifest and `printers.json` lie. */
  readonly folder: string;
  /** Undefined where the job prints none. */
  readonly sheets: JobSheets | undefined;
}

/** Texts as they stand in the form. */
interface Typed {
  readonly name: string;
  readonly numbers: Readonly<Record<PrinterField, string>>;
}

const listFields = (words: Words) =>
  Object.entries(words.label.printer.fields) as [PrinterField, string][];

/** A minus as word processors type it, and a decimal comma. Blank: as a true printer. */
function toNumber(text: string): unknown {
  const plain = text
    .trim()
    .replace(",", ".")
    .replace(/^[\u2212\u2013]/u, "-");
  if (plain === "") return undefined;
  const number = Number(plain);
  return Number.isFinite(number) ? number : text;
}

const toEntry = ({ numbers }: Typed): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(numbers).flatMap(([field, text]) => {
      const value = toNumber(text);
      return value === undefined ? [] : [[field, value]];
    }),
  );

/** The command that does the same. */
const toMeasureCommand = (manifest: string, name: string, measures: object): string =>
  toCommandLine([
    "makeready",
    "sheets",
    "measure",
    manifest,
    name,
    ...Object.entries(measures).map(([field, value]) => `${field}=${value}`),
  ]);

/** What is wrong with what was typed, in words. */
function listFaults(typed: Typed, { label: { printer: said }, language }: Words): string[] {
  const size = sizeIn(language);
  const outside = findOutside(toEntry(typed)).map(({ field, least, most }) =>
    said.outside({
      field: said.fields[field as PrinterField],
      least: size(least),
      most: size(most),
      typed: typed.numbers[field as PrinterField],
    }),
  );
  return typed.name === "" ? [said.noName, ...outside] : outside;
}

async function siteOf(c: Context, desk: DeskContext): Promise<Site> {
  const manifest = await manifestOf(c, desk);
  const { job } = await openDeskJob(desk, manifest);
  return {
    desk,
    manifest,
    words: wordsFor(c),
    folder: path.dirname(await resolveInside(desk.folder, manifest)),
    sheets: (isRowJob(job) ? job.output.sheets : null) ?? undefined,
  };
}

/** The printer that the address names, or the job's, with what the address says of it on top. */
async function readShown(c: Context, { folder, sheets, words }: Site): Promise<Typed> {
  const name = c.req.query("name") ?? sheets?.printer ?? "";
  const printers = await readPrinters(folder);
  const measures = toMeasures(Object.hasOwn(printers, name) ? printers[name] : undefined);
  const size = sizeIn(words.language);
  const numbers = listFields(words).map(([field]) => {
    const measured = toNumber(c.req.query(field) ?? "");
    return [field, size(typeof measured === "number" ? measured : measures[field])] as const;
  });
  return { name, numbers: Object.fromEntries(numbers) as Typed["numbers"] };
}

const Fields: Part<{ readonly typed: Typed }> = ({ typed, words }) => {
  const { printer: said } = words.label;
  return (
    <div class="fields">
      <div class="field">
        <label for="name">{said.name}</label>
        <input id="name" name="name" value={typed.name} aria-describedby="name-hint" />
        <p class="hint" id="name-hint">
          {said.nameHint}
        </p>
      </div>
      {listFields(words).map(([field, label]) => (
        <div class="field">
          <label for={field}>{label}</label>
          <input
            id={field}
            name={field}
            value={typed.numbers[field]}
            inputmode="decimal"
            size={8}
          />
        </div>
      ))}
    </div>
  );
};

/** Those of the folder that are not in the form. */
function Others({ site, names }: { readonly site: Site; readonly names: readonly string[] }) {
  const { printer: said } = site.words.label;
  if (names.length === 0) return null;
  return (
    <>
      <h2>{said.others}</h2>
      <ul>
        {names.map((name) => (
          <li>
            <a href={printerHref(site.manifest, { name })}>{said.use(name)}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Where the job has sheets. */
async function Measuring({ site, typed }: { readonly site: Site; readonly typed: Typed }) {
  const { words, manifest, sheets, folder, desk } = site;
  const { printer: said } = words.label;
  const used = sheets?.printer ?? null;
  const names = Object.keys(await readPrinters(folder)).filter((name) => name !== typed.name);
  const sheet = typeof sheets?.sheet === "string" ? sheets.sheet : undefined;
  const align = sheet && `makeready sheets align ${quoteWord(sheet)}`;
  return (
    <>
      <p>{said.hint}</p>
      <p>{used === null ? said.noneInUse : said.inUse(used)}</p>
      <p>{said.page}</p>
      <p class="actions">
        <Download href={`${pageOf(manifest)}/alignment.pdf`} text={said.download} />
      </p>
      <p>{said.measure}</p>
      <form method="post">
        <Fields typed={typed} words={words} />
        <div class="actions">
          <button name="do" value="save" class="main">
            {said.save}
          </button>
          {used === null ? null : (
            <button name="do" value="off" class="plain" formnovalidate>
              {said.off}
            </button>
          )}
        </div>
      </form>
      <Others site={site} names={names} />
      <Command words={words} text={[...(align ? [align] : []), ...lastEdit(desk, manifest)]} />
    </>
  );
}

interface Banner {
  readonly look: "good" | "bad";
  readonly lines: readonly string[];
}

async function show(
  c: Context,
  site: Site,
  { typed, banner }: { readonly typed: Typed; readonly banner?: Banner | undefined },
): Promise<Response> {
  const { desk, manifest, words, sheets } = site;
  const { printer: said } = words.label;
  const children = (
    <>
      <Steps words={words} manifest={manifest} at="label" />
      <h1>{said.title}</h1>
      {banner === undefined ? null : (
        <div class={`banner ${banner.look}`} role={banner.look === "good" ? "status" : "alert"}>
          {banner.lines.map((line) => (
            <p>{line}</p>
          ))}
        </div>
      )}
      {sheets === undefined ? <p>{said.none}</p> : await Measuring({ site, typed })}
    </>
  );
  return replyPage(c, { desk, title: said.title, children }, banner?.look === "bad" ? 400 : 200);
}

async function readTyped(c: Context, words: Words): Promise<Typed & { readonly isOff: boolean }> {
  const form = await c.req.parseBody();
  const read = (name: string): string => {
    const value = form[name];
    return typeof value === "string" ? value.trim() : "";
  };
  const numbers = listFields(words).map(([field]) => [field, read(field)] as const);
  return {
    name: read("name"),
    numbers: Object.fromEntries(numbers) as Typed["numbers"],
    isOff: read("do") === "off",
  };
}

async function save(c: Context, site: Site): Promise<Response> {
  const { desk, manifest, words, folder } = site;
  const { isOff, ...typed } = await readTyped(c, words);
  if (site.sheets === undefined) return show(c, site, { typed });
  if (isOff) {
    await editJob(desk, manifest, [{ path: PRINTER, value: undefined }]);
    return c.redirect(`${pageOf(manifest)}?off`, 303);
  }
  const faults = listFaults(typed, words);
  if (faults.length > 0) return show(c, site, { typed, banner: { look: "bad", lines: faults } });
  const file = await resolveInside(desk.folder, manifest);
  await resolveInside(desk.folder, path.relative(desk.folder, path.join(folder, "printers.json")));
  const measures = toMeasures(toEntry(typed));
  const server = toLenientPort(() => undefined);
  await measurePrinter(file, { printer: typed.name, measures }, { clock: desk.clock, server });
  noteCommand(desk, manifest, toMeasureCommand(manifest, typed.name, measures));
  return c.redirect(`${pageOf(manifest)}?saved`, 303);
}

function toBanner(c: Context, { sheets, words }: Site): Banner | undefined {
  const { printer: said } = words.label;
  const printer = sheets?.printer ?? null;
  if (c.req.query("saved") !== undefined && printer !== null)
    return { look: "good", lines: [said.saved(printer)] };
  if (c.req.query("off") !== undefined && printer === null)
    return { look: "good", lines: [said.isOff] };
  return undefined;
}

async function replyAlignment(c: Context, { desk, sheets, folder }: Site): Promise<Response> {
  if (sheets === undefined) return c.notFound();
  const madeAt = new Date(desk.clock.nowMs()).toISOString();
  const bytes = await makeAlignmentPage(await loadJobSheet(sheets, folder), madeAt);
  return c.body(Buffer.from(bytes), 200, {
    "content-type": "application/pdf",
    "content-disposition": 'attachment; filename="alignment.pdf"',
  });
}

export const printer: Screen = (app, desk) => {
  app.get("/job/:manifest/printer", async (c) => {
    const site = await siteOf(c, desk);
    return show(c, site, { typed: await readShown(c, site), banner: toBanner(c, site) });
  });
  app.get("/job/:manifest/printer/alignment.pdf", async (c) =>
    replyAlignment(c, await siteOf(c, desk)),
  );
  app.post("/job/:manifest/printer", async (c) => save(c, await siteOf(c, desk)));
};
