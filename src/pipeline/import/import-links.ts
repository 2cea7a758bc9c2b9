/** Links of another service's CSV export, made on a server under their slugs: nothing is made twice. */
import { ownLimits } from "../../api/limits.ts";
import type { LinkItem } from "../../api/link.ts";
import { closing } from "../../base/flow/closing.ts";
import type { AppError } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { makeLog } from "../../base/log.ts";
import type { Client } from "../../client/client.ts";
import { eachPage } from "../../client/pages.ts";
import { toLinkSlug } from "../../kinds/links/maker.ts";
import type { ColumnRule, JobSource } from "../../job/job.ts";
import { withFullestSheet } from "../../read/files/fullest-sheet.ts";
import { toPlainSource } from "../../read/rows/mended.ts";
import type { SourceRow } from "../../read/rows/rows.ts";
import { openSource } from "../../read/source.ts";
import { withClient, type ClientJob, type OpenClient } from "../address/job-client.ts";
import type { Ports } from "../ports.ts";
import { keepAddress } from "../address/public-address.ts";
import { isNothingThere, type ServerChoice } from "../address/server.ts";
import {
  findLinkColumns,
  isLinkText,
  splitLinks,
  toSlug,
  type LinkColumns,
  type LinkRole,
} from "./link-columns.ts";
import { isSameTarget, LinkPlan, type LinkRow, type PlannedLink } from "./plan-links.ts";

export interface ImportRequest {
  readonly file: string;
  /** Columns that a person named. */
  readonly columns: readonly (readonly [LinkRole, string])[];
  readonly choice: ServerChoice;
}

export interface ImportPlan {
  readonly columns: LinkColumns;
  /** Other columns that hold links. */
  readonly unread: readonly string[];
  /** Closed when the import ends. */
  readonly links: LinkPlan;
}

export interface ImportSteps {
  /** Gets the plan; false ends the import with nothing made. */
  readonly agree: (plan: ImportPlan) => Promise<boolean>;
  readonly onSent: () => void;
  /** Called at the end, while the plan is still open. */
  readonly onEnd: (plan: ImportPlan, sent: number) => void;
}

/** One after the other, so that lists show the links in the order of their making. */
const JOB: ClientJob = { api: {}, run: { concurrency: 1, share: 1 } };
const MAX_TRIES = 5;

interface ColumnsSeen {
  readonly read: ReadonlySet<string>;
  readonly unread: Set<string>;
}

function toMs(text: string): number | null {
  if (/^\d{9,10}$/u.test(text)) return Number(text) * 1000;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** A row's link, and one of each custom link to the same place. */
function toRows({ line, values, problems }: SourceRow, columns: LinkColumns): LinkRow[] {
  const read = (role: LinkRole): string => (values[columns[role] ?? ""] ?? "").trim();
  const faultOf = (role: LinkRole): string | undefined =>
    problems.find(({ where }) => where?.field !== undefined && where.field === columns[role])
      ?.message;
  const short = read("short");
  const slug = read("slug").replace(/^\/+/u, "") || (short === "" ? "" : toSlug(short));
  const ofCustom = { slug: faultOf("custom"), destination: faultOf("destination") };
  const ofOwn = faultOf("slug") ?? (short === "" ? faultOf("short") : undefined);
  const own: LinkRow = {
    line,
    slug,
    destination: read("destination"),
    title: read("title").slice(0, ownLimits.maxDisplayName),
    createdMs: toMs(read("created")),
    cellFaults: { ...ofCustom, slug: ofOwn ?? (slug === "" ? ofCustom.slug : undefined) },
  };
  const custom = splitLinks(read("custom")).map((link): LinkRow => ({
    ...own,
    slug: toSlug(link),
    cellFaults: ofCustom,
  }));
  return slug === "" && custom.length > 0 ? custom : [own, ...custom];
}

/** Adds columns with links that are none of those that the row gives. */
function findUnread({ cells }: SourceRow, rows: readonly LinkRow[], found: ColumnsSeen): void {
  const isKnown = (link: string): boolean =>
    rows.some(({ slug, destination }) => link === destination || toSlug(link) === slug);
  for (const [header, cell] of Object.entries(cells)) {
    if (found.read.has(header) || found.unread.has(header)) continue;
    const links = splitLinks(cell).filter(isLinkText);
    if (links.some((link) => !isKnown(link))) found.unread.add(header);
  }
}

/** Addresses are read as those of a run: also behind a cell that shows another text. */
const toRules = (columns: LinkColumns): Record<string, ColumnRule> =>
  Object.fromEntries(
    Object.entries(columns).map(([role, header]) => {
      const type = role === "short" || role === "destination" ? "url" : "text";
      return [header, { type, required: false, default: null, aliases: [] }];
    }),
  );

/** The headers, before it is known what they mean. */
async function readHeaders(plain: JobSource): Promise<readonly string[]> {
  return closing(await openSource(plain), (source) => source.columns);
}

/** Adds the rows of an export. Throws "bad-usage" when it has no slugs or no destinations. */
async function readLinks(
  { file, columns: chosen }: Pick<ImportRequest, "file" | "columns">,
  { links, on }: { readonly links: LinkPlan; readonly on: Ports["on"] },
): Promise<Pick<ImportPlan, "columns" | "unread">> {
  const plain = await withFullestSheet(toPlainSource(file));
  const columns = findLinkColumns(await readHeaders(plain), chosen);
  return closing(await openSource({ ...plain, columns: toRules(columns) }), async (source) => {
    const seen = { read: new Set(Object.values(columns)), unread: new Set<string>() };
    for await (const row of source.rows()) {
      const rows = toRows(row, columns);
      for (const link of rows) links.addRow(link);
      findUnread(row, rows, seen);
    }
    for (const problem of source.warnings) on({ type: "warning", problem });
    return { columns, unread: [...seen.unread] };
  });
}

async function readKnown(client: Client, links: LinkPlan): Promise<void> {
  for await (const { results } of eachPage((query) => client.listLinks(query))) {
    for (const link of results) links.addKnown(toLinkSlug(link), link.link ?? "");
  }
}

/** Where the workspace's link of a slug leads; undefined when it has none. */
async function findTarget(client: Client, slug: string): Promise<string | undefined> {
  for await (const { results } of eachPage((page) => client.listLinks({ ...page, q: slug }))) {
    const found = results.find((link) => toLinkSlug(link) === slug);
    if (found !== undefined) return found.link ?? "";
  }
  return undefined;
}

function toBody({ workspace }: OpenClient["server"], { slug, destination, title }: PlannedLink) {
  const name = title === "" ? {} : { display_name: title };
  return { workspace, link: destination, slug, ...name };
}

/** The error of one send; undefined = the link is there. */
type Outcome = { readonly fault: string | undefined } | { readonly again: AppError };

/**
 * Sends a create once. A slug belongs to one link only: sending again can't make a second one, and
 * after a lost answer the link is found by its slug.
 */
async function createOnce({ client, server }: OpenClient, link: PlannedLink): Promise<Outcome> {
  const { slug, destination } = link;
  const idempotencyKey = sha256(`import ${server.workspace} ${slug} ${destination}`);
  const outcome = await client.create("createLink", toBody(server, link), { idempotencyKey });
  if (outcome.kind === "done") {
    const given = toLinkSlug(outcome.raw as LinkItem);
    return { fault: given === slug ? undefined : `the server gave it another slug: ${given}` };
  }
  if (outcome.kind === "auth") throw outcome.error;
  if (outcome.kind === "limited") return { again: outcome.error };
  const target = await findTarget(client, slug);
  if (target !== undefined) {
    const isOurs = isSameTarget(target, destination);
    return { fault: isOurs ? undefined : `the workspace has it, leading to ${target}` };
  }
  if (outcome.kind !== "refused") return { again: outcome.error };
  return { fault: outcome.problems[0]?.message ?? outcome.message };
}

async function makeLink(open: OpenClient, link: PlannedLink): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await createOnce(open, link);
    if ("fault" in outcome) return outcome.fault;
    if (outcome.again.kind !== "busy" && tries >= MAX_TRIES) throw outcome.again;
  }
}

/** Reads, plans, and once the plan is agreed to makes what is missing. */
export async function importLinks(
  { choice, ...request }: ImportRequest,
  ports: Ports,
  { agree, onSent, onEnd }: ImportSteps,
): Promise<void> {
  await closing(new LinkPlan(), async (links) => {
    const plan: ImportPlan = { ...(await readLinks(request, { links, on: ports.on })), links };
    const isAgreed = async (): Promise<boolean> => {
      links.settle();
      return (await agree(plan)) && links.count("create") > 0;
    };
    // Opening a service that was never used makes its data folder: a mere plan makes nothing.
    const isNew = isNothingThere(choice);
    if (isNew && !(await isAgreed())) return onEnd(plan, 0);
    const work = async (open: OpenClient): Promise<void> => {
      if (!isNew) await readKnown(open.client, links);
      let sent = 0;
      const send = async (link: PlannedLink): Promise<void> => {
        const fault = await makeLink(open, link);
        if (fault !== undefined) links.addFailed(link, fault);
        sent += 1;
        onSent();
      };
      if (isNew || (await isAgreed())) {
        await keepAddress(choice, ports);
        await open.client.eachWrite(links.wanted(), send, { signal: ports.signal });
      }
      onEnd(plan, sent);
    };
    await withClient(JOB, { ports, choice, log: makeLog() }, work);
  });
}
