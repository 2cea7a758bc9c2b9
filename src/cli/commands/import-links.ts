/** Links of another service's export, under their slugs: plan first, then a yes, then they are made. */
import path from "node:path";

import { limits } from "../../api/limits.ts";
import { AppError } from "../../base/errors.ts";
import { isUrl } from "../../base/url.ts";
import { formatCount, formatMany, formatSeconds } from "../../base/words.ts";
import { importLinks, type ImportPlan } from "../../pipeline/import/import-links.ts";
import { parseColumnChoice } from "../../pipeline/import/link-columns.ts";
import type { PlannedLink } from "../../pipeline/import/plan-links.ts";
import { refuseStore } from "../../pipeline/open.ts";
import { settleAddress } from "../../pipeline/public-address.ts";
import type { ServerChoice } from "../../pipeline/server.ts";
import { embeddedPort } from "../../service/embedded/embedded.ts";
import { readFlag, readList, type CliContext, type Input } from "../context.ts";
import { EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { makeView } from "../make-view.ts";
import { makePorts } from "../open-job.ts";
import { readSetting, requireDataDir } from "../settings.ts";

const SHOWN = 50;
const TOLD_EVERY = 100;
/** The API has no words for them. */
const LEFT_BEHIND = "clicks, tags, and the days on which the links were made";

/** The public address is the one that the data folder keeps, unless another one is named. */
async function readServer(context: CliContext, input: Input): Promise<ServerChoice> {
  const given = readSetting(context, input, "publicUrl");
  const baseUrl = readSetting(context, input, "baseUrl");
  for (const one of [given, baseUrl]) {
    if (one !== undefined && !isUrl(one.text)) {
      throw new AppError("bad-usage", `${one.from} must be a URL, got ${one.text}`);
    }
  }
  if (baseUrl === undefined) refuseStore(context.env);
  const asked = {
    baseUrl: baseUrl?.text,
    dataDir: requireDataDir(context, input),
    given: given?.text,
    changesPublicUrl: false,
    limits: "off",
  } as const;
  return settleAddress(asked, embeddedPort);
}

const countTroubles = ({ links }: ImportPlan): number =>
  links.count("conflict") + links.count("refused");

const toTroubleLine = ({ action, line, slug, reason }: PlannedLink): string =>
  `  ${action}: line ${line}, slug ${JSON.stringify(slug)}: ${reason ?? ""}`;

function describeColumns({ columns }: ImportPlan): string {
  const named = Object.entries(columns).map(([role, header]) => `${role} = "${header}"`);
  return `columns: ${named.join(", ")}`;
}

function formatPlan(plan: ImportPlan, { baseUrl, publicUrl }: ServerChoice): string {
  const { links } = plan;
  const wanted = links.count("create");
  const more = countTroubles(plan) - SHOWN;
  const seconds = (wanted / limits.writesPerWindow) * 60;
  const pace = baseUrl === undefined ? "" : `, some ${formatSeconds(seconds)} at 60 a minute`;
  return `${[
    describeColumns(plan),
    `  ${formatMany(wanted, "link")} to make${pace}`,
    `  ${formatCount(links.count("there"))} there already, ${formatCount(links.count("repeated"))} twice in the file`,
    `  ${formatMany(links.count("conflict"), "conflict")}, ${formatCount(links.count("refused"))} refused`,
    `  on ${baseUrl ?? `the service of this computer, as ${publicUrl}/SLUG`}`,
    `  not moved: ${LEFT_BEHIND}`,
    ...links.troubles(SHOWN).map(toTroubleLine),
    ...(more > 0 ? [`  and ${formatCount(more)} more (--json lists all)`] : []),
  ].join("\n")}\n`;
}

function showPlan(context: CliContext, input: Input, plan: ImportPlan, choice: ServerChoice): void {
  if (!readFlag(input, "json")) return context.out(formatPlan(plan, choice));
  context.out(`${JSON.stringify({ type: "columns", ...plan.columns })}\n`);
  for (const link of plan.links.links())
    context.out(`${JSON.stringify({ type: "link", ...link })}\n`);
}

async function agree(context: CliContext, input: Input, plan: ImportPlan): Promise<boolean> {
  const wanted = plan.links.count("create");
  if (wanted === 0 || readFlag(input, "yes")) return true;
  if (context.ask !== undefined) return context.ask(`make ${formatMany(wanted, "link")}?`);
  context.err("nothing was made; add --yes to make them\n");
  return false;
}

function showEnd(context: CliContext, input: Input, { links }: ImportPlan, sent: number): void {
  const failed = links.failedCount;
  const isJson = readFlag(input, "json");
  if (!isJson && sent > 0) context.out(`${formatMany(sent - failed, "link")} made\n`);
  for (const { line, slug, reason } of links.failed()) {
    const told = isJson
      ? JSON.stringify({ type: "failed", line, slug, reason })
      : `  failed: line ${line}, slug ${JSON.stringify(slug)}: ${reason}`;
    context.out(`${told}\n`);
  }
  if (isJson) context.out(`${JSON.stringify({ type: "summary", made: sent - failed, failed })}\n`);
}

export async function importLinksFile(context: CliContext, input: Input): Promise<number> {
  if (input.argument === undefined) {
    throw new AppError("bad-usage", "a file must be named, got none", {
      hint: "makeready import-links links.csv",
    });
  }
  const choice = await readServer(context, input);
  const columns = readList(input, "column").map(parseColumnChoice);
  const file = path.resolve(context.cwd, input.argument);
  let told = 0;
  let hasFailed = false;
  await importLinks(
    { file, columns, choice },
    makePorts(context, makeView(context, input), input),
    {
      agree: async (plan) => {
        showPlan(context, input, plan, choice);
        return agree(context, input, plan);
      },
      onSent: () => {
        told += 1;
        if (told % TOLD_EVERY === 0) context.err(`${formatCount(told)} links\n`);
      },
      onEnd: (plan, sent) => {
        showEnd(context, input, plan, sent);
        hasFailed = countTroubles(plan) > 0 || plan.links.failedCount > 0;
      },
    },
  );
  return hasFailed ? EXIT_ROWS_FAILED : 0;
}
