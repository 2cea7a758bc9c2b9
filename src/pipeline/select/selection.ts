/** Jobs of kind `redesign` and `export`: codes that exist become files, the first after a new design. */
import path from "node:path";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { AppError, type Problem } from "../../base/errors.ts";
import { toFileName } from "../../base/files/file-name.ts";
import type { Client } from "../../client/client.ts";
import { codeColumns } from "../../job/columns.ts";
import type { ExportJob } from "../../kinds/export/job.ts";
import type { RedesignJob } from "../../kinds/redesign/job.ts";
import { isDesigned, type DesignFields } from "../../plan/restyle.ts";
import { COLOR_HINT, findUnreadable, type SelectedOptions } from "../../plan/selected.ts";
import { withNames, type PressWarning } from "../../base/shapes/press-warning.ts";
import { readSelection, toFoundLink, type Catalog } from "../../run/catalog.ts";
import { openCodeTexts, refuseFrameTexts } from "../checks/frame-texts.ts";
import { readRedesignFields } from "../../kinds/redesign/fields.ts";
import { redesignRows } from "../../run/redesign.ts";
import { describeSelect, toSelection } from "../../run/select.ts";
import type { Selected } from "../../state/selected-rows.ts";
import { refuseTooMany } from "../checks/confirm.ts";
import type { RunCounts } from "../standing/counts.ts";
import { countCalls } from "../address/job-client.ts";
import { rememberOutput } from "../standing/finished-job.ts";
import { type LabelCensus, type LabelPlan, openLabelCensus } from "../paper/label-census.ts";
import { noteLogos } from "../checks/logos.ts";
import { planPaper, toPaperFigures } from "../paper/plan-paper.ts";
import type { JobProof } from "../results.ts";
import type { PlanNote } from "../paper/plan-notes.ts";
import { leadsHere } from "../address/link-origins.ts";
import type { Ports } from "../ports.ts";
import { isLoopbackUrl } from "../../base/text/url.ts";
import type { Strategy, VerifyOrder } from "../strategy.ts";
import { undoWith } from "../undo/undo.ts";
import { toSelectedLookups, verifyFinished } from "../standing/verify.ts";
import type { WorkJob } from "../stages/work.ts";
import { makeSheetOptions } from "../stages/sheet-options.ts";
import { planVolumes } from "../stages/zip-places.ts";
import { changeAndFetch, keepingChanges } from "./change-codes.ts";
import {
  orchestrate,
  type Changing,
  type Finding,
  type PlannedSelection,
  type SelectStrategy,
} from "./orchestrate.ts";
import { planAsks } from "./plan-asks.ts";
import { planSelection } from "./plan-selection.ts";
import { beginRun, endRun, nextRun, toDrawingMark, toExportMark } from "./run-number.ts";
import { findVoidAmong } from "./void-found.ts";
import { DESIGNED, DONE } from "../../state/which-rows.ts";

type SelectionJob = RedesignJob | ExportJob;

/** What both kinds ask of their codes. */
interface Wish {
  readonly design: DesignFields;
  readonly logoBase64: string | undefined;
  /** Its file, where it is an SVG. */
  readonly svgLogo: string | undefined;
  readonly contrast: "refuse" | "warn";
  readonly textsFit: SelectedOptions["textsFit"];
  readonly skipsUnchanged: boolean;
  readonly warnings: readonly Problem[];
}

const NO_DESIGN: Wish = {
  design: {},
  logoBase64: undefined,
  svgLogo: undefined,
  contrast: "warn",
  textsFit: undefined,
  skipsUnchanged: true,
  warnings: [],
};

/**
 * Colours that a template brings; those that the manifest names are judged when it is read. Throws
 * `manifest-invalid`.
 */
function refuseUnreadable({ file, design }: RedesignJob, fields: DesignFields): void {
  const field = "design.template";
  const where = { file, field };
  const got = JSON.stringify(design["template"]);
  const problems = findUnreadable(fields).map((message) => ({
    message: `${field} must go with colours that scanners read, got ${got}: ${message}`,
    hint: COLOR_HINT,
    where,
  }));
  const [first] = problems;
  if (first === undefined) return;
  throw new AppError("manifest-invalid", first.message, { hint: COLOR_HINT, where, problems });
}

async function readWish(job: SelectionJob, client: Client): Promise<Wish> {
  if (job.kind === "export") return NO_DESIGN;
  await refuseFrameTexts(job);
  const { fields, logoBase64, svgLogo, warnings } = await readRedesignFields(client, job.design);
  const { contrast, skipUnchanged } = job.safety;
  if (contrast === "refuse") refuseUnreadable(job, fields);
  const textsFit = await openCodeTexts(job, fields);
  const logo = { logoBase64, svgLogo };
  return { design: fields, ...logo, contrast, textsFit, skipsUnchanged: skipUnchanged, warnings };
}

interface Planned extends PlannedSelection {
  /** The selection in words. */
  readonly input: string;
  readonly wish: Wish;
  readonly labels: LabelPlan;
  /** The codes lead to this computer only. */
  readonly isRehearsal: boolean;
  /** Void codes that the sheets print. */
  readonly otherLooks: readonly PressWarning[];
  /** False where codes are not asked for their designs, since the server shows none. */
  readonly tellsDesign: boolean;
}

/** Counts labels as they will be on sheets. */
async function openLabels(job: SelectionJob): Promise<LabelCensus> {
  const options = await makeSheetOptions(job, {
    createdAt: new Date(0).toISOString(),
    isRehearsal: false,
    input: { name: "", sha256: "", columns: [] },
  });
  return openLabelCensus(options);
}

function areAnyHere(catalog: Catalog): boolean {
  for (const { shortLink } of catalog.codes()) if (isLoopbackUrl(shortLink ?? "")) return true;
  return false;
}

/** Designs of the embedded service's codes, by id; other servers don't show them. */
async function readTold({ server, open, ports, catalog }: Finding<SelectionJob>) {
  const told = new Map<string, DesignFields>();
  if (!open.server.isEmbedded) return told;
  const ids = Array.from(catalog.codes(), ({ id }) => id);
  for (const [id, { size: _size, ...design }] of await ports.server.designs(server.dataDir, ids))
    told.set(id, design as DesignFields);
  return told;
}

/** Codes of the embedded service that look as they are to, though the state doesn't say so. */
async function countDesigned(
  dataDir: string,
  spool: PlannedSelection["spool"],
  { ports, state }: Pick<Finding<SelectionJob>, "ports" | "state">,
): Promise<number> {
  const wishes = new Map<string, DesignFields>();
  for (const { key, designHash, wanted } of spool.good()) {
    const old = state?.known(key);
    const isKept = old?.state === "done" && old.madeDesignHash === designHash;
    if (!isKept) wishes.set(key, wanted.design);
  }
  const looks = await ports.server.designs(dataDir, [...wishes.keys()]);
  return [...wishes].filter(([id, wish]) => isDesigned(looks.get(id) ?? {}, wish)).length;
}

/** What a redesign reads before it changes codes. Closes the rows if that can't be found out. */
async function withAsks(
  { job, state, ports, server: choice, open: { client, server } }: Finding<SelectionJob>,
  { summary, spool, firstRestyled: first }: ReturnType<typeof planSelection>,
  isResumed: boolean,
) {
  if (job.kind === "export") return { summary, tellsDesign: false };
  const { isEmbedded } = server;
  try {
    const countSo = () => countDesigned(choice.dataDir, spool, { ports, state });
    return await planAsks(job, summary, { client, isEmbedded, first, isResumed, countSo });
  } catch (error) {
    spool.close();
    throw error;
  }
}

/** Reads the selection and plans it. */
async function find(at: Finding<SelectionJob>): Promise<Planned> {
  const { job, open, ports, state, catalog } = at;
  const { client } = open;
  const selection = await toSelection(client, job.select);
  await readSelection(client, selection, catalog, ports.signal);
  refuseTooMany(catalog.count, job.safety.maxCodes);
  const wish = await readWish(job, client);
  const labels = await openLabels(job);
  const { isEmbedded } = open.server;
  const { number, isNew } = nextRun(state);
  const planned = planSelection(catalog, {
    job,
    labels,
    ...wish,
    // What a run that was not finished has sent is not sent again.
    skipsUnchanged: wish.skipsUnchanged || !isNew,
    told: job.output.sheets === null ? new Map() : await readTold(at),
    markOf:
      job.kind === "export" ? (code) => toExportMark(code, { isEmbedded, number }) : undefined,
    readsTaken: countCalls(client).reads,
    state,
    nowMs: ports.clock.nowMs(),
  });
  const asks = await withAsks(at, planned, !isNew);
  const svgLogos = wish.svgLogo === undefined ? [] : [wish.svgLogo];
  return {
    ...planned,
    ...asks,
    input: selection.says,
    wish,
    labels: { ...labels.plan(), svgLogos },
    isRehearsal: areAnyHere(catalog),
    otherLooks: await findVoid(at, planned.spool),
  };
}

/** Closes the rows if that can't be found out. */
async function findVoid(
  { job, server, ports }: Finding<SelectionJob>,
  spool: PlannedSelection["spool"],
): Promise<PressWarning[]> {
  if (job.output.sheets === null) return [];
  try {
    return await findVoidAmong(spool.good(), server, ports);
  } catch (error) {
    spool.close();
    throw error;
  }
}

function toNotes(job: SelectionJob, { summary, anew: again }: PlannedSelection): PlanNote[] {
  if (summary.rows === 0) return [{ code: "nothing-selected" }];
  const { changed, untold, lost } = again ?? { changed: 0, untold: 0, lost: 0 };
  const anew: PlanNote[] = [
    ...(changed === 0 ? [] : [{ code: "files-anew", count: changed } as const]),
    ...(untold === 0 ? [] : [{ code: "files-untold", count: untold } as const]),
    ...(lost === 0 ? [] : [{ code: "pictures-remade", count: lost } as const]),
  ];
  if (job.kind !== "redesign" || summary.restyles === 0) return anew;
  const { skipUnchanged, keepPrevious } = job.safety;
  return [
    ...anew,
    ...(skipUnchanged ? [{ code: "same-looks-are-free" } as const] : []),
    { code: keepPrevious ? "kept-for-undo" : "not-kept" },
  ];
}

/** Names the codes of warnings. */
function nameCodes(press: readonly PressWarning[], { spool }: Planned): readonly PressWarning[] {
  const keys = new Set(press.flatMap(({ rows }) => rows));
  if (keys.size === 0) return press;
  const names = new Map<string, string>();
  for (const { key, wanted } of spool.good()) if (keys.has(key)) names.set(key, wanted.displayName);
  return withNames(press, (key) => names.get(key));
}

const show: SelectStrategy<SelectionJob, Planned>["show"] = async (job, planned, at) => {
  const { sheets } = planned.summary;
  const { isRehearsal } = planned;
  const { server, createdAt } = at;
  const paper = await planPaper(job, {
    groups: sheets,
    createdAt,
    isRehearsal,
    inputName: describeSelect(job.select),
    inputSha256: "",
    design: planned.wish.design,
    links: {
      publicUrl: server.baseUrl === undefined ? server.publicUrl : undefined,
      inCapitals: false,
      areTold: true,
    },
    labels: planned.labels,
    templateOf: () => undefined,
    finished: at.finished,
  });
  return {
    input: planned.input,
    from: "codes",
    isSelection: true,
    isRehearsal,
    zipVolumes: planVolumes(planned.summary.zips, job.output.files.length),
    ...toPaperFigures(paper),
    warnings: [...planned.wish.warnings, ...planned.warnings, ...paper.warnings],
    press: nameCodes([...paper.press, ...planned.otherLooks], planned),
    notes: [...paper.notes, ...noteLogos(planned.labels), ...toNotes(job, planned)],
  };
};

function* toSelected(
  job: SelectionJob,
  catalog: Catalog,
  at: { isEmbedded: boolean; number: number },
): Iterable<Selected> {
  for (const code of catalog.codes()) {
    const { id, created } = code;
    const shortLink = toFoundLink(code);
    const designHash = job.kind === "export" ? toExportMark(code, at).mark : null;
    yield { key: id, created, shortLink, designHash };
  }
}

/** The state takes the selection over. */
function adopt({ job, state, planned, catalog, open }: Changing<SelectionJob, Planned>): void {
  const { number, isNew } = beginRun(state);
  rememberOutput(state, { stateDir: job.stateDir, dir: job.output.dir });
  state.adoptPlan(planned.spool.good(), planned.spool.bad());
  const { isEmbedded } = open.server;
  state.selected.take(toSelected(job, catalog, { isEmbedded, number }));
  if (job.kind === "redesign" && isNew && !job.safety.skipUnchanged) state.selected.forgetDesigns();
}

/** Changes what is to be changed and fetches files. */
async function change(run: Changing<SelectionJob, Planned>): Promise<RunCounts> {
  const { job, parts, state, ports, planned, request } = run;
  const { client } = run.open;
  const { limit = null } = request;
  const toChange = planned.summary.restyles;
  const stage = { parts, client, formats: job.output.files, toChange };
  if (job.kind === "export") {
    const { isEmbedded } = run.open.server;
    const markOf = isEmbedded ? toDrawingMark : undefined;
    return changeAndFetch({ ...stage, markOf, settled: DONE }, () => Promise.resolve());
  }
  const { keepPrevious, skipUnchanged } = job.safety;
  return keepingChanges(parts, { keeps: keepPrevious, limit }, (changes) =>
    // A code that is to be restyled is fetched afterwards.
    changeAndFetch({ ...stage, settled: DESIGNED }, (events) =>
      redesignRows({
        state,
        client,
        changes,
        logoBase64: planned.wish.logoBase64,
        keepPicture: async (row, svg) => {
          const file = path.join(parts.folders.state, "previous", toFileName(row.key, ".svg"));
          await writeFileAtomic(file, svg);
          return file;
        },
        skipUnchanged,
        tellsDesign: planned.tellsDesign,
        limit,
        now: () => new Date(ports.clock.nowMs()).toISOString(),
        events,
        signal: ports.signal,
      }),
    ),
  );
}

const toWorkJob = ({ name, file, kind, output }: SelectionJob): WorkJob => ({
  name,
  file,
  kind,
  output,
  source: null,
});

const strategy: SelectStrategy<SelectionJob, Planned> = {
  times: { plan: "select and plan", change: "codes and downloads" },
  find,
  show,
  toQuestion: (job, { summary }) => ({
    question: { does: "restyle", thing: "code", count: summary.restyles },
    over: job.kind === "redesign" ? job.safety.confirmOver : null,
  }),
  adopt,
  change,
  toWork: (job, state) => ({
    job: toWorkJob(job),
    input: { name: describeSelect(job.select), sha256: "", columns: [...codeColumns] },
    isRehearsal: leadsHere(state),
  }),
  end: endRun,
};

/** `verify`: proves anew what the last run made, wherever it was put. */
function verify({ job, server }: VerifyOrder<SelectionJob>, ports: Ports): Promise<JobProof> {
  const { stateDir, select } = job;
  return verifyFinished(
    { job: toWorkJob(job), stateDir, inputName: describeSelect(select) },
    ports,
    toSelectedLookups({ job, server }, ports),
  );
}

const steps = { ...orchestrate(strategy), verify };

export const redesign: Strategy<RedesignJob> = {
  ...steps,
  undo: undoWith((job, state) => strategy.toWork(job, state, undefined)),
};
export const exported: Strategy<ExportJob> = steps;
