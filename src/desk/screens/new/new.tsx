/** Screen 2: a spreadsheet becomes a job: what a row becomes, from which columns. */
import path from "node:path";

import type { Context } from "hono";

import { AppError, badUsage } from "../../../base/errors.ts";
import { toSlug } from "../../../base/text/slug.ts";
import {
  guessColumns,
  guessTexts,
  guessThings,
  type Guesses,
} from "../../../pipeline/draft/guess.ts";
import { headersOf, needHeader, type Look, type Said } from "../../../pipeline/draft/look.ts";
import { languageOf } from "../../../pipeline/draft/manifest.ts";
import type { Roles } from "../../../pipeline/draft/roles.ts";
import { factsOf, rolesOf, things, type Thing } from "../../../pipeline/draft/things.ts";
import type { DeskContext, Screen } from "../../context.ts";
import {
  dropDraft,
  dropUntouched,
  keepDraft,
  readDraft,
  toDraftForm,
  type DeskDraft,
} from "../../drafts.ts";
import { resolveInside } from "../../folder.ts";
import { readField } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { Command, jobPath, replyPage } from "../../view/page.tsx";
import { wordsFor } from "../../words/words.ts";
import { DEFAULT_SHEET } from "../label/stock.ts";
import { Begun, listBegun, toColumnsHref } from "./begun.tsx";
import { ColumnsForm, KEEP_PATH, type Missing } from "./columns-form.tsx";
import { checkColumns, lookAtSource, readLine } from "./columns.ts";
import { listPdfFolders, listPlainCommands, plainKinds, savePlainJob } from "./plain.ts";
import { listJobsOf } from "./jobs-of-source.ts";
import { PlainJobs } from "./plain-form.tsx";
import { checkAsked, readQuestions } from "./questions.tsx";
import { writeSample } from "./sample.ts";
import { findFreeName, saveJob } from "./save.ts";
import {
  keepUpload,
  listOtherSpreadsheets,
  listSpreadsheets,
  OFFERED_FILES,
  toPastedFile,
  UPLOAD_PATH,
} from "./uploads.ts";

const toText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const toTexts = (value: unknown): string[] => [value].flat().flatMap((one) => toText(one) ?? []);

async function showStart(c: Context, desk: DeskContext): Promise<Response> {
  const words = wordsFor(c);
  const said = words.wizard;
  const files = await listSpreadsheets(desk.folder);
  const others = await listOtherSpreadsheets(desk.folder);
  const folders = await listPdfFolders(desk.folder);
  const begun = await listBegun(desk);
  const children = (
    <>
      <h1>{said.title}</h1>
      <form method="post" action={UPLOAD_PATH} enctype="multipart/form-data">
        <div class="drop" data-drop={said.drop}>
          <label for="file">{said.choose}</label>
          <input id="file" type="file" name="file" accept={OFFERED_FILES} required />
          <p class="soft">{said.kept}</p>
          <button class="main">{said.upload}</button>
        </div>
      </form>
      <details class="shell">
        <summary>{said.paste}</summary>
        <form method="post" action={UPLOAD_PATH} enctype="multipart/form-data">
          <div class="field">
            <label for="pasted">{said.pasted}</label>
            <textarea id="pasted" name="pasted" rows={8} cols={90} wrap="off" required />
            <p class="soft">{said.pasteHint}</p>
          </div>
          <button>{said.readPasted}</button>
        </form>
      </details>
      <Begun begun={begun} words={words} />
      {files.length === 0 ? null : (
        <>
          <h2>{said.inFolder}</h2>
          <ul class="cards">
            {files.map((name) => (
              <li class="card">
                <a href={`/new/columns?source=${encodeURIComponent(name)}`}>{name}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      {others.length === 0 ? null : <p class="soft">{said.saveFirst(others.join(", "))}</p>}
      <PlainJobs words={words} folders={folders} />
      <Command
        words={words}
        text={["makeready init", ...listPlainCommands(folders)]}
        note={said.commandQuestions}
      />
    </>
  );
  return replyPage(c, { desk, title: said.title, children, islands: ["drop"] });
}

/** A sent file is kept under its hash, but people know it by its own name. */
function underItsName(error: unknown, kept: string, own: string): unknown {
  if (!(error instanceof AppError)) return error;
  const rename = (text: string): string => text.replaceAll(kept, own);
  const { code, message, problems } = error;
  const hint = error.hint === undefined ? undefined : rename(error.hint);
  const renamed = problems.map((one) => ({ ...one, message: rename(one.message) }));
  return new AppError(code, rename(message), { hint, problems: renamed, cause: error });
}

/** The sheet and the line of names that a form was about. */
const saidIn = (form: DeskDraft["form"] = {}) => ({
  sheet: toText(form["sheetName"]?.[0]) ?? null,
  headerRow: readLine(toText(form["headerRow"]?.[0])),
});

/** Earlier choices for this sheet and line of names, as far as the spreadsheet has their columns. */
function readKept(draft: DeskDraft | undefined, look: Look, { headerRow }: Said) {
  if (draft?.form["thing"] === undefined) return undefined;
  const { form } = draft;
  const headers = headersOf(look);
  const before = saidIn(form);
  if (before.sheet !== (look.sheetName ?? null) || before.headerRow !== headerRow) return undefined;
  const known = (header: string): boolean => headers.includes(header);
  const guesses = Object.fromEntries(
    things.map((thing) => {
      const roles = rolesOf(thing).flatMap((role) => {
        const [header = ""] = form[`${thing}.${role}`] ?? [];
        return known(header) ? [[role, header] as const] : [];
      });
      return [thing, Object.fromEntries(roles)];
    }),
  ) as Guesses;
  return {
    guesses,
    thing: things.find((one) => one === form["thing"]?.[0]),
    tells: (form["key"] ?? []).filter(known),
    caption: (form["caption"] ?? []).filter(known),
    name: form["name"]?.[0] ?? "",
    typed: form,
  };
}

/** What a row most likely becomes, of what the spreadsheet has all columns for. */
const guessThing = (look: Look, guesses: Guesses): Thing =>
  guessThings(look, guesses)
    .map(({ thing }) => thing)
    .find((thing) => factsOf[thing].needed.every((role) => guesses[thing][role] !== undefined)) ??
  "text";

/** Earlier choices; for a new spreadsheet, guesses. A thing that is `asked` for goes before both. */
function offerChoices(look: Look, kept: ReturnType<typeof readKept>, asked: Thing | undefined) {
  const guesses = kept?.guesses ?? guessColumns(look);
  const thing = asked ?? kept?.thing ?? guessThing(look, guesses);
  if (kept !== undefined) return { ...kept, thing, isKept: true };
  return {
    guesses,
    thing,
    ...guessTexts(look, thing, guesses[thing]),
    name: "",
    typed: {},
    isKept: false,
  };
}

interface Asked {
  readonly source: string;
  readonly draft: DeskDraft | undefined;
  readonly shownName: string;
  readonly said: Said;
  readonly missing?: Missing;
}

/** The request: a spreadsheet, one of its sheets, the line with its names, and earlier choices. */
async function readAsked(c: Context, desk: DeskContext): Promise<Asked> {
  const source = c.req.query("source") ?? "";
  const draft = await readDraft(desk, { screen: "columns", of: source });
  const shownName = c.req.query("name") ?? draft?.name ?? source.replace(/\.[^.]*$/u, "");
  const asked = toText(c.req.query("sheet"));
  const before = saidIn(draft?.form);
  const sheet = asked ?? before.sheet;
  // Another sheet of the workbook: choices for the former one don't apply.
  if (draft !== undefined && sheet !== null && sheet !== before.sheet) {
    await keepDraft(desk, { ...draft, form: { sheetName: [sheet] } });
  }
  const kept = sheet === before.sheet ? before.headerRow : null;
  const headerRow = readLine(toText(c.req.query("headerRow"))) ?? kept;
  return { source, draft, shownName, said: { sheet, headerRow } };
}

/** The form; where it was refused, with what is missing. */
async function showColumns(
  c: Context,
  desk: DeskContext,
  { source, draft, shownName, said, missing }: Asked,
): Promise<Response> {
  const words = wordsFor(c);
  const looked = await lookAtSource(desk.folder, source, said).catch(async (error: unknown) => {
    // Nothing was chosen yet: no page offers to go on with it.
    if (Object.keys(draft?.form ?? {}).length === 0)
      await dropDraft(desk, { screen: "columns", of: source });
    throw underItsName(error, path.basename(source), `${shownName}${path.extname(source)}`);
  });
  const asked = things.find((one) => one === c.req.query("as"));
  const offered = offerChoices(looked, readKept(draft, looked, said), asked);
  const language = languageOf(looked.columns);
  const stem = toSlug(offered.name, language) || toSlug(shownName, language) || "job";
  const isUnnamed = missing === "name";
  const children = (
    <ColumnsForm
      words={words}
      source={source}
      shownName={shownName}
      headerRow={said.headerRow ?? undefined}
      name={isUnnamed ? offered.name : await findFreeName(desk.folder, source, stem)}
      looked={looked}
      guesses={offered.guesses}
      thing={offered.thing}
      tells={offered.tells}
      caption={offered.caption}
      isKept={offered.isKept}
      asked={readQuestions(offered.typed, words)}
      jobs={await listJobsOf(desk.folder, source)}
      missing={missing}
    />
  );
  const islands = ["keep", "unused"] as const;
  const page = { desk, title: words.wizard.title, children, islands };
  return replyPage(c, page, missing === undefined ? 200 : 400);
}

/** Keeps the choices of the page, until the job is saved. */
async function keepChoices(c: Context, desk: DeskContext): Promise<Response> {
  const form = toDraftForm(await c.req.parseBody({ all: true }));
  const source = form["source"]?.[0] ?? "";
  await resolveInside(desk.folder, source);
  const name = form["shownName"]?.[0] ?? source;
  await keepDraft(desk, { screen: "columns", of: source, name, form });
  return c.body(null, 204);
}

/** Takes a spreadsheet in; it is kept until a job is made of it. */
async function takeUpload(c: Context, desk: DeskContext): Promise<Response> {
  const { file, pasted } = await c.req.parseBody();
  const sent =
    typeof pasted === "string" && pasted.trim() !== ""
      ? toPastedFile(pasted, wordsFor(c).wizard.pastedName)
      : file;
  if (!(sent instanceof File)) {
    const lacks = pasted === undefined ? "a file must be sent or chosen" : "rows must be pasted";
    throw badUsage(`${lacks}, got none`);
  }
  const source = await keepUpload(desk.folder, sent, desk.clock.nowMs());
  const name = sent.name.replace(/\.[^.]*$/u, "");
  const before = await readDraft(desk, { screen: "columns", of: source });
  await dropUntouched(desk, { screen: "columns", name });
  await keepDraft(desk, { screen: "columns", of: source, name, form: before?.form ?? {} });
  return c.redirect(toColumnsHref(source, name), 303);
}

const readColumns = (form: Record<string, unknown>, thing: Thing): Roles =>
  Object.fromEntries(
    rolesOf(thing).flatMap((role) => {
      const header = toText(form[`${thing}.${role}`]);
      return header === undefined ? [] : [[role, header] as const];
    }),
  ) as Roles;

/** Keeps what was chosen, and shows the form again with what is missing. */
async function askAgain(
  c: Context,
  desk: DeskContext,
  { missing, look, said }: { readonly missing: Missing; readonly look: Look; readonly said: Said },
): Promise<Response> {
  const sent = toDraftForm(await c.req.parseBody({ all: true }));
  const form = { ...sent, sheetName: [look.sheetName ?? ""] };
  const source = sent["source"]?.[0] ?? "";
  const name = sent["shownName"]?.[0] ?? source.replace(/\.[^.]*$/u, "");
  await keepDraft(desk, { screen: "columns", of: source, name, form });
  const draft = await readDraft(desk, { screen: "columns", of: source });
  return showColumns(c, desk, {
    source,
    draft,
    shownName: name,
    said: { ...said, sheet: look.sheetName ?? null },
    missing,
  });
}

async function createPlainJob(c: Context, desk: DeskContext): Promise<Response> {
  const form = await c.req.parseBody();
  const kind = plainKinds.find((one) => one === form["kind"]);
  if (kind === undefined) throw badUsage("a kind of job must be chosen, got none");
  const words = wordsFor(c);
  const typed = toText(form["name"])?.trim();
  const name = toSlug(typed ?? "", words.language === "de" ? "de" : undefined) || kind;
  const title = toText(form["title"])?.trim() || typed || words.wizard.formTitleDefault;
  const manifest = await savePlainJob(desk.folder, {
    kind,
    name,
    folder: toText(form["folder"]),
    form: { title, asked: readQuestions(form, words) },
  });
  const next = kind === "report" ? "plan" : "label";
  return c.redirect(`${jobPath(manifest)}/${next}`, 303);
}

async function createJob(c: Context, desk: DeskContext): Promise<Response> {
  const form = await c.req.parseBody({ all: true });
  const thing = things.find((one) => one === form["thing"]) ?? "dynamic-link";
  const source = toText(form["source"]) ?? "";
  const said = saidIn(toDraftForm(form));
  const columns = readColumns(form, thing);
  const [key, caption] = [toTexts(form["key"]), toTexts(form["caption"])];
  const chosen = [...Object.values(columns), ...key, ...caption];
  const look = await lookAtSource(desk.folder, source, said);
  needHeader(look);
  checkColumns(look, chosen);
  const name = toSlug(toText(form["name"]) ?? "", languageOf(look.columns));
  const lacking = factsOf[thing].needed.find((role) => columns[role] === undefined);
  const missing = lacking ?? (name === "" ? "name" : undefined);
  if (missing !== undefined) return askAgain(c, desk, { missing, look, said });
  const asked = readQuestions(form, wordsFor(c));
  if (thing === "form" && Object.keys(columns).every((role) => role === "title")) {
    checkAsked(asked, { columns: headersOf(look) });
  }
  const manifest = await saveJob(desk.folder, source, {
    name,
    asked,
    look,
    thing,
    columns,
    key,
    caption,
    sheet: DEFAULT_SHEET,
  });
  await dropDraft(desk, { screen: "columns", of: source });
  if (factsOf[thing].hasLabels) return c.redirect(`${jobPath(manifest)}/label`, 303);
  await startTask({ step: "plan", manifest }, desk);
  return c.redirect(`${jobPath(manifest)}/plan`, 303);
}

export const newJob: Screen = (app, desk) => {
  app.get("/new", (c) => showStart(c, desk));
  app.post(UPLOAD_PATH, (c) => takeUpload(c, desk));
  app.post(KEEP_PATH, (c) => keepChoices(c, desk));
  app.post("/new/columns/forget", async (c) => {
    await dropDraft(desk, { screen: "columns", of: await readField(c, "source") });
    return c.redirect("/new", 303);
  });
  app.get("/new/columns", async (c) =>
    c.req.query("source") === undefined
      ? c.redirect("/new", 303)
      : showColumns(c, desk, await readAsked(c, desk)),
  );
  app.post("/new/columns", (c) => createJob(c, desk));
  app.post("/new/plain", (c) => createPlainJob(c, desk));
  app.post("/new/sample", async (c) => {
    const manifest = await writeSample(desk.folder);
    await startTask({ step: "plan", manifest }, desk);
    return c.redirect(`${jobPath(manifest)}/plan`, 303);
  });
};
