/**
 * How much of its limits an account uses; for the operator's account, also the size of the data
 * folder.
 */
import { quoteWord } from "../../../base/text/shell-words.ts";
import type { Quota } from "../../../service/http/rate-limit.ts";
import type { DataUse } from "../../../service/owner/use.ts";
import { Rows } from "../../view/list.tsx";
import { bytesIn, Command, countIn, type Fact, Facts, Moment } from "../../view/parts.tsx";
import type { Visit } from "../../visit.ts";

interface Line {
  readonly name: string;
  readonly used: number;
  readonly most: number | undefined;
}

const DAY_MS = 86_400_000;
/** A backup older than this is worth a warning. */
const OLD_DAYS = 7;

interface DataProps {
  readonly visit: Visit;
  readonly data: DataUse;
}

function LastBackup({ visit, data: { lastBackupMs } }: DataProps) {
  const { words, service } = visit;
  const { settings: said } = words;
  const days =
    lastBackupMs === undefined ? undefined : Math.floor((service.nowMs() - lastBackupMs) / DAY_MS);
  if (days === undefined) return <span class="state warn">{words.common.never}</span>;
  return (
    <>
      <Moment words={words} at={lastBackupMs} />
      {` · ${said.daysAgo(days)}`}
      {days >= OLD_DAYS ? (
        <>
          {" "}
          <span class="state warn">{said.noneLately(OLD_DAYS)}</span>
        </>
      ) : null}
    </>
  );
}

const toBackup = ({ folder }: DataUse): string =>
  ["makeready backup FOLDER", ...(folder === undefined ? [] : ["--data", quoteWord(folder)])].join(
    " ",
  );

function Data({ visit, data }: DataProps) {
  const { words } = visit;
  const { settings: said } = words;
  const { databaseBytes, freeBytes, isInFolder } = data;
  const free = isInFolder ? said.free : said.freeOfFolder;
  const facts: Fact[] = [
    [said.database, bytesIn(words)(databaseBytes)],
    ...(freeBytes === undefined ? [] : [[free, bytesIn(words)(freeBytes)] as const]),
    ...(isInFolder ? [[said.lastBackup, <LastBackup visit={visit} data={data} />] as const] : []),
  ];
  return (
    <>
      <h3>{said.data}</h3>
      <Facts facts={facts} />
      {isInFolder ? <Command words={words} text={toBackup(data)} /> : <p>{said.backUpElsewhere}</p>}
    </>
  );
}

/** A limit above this counts as none. */
const MOST_COUNTED = 900_000_000;

const toLine = (name: string, { limit, remaining }: Quota): Line => ({
  name,
  used: limit - remaining,
  most: limit > MOST_COUNTED ? undefined : limit,
});

export async function Limits({ visit }: { readonly visit: Visit }) {
  const { words, owner, session } = visit;
  const { settings: said } = words;
  const count = countIn(words);
  const use = await owner.use(session.workspaceId);
  const quotas = await owner.quotas();
  const lines: Line[] = [
    ...(quotas === undefined
      ? []
      : [toLine(said.reads, quotas.read), toLine(said.writes, quotas.write)]),
    { name: said.dynamicCodes, used: use.dynamicCodes, most: use.maxDynamicCodes },
    { name: said.allCodes, used: use.codes, most: undefined },
    { name: said.links, used: use.links, most: undefined },
    { name: said.pages, used: use.pages, most: use.maxPages },
    { name: said.forms, used: use.forms, most: undefined },
    { name: said.products, used: use.products, most: undefined },
  ];
  return (
    <>
      <h2 id="limits">{said.limits}</h2>
      <Rows
        label={said.limits}
        wide={false}
        items={lines}
        columns={[
          [
            said.thing,
            ({ name, used, most }) => (
              <>
                {name}
                {most === undefined || most === 0 ? null : (
                  <meter class="meter" min={0} max={most} value={used} aria-label={name} />
                )}
              </>
            ),
          ],
          [said.inUse, ({ used }) => count(used), "number"],
          [said.most, ({ most }) => (most === undefined ? said.unlimited : count(most)), "number"],
        ]}
      />
      <p class="soft">{said.counted}</p>
      {use.data === undefined ? null : <Data visit={visit} data={use.data} />}
    </>
  );
}
