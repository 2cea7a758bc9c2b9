/** Pictures of a job that isn't saved yet, from a process that keeps fonts, engines and rows warm. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { AppError, badUsage, type ErrorCode, type Problem } from "../../../base/errors.ts";
import { isRowJob } from "../../../kinds/any-job.ts";
import { readLogo } from "../../../kinds/redesign/fields.ts";
import type { OpenJob } from "../../../pipeline/open.ts";
import {
  judgePaper,
  lookAtLabel,
  lookAtSheet,
  type LiveLabel,
  type LiveRequest,
  type LiveSheet,
  type WantedRow,
} from "../../../pipeline/preview/live.ts";
import { judgeSelected } from "../../../pipeline/preview/judge-selected.ts";
import { refuseFrameTexts } from "../../../pipeline/checks/frame-texts.ts";
import { RowShelf } from "../../../pipeline/preview/row-shelf.ts";
import { toLevel } from "../../../api/design.ts";
import { findFrameSwap } from "../../../plan/frame-swap.ts";
import { toTemplateFacts } from "../../../plan/looks.ts";
import { listBuiltInTemplates } from "../../../service/designs/built-in.ts";
import { resolveDesign, type Design } from "../../../qr/draw/design.ts";
import { labelFonts, openQrEngine, type QrEngine } from "../../../qr/engine.ts";
import { readLogoFile } from "../../../qr/png/logo-file.ts";
import { readRowDesign } from "../../../service/designs/row-design.ts";
import type { PlannedRow } from "../../../state/row.ts";
import type { DeskContext } from "../../context.ts";
import { resolveInside } from "../../folder.ts";

/** Faults, in the words of the plan. */
export interface Refusal {
  readonly message: string;
  readonly hint: string | undefined;
  readonly problems: readonly Problem[];
}

export type Look<Shown> = { readonly shown: Shown } | { readonly refused: Refusal };

/** The code of a row as a file shows it. */
export interface CodeLook {
  readonly svg: string;
  readonly warnings: readonly string[];
}

const SAMPLE_LINK = "https://short.example.com/abcd2345";

const toRefusal = ({ message, hint, problems }: AppError): Refusal => ({
  message,
  hint,
  problems,
});

/** Faults of a job are shown beside the last good picture; bugs are thrown. */
async function orRefusal<Shown>(work: () => Promise<Shown>): Promise<Look<Shown>> {
  try {
    return { shown: await work() };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === "bug") throw error;
    return { refused: toRefusal(error) };
  }
}

/** Faults that only the manifest can mend; others may be gone by the next run. */
const OF_SHEETS: ReadonlySet<ErrorCode> = new Set([
  "design-invalid",
  "layout-impossible",
  "manifest-invalid",
  "sheet-unknown",
]);

/** Images of this computer are read here, within the folder of the desk. */
const NO_LOGOS: ReadonlyMap<string, string> = new Map();

export class Looks {
  readonly #desk: DeskContext;
  readonly #shelf = new RowShelf();
  #engine: Promise<QrEngine> | undefined;
  #templates: ReturnType<typeof listBuiltInTemplates> | undefined;
  #design: { readonly id: string; readonly design: Design } | undefined;

  constructor(desk: DeskContext) {
    this.#desk = desk;
  }

  /** Columns that texts of the job may use; those of the manifest, where its rows can't be read. */
  async columns(opened: OpenJob, declared: readonly string[]): Promise<readonly string[]> {
    const found = await orRefusal(async () => (await this.#request(opened)).rows.names);
    return "refused" in found ? declared : found.shown;
  }

  /** Why a run would refuse the sheets or the look, whatever is wrong with the rows. */
  async refusalOf(opened: OpenJob): Promise<Refusal | undefined> {
    const { job } = opened;
    if (job.kind === "report" || job.kind === "retarget") return undefined;
    try {
      if (!isRowJob(job)) await judgeSelected(job, this.#desk);
      else {
        await refuseFrameTexts(job);
        if (job.output.sheets !== null) await judgePaper(await this.#request(opened));
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === "bug") throw error;
      if (OF_SHEETS.has(error.code)) return toRefusal(error);
    }
    return undefined;
  }

  label(opened: OpenJob, row: WantedRow): Promise<Look<LiveLabel>> {
    return orRefusal(async () => lookAtLabel(await this.#request(opened), row));
  }

  sheet(opened: OpenJob, hasGrid: boolean): Promise<Look<LiveSheet>> {
    return orRefusal(async () => lookAtSheet(await this.#request(opened), hasGrid));
  }

  /** The code as its picture file will look; `payload` as the label says it, else a sample. */
  code(design: Readonly<Record<string, unknown>>, payload = SAMPLE_LINK): Promise<Look<CodeLook>> {
    return orRefusal(async () => {
      const engine = await this.#openEngine();
      const read = await this.#readDesign(engine, design);
      const { svg, warnings } = engine.svgWithWarnings(payload, read.design);
      const swap = findFrameSwap(design);
      const swaps = swap === undefined ? [] : [swap.message];
      return { svg, warnings: [...swaps, ...read.warnings, ...warnings] };
    });
  }

  async #request(opened: OpenJob): Promise<LiveRequest> {
    const { job, server } = opened;
    if (!isRowJob(job)) {
      throw badUsage("labels of codes that exist are drawn by a run");
    }
    const { clock, writer } = this.#desk;
    const rows = await this.#shelf.open(job, {
      signal: new AbortController().signal,
      clock,
      dataDir: server.dataDir,
    });
    this.#templates ??= listBuiltInTemplates();
    const listed = await this.#templates;
    return {
      job,
      server,
      rows,
      ports: { clock, writer },
      drawCode: (row, payload, logo) => this.#drawCode(row, payload, logo),
      designOf: (row, logo) => this.#designOf(row, logo),
      templateOf: (name) => {
        const found = listed.find(({ id, title }) => id === name || title === name);
        return found && toTemplateFacts(found);
      },
    };
  }

  async #drawCode(
    { wanted }: PlannedRow,
    payload: string,
    logo: string | undefined,
  ): Promise<string> {
    const engine = await this.#openEngine();
    const { design } = await this.#readDesign(engine, { ...wanted.design, logo_file: logo });
    return engine.svg(payload, design);
  }

  /** Rows of one design are looked at once. */
  async #designOf({ wanted }: PlannedRow, logo: string | undefined): Promise<Design> {
    const id = JSON.stringify([wanted.design, logo]);
    if (this.#design?.id !== id) {
      const wished = { ...wanted.design, logo_file: logo };
      const { design } = await this.#readDesign(await this.#openEngine(), wished);
      this.#design = { id, design };
    }
    return this.#design.design;
  }

  /** Nothing is fetched: only the server can show a logo from the web. */
  async #readDesign(
    engine: QrEngine,
    wished: Readonly<Record<string, unknown>>,
  ): Promise<{ design: Design; warnings: string[] }> {
    const { logo_url: url, logo_file: file, remove_logo: _gone, ...fields } = wished;
    const level = toLevel({ design: fields });
    const { design, warnings } = await readRowDesign(engine, fields, level, NO_LOGOS);
    const unseen =
      url === undefined ? [] : ["the logo of logo_url is drawn by the server and isn't shown here"];
    // Of a job without labels, where no row is drawn, it may still be a template.
    if (typeof file !== "string" || file.includes("{{"))
      return { design, warnings: [...warnings, ...unseen] };
    const { folder } = this.#desk;
    const inside = await resolveInside(folder, path.relative(folder, file));
    const logo = await readLogoFile(await readLogo(inside));
    return { design: resolveDesign({ ...design, logo }), warnings };
  }

  async #openEngine(): Promise<QrEngine> {
    this.#engine ??= Promise.all(labelFonts.map((font) => readFile(font))).then((fonts) =>
      openQrEngine({ fonts }),
    );
    return this.#engine;
  }
}
