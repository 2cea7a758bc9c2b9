/** Screen 3: the content of a label, its stock, and how it will look; saved on request. */
import type { Context } from "hono";

import { quoteWord } from "../../../base/text/shell-words.ts";
import { isRowJob } from "../../../kinds/any-job.ts";
import { writeManifestText } from "../../../pipeline/source/edit-manifest.ts";
import { findClicked } from "../../../pipeline/preview/start-at.ts";
import { listSheets } from "../../../print/layout/sheet-files.ts";
import { embeddedPort } from "../../../service/embedded/embedded.ts";
import type { Screen } from "../../context.ts";
import { lastEdit, noteEdits, toSetCommand } from "../../edit-job.ts";
import { resolveInside } from "../../folder.ts";
import { manifestOf } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import {
  Command,
  Island,
  jobPath,
  programOf,
  replyPage,
  Sentence,
  Steps,
} from "../../view/page.tsx";
import { wordsFor, type Words } from "../../words/words.ts";
import { dropChanges, keepChanges, readChanges } from "./changes.ts";
import { ControlFields } from "./controls-form.tsx";
import { hasSheets } from "./controls.ts";
import { makeDraft, type Draft, type Form } from "./draft.ts";
import {
  lookNames,
  type LabelAnswer,
  type LabelProps,
  type Shown,
  type Told,
} from "./label-props.ts";
import { LogoField, withLogo, type WithLogo } from "./logo.tsx";
import { Looks, type Refusal } from "./looks.ts";
import { readManifest } from "./manifest-text.ts";
import { CLICK_NAME, CLICKED_PX, Pictures } from "./pictures.tsx";
import { showLooks, toFaults, toFieldFaults } from "./show-looks.ts";
import { StockFields } from "./stock-form.tsx";
import type { JobSite, Part } from "../../view/part.ts";
import { AreEnglish, inEnglish } from "../../view/problems.tsx";
import { Go } from "../../../console/view/parts.tsx";

interface Site extends Omit<JobSite, "job"> {
  readonly looks: Looks;
}

interface Banner {
  readonly look: "good" | "warn" | "bad";
  readonly lines: readonly string[];
  readonly faults?: readonly Told[];
}

const basis = (manifest: string): string => `${jobPath(manifest)}/label`;

/** The label that was clicked on the sheet; undefined beside the labels. */
async function readClick({ opened }: Draft, form: Form): Promise<number | undefined> {
  const read = (name: string): number => Number(form[name] ?? Number.NaN);
  const [xPx, yPx] = [read(`${CLICK_NAME}.x`), read(`${CLICK_NAME}.y`)];
  if (opened === undefined || !isRowJob(opened.job) || !Number.isFinite(xPx + yPx)) {
    return undefined;
  }
  return findClicked(opened.job, { xPx, yPx, widthPx: read("width") || CLICKED_PX });
}

/** The draft with the click in it, and the note on that. */
async function withClick(
  { desk, manifest, words }: Site,
  form: Form,
): Promise<{ draft: Draft; start?: number; said?: string }> {
  const draft = await makeDraft(desk, manifest, form);
  if (form[`${CLICK_NAME}.x`] === undefined) return { draft };
  const start = await readClick(draft, form);
  if (start === undefined) return { draft, said: words.label.startStack };
  const clicked = await makeDraft(desk, manifest, { ...form, start: String(start) });
  return { draft: clicked, start, said: words.label.startMoved(String(start)) };
}

function RowChoice({ draft, words }: { readonly draft: Draft; readonly words: Words }) {
  const said = words.label;
  const { row, line, hasGrid } = draft.view;
  return (
    <div class="row-choice">
      <div class="field">
        <label for="row">{said.row}</label>
        <select id="row" name="row">
          {Object.entries(said.rows).map(([value, name]) => (
            <option value={value} selected={value === row}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div class="field field-line">
        <label for="line">{said.line}</label>
        <input id="line" name="line" type="number" min={1} value={line} />
      </div>
      <label class="tick">
        <input type="checkbox" name="grid" value="yes" checked={hasGrid} />
        {said.grid}
      </label>
    </div>
  );
}

function toProps(site: Site, looks: Shown): LabelProps {
  const { manifest, words } = site;
  const said = words.label;
  return {
    address: `${basis(manifest)}/preview`,
    looks,
    words: {
      language: words.language,
      titles: { label: said.label, sheet: said.sheet, code: said.code },
      live: said.live,
      clickSheet: said.clickSheet,
      sheetButton: said.sheetButton,
      waiting: said.waiting,
      offline: said.offline,
      signedOut: said.signedOut,
      warnings: said.warnings,
      english: words.common.inEnglish,
      find: said.find,
      found: said.found,
      foundOne: said.foundOne,
    },
  };
}

/** This page changes no source: the columns are those of the job on disk, also where the form is refused. */
const columnsOf = async ({ looks }: Site, { job, onDisk }: Draft) =>
  isRowJob(job) ? looks.columns(onDisk, Object.keys(job.source.columns)) : [];

function Actions({ draft, words }: { readonly draft: Draft; readonly words: Words }) {
  const said = words.label;
  return (
    <div class="actions save">
      <button name="do" value="save">
        {said.save}
      </button>
      <button name="do" value="plan" class="main">
        {said.savePlan}
      </button>
      {draft.edits.length === 0 ? null : (
        <button name="do" value="discard" class="plain" formnovalidate>
          {said.discard}
        </button>
      )}
    </div>
  );
}

/** It may hold the file of a logo. */
const sending = (action: string) =>
  ({ method: "post", action, enctype: "multipart/form-data" }) as const;

async function FormOf({
  site,
  draft,
  looks,
  faults,
}: {
  readonly site: Site;
  readonly draft: Draft;
  readonly looks: Shown;
  readonly faults: ReadonlyMap<string, Told> | undefined;
}) {
  const { words, manifest } = site;
  const said = words.label;
  const sheets = await listSheets();
  const designs = await embeddedPort.templates();
  const { saved, hash, texts, job } = draft;
  return (
    <form {...sending(basis(manifest))} class="label-form" id="label-form">
      <input type="hidden" name="hash" value={hash} />
      <input type="hidden" name="was" value={JSON.stringify(saved.texts)} />
      {/* Enter shows the preview; only a click saves. */}
      <button class="visually-hidden" name="do" value="show" tabindex={-1} aria-hidden="true">
        {said.show}
      </button>
      <div class="label-looks">
        {isRowJob(job) ? (
          <RowChoice draft={draft} words={words} />
        ) : (
          <p class="banner warn">{said.existing}</p>
        )}
        <Island name="label" props={toProps(site, looks)}>
          <p class="soft">{said.still}</p>
          <button name="do" value="show">
            {said.show}
          </button>
          <Pictures looks={looks} words={words} />
        </Island>
      </div>
      <div class="label-fields">
        {hasSheets(job) && !saved.locked.has("stock") ? (
          <>
            <StockFields words={words} texts={texts} sheets={sheets} />
            <p>
              <a href={`${jobPath(manifest)}/printer`}>{said.printer.link}</a>
            </p>
          </>
        ) : null}
        <ControlFields
          draft={draft}
          words={words}
          designs={designs}
          columns={await columnsOf(site, draft)}
          faults={faults}
        />
        {saved.texts["logo_file"] === undefined ? null : <LogoField words={words} />}
        <Actions draft={draft} words={words} />
      </div>
    </form>
  );
}

const BannerView: Part<{ readonly banner: Banner }> = ({ banner, words }) => {
  const { look, lines, faults = [] } = banner;
  return (
    <div class={`banner ${look}`} role={look === "good" ? "status" : "alert"}>
      {lines.map((line) => (
        <p>
          <Sentence text={line} />
        </p>
      ))}
      <AreEnglish told={faults} words={words} />
      {faults.map(({ text, isEnglish }) => (
        <p {...(isEnglish ? inEnglish(words) : {})}>
          <Sentence text={text} />
        </p>
      ))}
    </div>
  );
};

async function replyLabel(
  c: Context,
  site: Site,
  shown: {
    readonly draft: Draft;
    readonly banner?: Banner | undefined;
    readonly refused?: Refusal;
    readonly status?: 400 | 409;
  },
): Promise<Response> {
  const { desk, words, manifest } = site;
  const { draft, banner, refused, status } = shown;
  const said = words.label;
  const isEmpty = !hasSheets(draft.job);
  const set =
    draft.edits.length > 0 ? [toSetCommand(manifest, draft.edits)] : [...lastEdit(desk, manifest)];
  const looks = isEmpty
    ? {}
    : await showLooks(draft, site.looks, { words, names: lookNames, program: programOf(desk) });
  const children = (
    <>
      <Steps words={words} manifest={manifest} at="label" />
      <h1>{said.title}</h1>
      {banner === undefined ? null : <BannerView banner={banner} words={words} />}
      {isEmpty ? (
        <>
          <p>{said.none}</p>
          <Go href={`${jobPath(manifest)}/plan`} text={said.toPlan} isMain />
        </>
      ) : (
        await FormOf({
          site,
          draft,
          looks,
          faults: refused && toFieldFaults(refused, draft, words),
        })
      )}
      {isRowJob(draft.job) && !isEmpty ? (
        <Command words={words} text={[`makeready preview ${quoteWord(manifest)}`, ...set]} />
      ) : null}
    </>
  );
  const page = { desk, title: said.title, children, islands: isEmpty ? [] : ["label"] };
  return replyPage(c, page, status);
}

/** Writes the changes, unless the manifest has changed since the form was made. */
async function save(c: Context, site: Site, form: Form): Promise<Response> {
  const { desk, manifest, words } = site;
  const draft = await makeDraft(desk, manifest, form);
  const said = words.label;
  const { hash } = await readManifest(desk.folder, manifest);
  if (draft.isOvertaken || hash !== draft.hash) {
    const banner = { look: "warn", lines: [said.conflict] } as const;
    return replyLabel(c, site, { draft, banner, status: 409 });
  }
  const isChanged = draft.edits.length > 0;
  const { opened } = draft;
  const ofSheets = async () =>
    isChanged && opened !== undefined ? site.looks.refusalOf(opened) : undefined;
  const refused = draft.refused ?? (await ofSheets());
  if (refused !== undefined) {
    const faults = toFaults(refused, words);
    const banner = { look: "bad", lines: [said.refused], faults } as const;
    return replyLabel(c, site, { draft, banner, refused, status: 400 });
  }
  if (isChanged) {
    await writeManifestText(await resolveInside(desk.folder, manifest), draft.text);
    noteEdits(desk, manifest, draft.edits);
  }
  await dropChanges(desk, manifest);
  if (form["do"] === "plan") {
    await startTask({ step: "plan", manifest }, desk);
    return c.redirect(`${jobPath(manifest)}/plan`, 303);
  }
  return c.redirect(`${basis(manifest)}?${isChanged ? "saved" : "same"}`, 303);
}

/** What became of the logo that was sent. */
function logoBanner({ form, isTaken, refused }: WithLogo, words: Words): Banner | undefined {
  const said = words.label;
  if (isTaken) return { look: "good", lines: [said.logoTaken] };
  if (refused !== undefined) return { look: "bad", lines: [], faults: toFaults(refused, words) };
  return form["do"] === "logo" ? { look: "bad", lines: [said.logoNone] } : undefined;
}

/** The form as it was sent, kept as a draft. */
async function show(c: Context, site: Site, sent: WithLogo): Promise<Response> {
  const { draft, said } = await withClick(site, sent.form);
  await keepChanges(site.desk, sent.form, draft);
  const clicked = said === undefined ? undefined : ({ look: "good", lines: [said] } as const);
  const banner = logoBanner(sent, site.words) ?? clicked;
  return replyLabel(c, site, { draft, banner, ...(banner?.look === "bad" && { status: 400 }) });
}

function toBanner(c: Context, words: Words): Banner | undefined {
  const said = words.label;
  if (c.req.query("saved") !== undefined) return { look: "good", lines: [said.saved] };
  if (c.req.query("same") !== undefined) return { look: "good", lines: [said.nothing] };
  return undefined;
}

async function answerPreview(c: Context, site: Site): Promise<Response> {
  const { desk } = site;
  const form: Form = await c.req.parseBody();
  const { draft, start, said } = await withClick(site, form);
  if (form["looks"] !== "sheet") await keepChanges(desk, form, draft);
  const names = lookNames.filter((name) => form["looks"] === undefined || form["looks"] === name);
  const answer: LabelAnswer = {
    looks: await showLooks(draft, site.looks, {
      words: site.words,
      names,
      program: programOf(desk),
    }),
    ...(start !== undefined && { start }),
    ...(said !== undefined && { said }),
  };
  return c.json(answer);
}

export const label: Screen = (app, desk) => {
  const looks = new Looks(desk);
  const siteOf = async (c: Context): Promise<Site> => ({
    desk,
    looks,
    manifest: await manifestOf(c, desk),
    words: wordsFor(c),
  });
  app.get("/job/:manifest/label", async (c) => {
    const site = await siteOf(c);
    const changes = await readChanges(desk, site.manifest);
    if (changes !== undefined) {
      const banner = { look: "warn", lines: [site.words.label.unsaved] } as const;
      return replyLabel(c, site, { draft: changes, banner });
    }
    const draft = await makeDraft(desk, site.manifest, undefined);
    return replyLabel(c, site, { draft, banner: toBanner(c, site.words) });
  });
  app.post("/job/:manifest/label", async (c) => {
    const site = await siteOf(c);
    const sent: Form = await c.req.parseBody();
    if (sent["do"] === "discard") {
      await dropChanges(desk, site.manifest);
      return c.redirect(basis(site.manifest), 303);
    }
    const taken = await withLogo(desk, site.manifest, sent);
    const isSave = sent["do"] === "save" || sent["do"] === "plan";
    return isSave && taken.refused === undefined ? save(c, site, taken.form) : show(c, site, taken);
  });
  app.post("/job/:manifest/label/preview", async (c) => answerPreview(c, await siteOf(c)));
};
