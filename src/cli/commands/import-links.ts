/** Links of another service's export, under their slugs: plan first, then a yes, then they are made. */
import { badUsage } from "../../base/errors.ts";
import { EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import { toProgram } from "../../base/text/program-words.ts";
import { quoteWord, toCommandLine } from "../../base/text/shell-words.ts";
import { isUrl } from "../../base/text/url.ts";
import { formatCount, formatMany, quoteText } from "../../base/text/words.ts";
import { importLinks, type ImportPlan } from "../../pipeline/import/import-links.ts";
import { parseColumnChoice } from "../../pipeline/import/link-columns.ts";
import type { PlannedLink } from "../../pipeline/import/plan-links.ts";
import { refuseStore } from "../../pipeline/open.ts";
import {
  findOtherAddress,
  settleAddress,
  toAddressError,
} from "../../pipeline/address/public-address.ts";
import type { ServerChoice } from "../../pipeline/address/server.ts";
import { embeddedPort } from "../../service/embedded/embedded.ts";
import type { Call } from "../call.ts";
import { withMore } from "../views/lists.ts";
import { makePorts } from "../open-job.ts";
import { readSetting, requireDataDir } from "../settings.ts";

const SHOWN = 50;
const TOLD_EVERY = 100;
/** The API has no words for them. */
const LEFT_BEHIND = "clicks, tags, and the days on which the links were made";

/**
 * The public address is the one that the data folder keeps, unless another one is named. Throws `confirm-needed` where
 * links have another.
 */
async function readServer(call: Call): Promise<ServerChoice> {
  const [given, baseUrl] = [readSetting(call, "publicUrl"), readSetting(call, "baseUrl")];
  for (const one of [given, baseUrl]) {
    if (one !== undefined && !isUrl(one.text)) {
      throw badUsage(`${one.from} must be a URL, got ${one.text}`);
    }
  }
  if (baseUrl === undefined) refuseStore(call.context.env);
  const asked = {
    baseUrl: baseUrl?.text,
    dataDir: requireDataDir(call),
    given: given?.text,
    changesPublicUrl: false,
    limits: "off",
  } as const;
  const choice = await settleAddress(asked, embeddedPort);
  const other = findOtherAddress(choice);
  if (other === undefined) return choice;
  const change = ["serve", "--data", asked.dataDir, "--change-public-url", other.wanted];
  throw toAddressError(other, toCommandLine([...toProgram(call.context), ...change]));
}

const countTroubles = ({ links }: ImportPlan): number =>
  links.count("conflict") + links.count("refused");

const sayLink = ({ line, slug, reason }: Pick<PlannedLink, "line" | "slug" | "reason">): string =>
  `line ${line}, slug ${quoteText(slug)}: ${reason ?? ""}`;

function listPlan(plan: ImportPlan, { baseUrl, publicUrl }: ServerChoice): string[] {
  const { links, columns, unread } = plan;
  const wanted = links.count("create");
  const troubles = links.troubles(SHOWN).map((link) => `  ${link.action}: ${sayLink(link)}`);
  const named = Object.entries(columns).map(([role, header]) => `${role} = "${header}"`);
  return [
    `columns: ${named.join(", ")}`,
    ...unread.map(
      (header) =>
        `  not read: "${header}", which holds other links; short links that lead to the same place are made with --column ${quoteWord(`custom=${header}`)}`,
    ),
    `  ${formatMany(wanted, "link")} to make`,
    `  ${formatCount(links.count("there"))} there already, ${formatCount(links.count("repeated"))} twice in the file`,
    `  ${formatMany(links.count("conflict"), "conflict")}, ${formatCount(links.count("refused"))} refused`,
    `  on ${baseUrl ?? `the service of this computer, as ${publicUrl}/SLUG`}`,
    `  not moved: ${LEFT_BEHIND}`,
    ...withMore(troubles, countTroubles(plan), (left) => `  and ${left} more (--json lists all)`),
  ];
}

function showPlan(call: Call, plan: ImportPlan, choice: ServerChoice): void {
  if (!call.isJson) return call.say(...listPlan(plan, choice));
  call.json("columns", plan.columns);
  if (plan.unread.length > 0) call.json("unread", { columns: plan.unread });
  for (const link of plan.links.links()) call.json("link", link);
}

async function agree(call: Call, { links }: ImportPlan): Promise<boolean> {
  const wanted = links.count("create");
  const question = `make ${formatMany(wanted, "link")}?`;
  return wanted === 0 || call.agrees(question, "nothing was made; add --yes to make them");
}

function showEnd(call: Call, { links }: ImportPlan, sent: number): void {
  const failed = links.failedCount;
  const made = sent - failed;
  if (!call.isJson && sent > 0) call.say(`${formatMany(made, "link")} made`);
  for (const link of links.failed()) {
    const { line, slug, reason } = link;
    call.tell("failed", { line, slug, reason }, `  failed: ${sayLink(link)}`);
  }
  if (call.isJson) call.json("summary", { made, failed });
}

export async function importLinksFile(call: Call): Promise<number> {
  const file = call.resolve(call.require("a file", "makeready import-links links.csv"));
  const choice = await readServer(call);
  const columns = call.list("column").map(parseColumnChoice);
  let told = 0;
  let hasFailed = false;
  await importLinks({ file, columns, choice }, makePorts(call), {
    agree: async (plan) => {
      showPlan(call, plan, choice);
      return agree(call, plan);
    },
    onSent: () => {
      told += 1;
      if (told % TOLD_EVERY === 0) call.context.err(`${formatCount(told)} links\n`);
    },
    onEnd: (plan, sent) => {
      showEnd(call, plan, sent);
      hasFailed = countTroubles(plan) > 0 || plan.links.failedCount > 0;
    },
  });
  return hasFailed ? EXIT_ROWS_FAILED : 0;
}
