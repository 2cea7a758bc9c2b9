/**
 * Scans of a workspace or of one code: by day, compared with the period before, by code, folder, place
 * and device.
 */
import type { ResponseOf } from "../../api/endpoints.ts";
import { Chart, type Day } from "../view/chart.tsx";
import { Rows } from "../view/list.tsx";
import { reply } from "../view/page.tsx";
import { Careful, Choice, countIn, dayIn, Tick, toSearch, Go } from "../view/parts.tsx";
import { replyCsv } from "../view/stream.ts";
import { param, query, type Screen, type Visit } from "../visit.ts";
import { nameOf } from "./codes/codes.tsx";

type Analytics = ResponseOf<"getAnalytics"> & Partial<ResponseOf<"getWorkspaceAnalytics">>;

interface Ranked {
  readonly name: string;
  readonly scans: number;
  readonly unique_scans: number;
}

const DAY_MS = 86_400_000;
const DAYS = ["7", "30", "90", "365"] as const;

interface Window {
  readonly days: number;
  readonly start: string;
  readonly end: string;
}

const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A window of days ending today; `back` moves it that many windows earlier. */
function toWindow(visit: Visit, back: number): Window {
  const days = Number(DAYS.find((one) => one === query(visit, "days")) ?? "30");
  const today = Math.floor(visit.service.nowMs() / DAY_MS) * DAY_MS;
  const last = today - back * days * DAY_MS;
  return { days, start: toDate(last - (days - 1) * DAY_MS), end: toDate(last) };
}

async function read(visit: Visit, { start, end }: Window): Promise<Analytics> {
  const { api, session } = visit;
  const id = param(visit, "id");
  const window = { start, end };
  return id === ""
    ? api("getWorkspaceAnalytics", {
        params: { workspace_id: session.workspaceId },
        query: { ...window, top: String(MOST.codes) },
      })
    : api("getAnalytics", { params: { qr_code_id: id }, query: window });
}

const toDays = ({ scans_by_day: days }: Analytics): readonly (Day & Ranked)[] =>
  (days ?? []) as readonly (Day & Ranked)[];

/** Scans of the window, and of the one before if wanted. */
interface Compared {
  readonly visit: Visit;
  readonly now: Analytics;
  readonly before: Analytics | undefined;
}

const Figures = ({ visit, now, before }: Compared) => {
  const { words } = visit;
  const { analytics: said } = words;
  const count = countIn(words);
  const share = new Intl.NumberFormat(words.language, {
    style: "percent",
    signDisplay: "exceptZero",
    maximumFractionDigits: 0,
  });
  const pairs = [
    [said.total, now.total_scans, before?.total_scans],
    [said.unique, now.unique_scans, before?.unique_scans],
  ] as const;
  return (
    <dl class="figures">
      {pairs.map(([name, value, old]) => (
        <div>
          <dt>{name}</dt>
          <dd>{count(value)}</dd>
          {old === undefined ? null : (
            <dd class="soft">
              <small>
                {`${said.before}: ${count(old)}${old === 0 ? "" : ` (${share.format(value / old - 1)})`}`}
              </small>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
};

interface RankedCode extends Ranked {
  /** The page that it leads to. */
  readonly to?: string;
  readonly shortLink?: string;
}

type RankedFolder = RankedCode & { readonly id: string };

/** Rows of a list at most: codes and folders; places and devices. */
const MOST = { codes: 25, others: 10 };

const Tops = ({
  visit,
  title,
  rows,
  most = MOST.others,
}: {
  readonly visit: Visit;
  readonly title: string;
  readonly rows: readonly RankedCode[];
  readonly most?: number;
}) => {
  const { words, base } = visit;
  const { analytics: said } = words;
  const count = countIn(words);
  if (rows.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      {rows.length < most ? null : <p class="soft">{said.most(count(most))}</p>}
      <Rows
        label={title}
        wide={false}
        items={rows}
        columns={[
          [
            said.name,
            ({ to, name, shortLink = "" }) =>
              to === undefined ? (
                name || said.unknown
              ) : (
                <>
                  <a href={`${base}${to}`}>{name}</a>
                  <div class="soft word">{shortLink}</div>
                </>
              ),
          ],
          [said.total, ({ scans }) => count(scans), "number"],
          [said.unique, ({ unique_scans: unique }) => count(unique), "number"],
        ]}
      />
    </>
  );
};

const ByDay = ({ visit, now, before }: Compared) => {
  const { words } = visit;
  const { analytics: said } = words;
  const count = countIn(words);
  const day = dayIn(words);
  const days = toDays(now);
  const old = before === undefined ? [] : toDays(before);
  const most = Math.max(0, ...days.map(({ scans }) => scans));
  return (
    <>
      <h2>{said.byDay}</h2>
      <Chart
        days={days}
        before={old}
        label={said.chart(days.length, count(most))}
        count={count}
        day={day}
      />
      {before === undefined ? null : <p class="soft">{said.dashed}</p>}
      <Careful title={said.table}>
        <Rows
          label={said.byDay}
          wide={false}
          items={days}
          columns={[
            [said.day, ({ date }) => day(date), "word"],
            [said.total, ({ scans }) => count(scans), "number"],
            [said.unique, ({ unique_scans: unique }) => count(unique), "number"],
          ]}
        />
      </Careful>
    </>
  );
};

const pathOfCode = (id: string): string => `/codes/${encodeURIComponent(id)}/analytics`;

const pathOf = (visit: Visit): string => {
  const id = param(visit, "id");
  return id === "" ? "/analytics" : pathOfCode(id);
};

async function toTitle(visit: Visit): Promise<string> {
  const { words, api } = visit;
  const id = param(visit, "id");
  if (id === "") return words.analytics.title;
  const code = await api("getCode", { params: { qr_code_id: id } });
  return words.analytics.of(nameOf(words, code));
}

const tops = (rows: unknown): readonly Ranked[] => (rows ?? []) as readonly Ranked[];

async function showAnalytics(visit: Visit): Promise<Response> {
  const { words, base } = visit;
  const { analytics: said } = words;
  const window = toWindow(visit, 0);
  const isCompared = query(visit, "compare") !== "";
  const title = await toTitle(visit);
  const now = await read(visit, window);
  const before = isCompared ? await read(visit, toWindow(visit, 1)) : undefined;
  const shortLinks = await readLinks(visit, now);
  const folders = await readFolders(visit, window);
  const codes = (now.top_codes ?? []).map((one) => ({
    to: shortLinks.get(one.id)?.isLink === true ? `/links/${one.id}` : pathOfCode(one.id),
    shortLink: shortLinks.get(one.id)?.address ?? "",
    name: nameOf(words, { display_name: one.display_name ?? "" }),
    scans: one.scans,
    unique_scans: one.unique_scans,
  }));
  const search = toSearch({ days: String(window.days) });
  const day = dayIn(words);
  const children = (
    <>
      <form class="search" method="get" action={`${base}${pathOf(visit)}`}>
        <Choice
          name="days"
          label={said.days}
          value={String(window.days)}
          options={DAYS.map((one) => [one, one] as const)}
          class="small"
        />
        <Tick name="compare" label={said.compare} checked={isCompared} />
        <button class="main">{said.show}</button>
      </form>
      <p class="soft">{said.window(day(window.start), day(window.end))}</p>
      <Figures visit={visit} now={now} before={before} />
      {now.total_scans === 0 ? <p>{said.nothing}</p> : null}
      <ByDay visit={visit} now={now} before={before} />
      <div class="actions">
        <Go href={`${base}${pathOf(visit)}.csv${search}`} text={said.csv} />
      </div>
      <Tops visit={visit} title={said.codes} rows={codes} most={MOST.codes} />
      <Tops visit={visit} title={said.folders} rows={folders} most={MOST.codes} />
      <Tops visit={visit} title={said.countries} rows={tops(now.top_countries)} />
      <Tops visit={visit} title={said.cities} rows={tops(now.top_cities)} />
      <Tops visit={visit} title={said.systems} rows={tops(now.top_os)} />
      <Tops visit={visit} title={said.browsers} rows={tops(now.top_browsers)} />
    </>
  );
  return reply(visit, { at: "analytics", title, children });
}

/** Only of a workspace, and only where scanned codes lie in folders. */
async function readFolders(visit: Visit, window: Window): Promise<readonly RankedFolder[]> {
  const { owner, session, words } = visit;
  if (param(visit, "id") !== "") return [];
  const found = await owner.folderScans(session.workspaceId, { ...window, most: MOST.codes });
  if (found.every(({ id }) => id === undefined)) return [];
  return found.map(({ id = "", path, scans, unique }) => ({
    id,
    ...(id === "" ? {} : { to: `/codes${toSearch({ folder: id })}` }),
    name: id === "" ? words.folders.unfiled : path,
    scans,
    unique_scans: unique,
  }));
}

type ShortLinks = Awaited<ReturnType<Visit["owner"]["shortLinks"]>>;

const readLinks = ({ owner }: Visit, { top_codes: codes }: Analytics): Promise<ShortLinks> =>
  owner.shortLinks((codes ?? []).map(({ id }) => id));

type TableRow = Partial<Ranked & Day & { display_name: string; id: string }>;

const rows = (what: string, all: unknown, links: ShortLinks = new Map()) =>
  ((all ?? []) as readonly TableRow[]).map((one) => [
    what,
    one.date ?? one.display_name ?? one.name ?? "",
    one.scans ?? 0,
    one.unique_scans ?? 0,
    one.id ?? "",
    links.get(one.id ?? "")?.address ?? "",
  ]);

interface Found {
  readonly now: Analytics;
  readonly links: ShortLinks;
  readonly folders: readonly RankedFolder[];
}

/**
 * Days, codes, folders, places and devices in one table: kind, name, counts; of codes and folders the
 * id; of codes the short link.
 */
async function* toTable({
  now,
  links,
  folders,
}: Found): AsyncGenerator<readonly (string | number)[]> {
  yield* rows("day", now.scans_by_day);
  yield* rows("code", now.top_codes, links);
  yield* rows("folder", folders);
  yield* rows("country", now.top_countries);
  yield* rows("city", now.top_cities);
  yield* rows("system", now.top_os);
  yield* rows("browser", now.top_browsers);
}

async function downloadCsv(visit: Visit): Promise<Response> {
  const window = toWindow(visit, 0);
  const now = await read(visit, window);
  const [links, folders] = [await readLinks(visit, now), await readFolders(visit, window)];
  return replyCsv(visit, "scans.csv", {
    header: ["what", "name", "scans", "unique_scans", "id", "short_link"],
    rows: toTable({ now, links, folders }),
  });
}

export const analytics: Screen = {
  get: {
    "/analytics": showAnalytics,
    "/analytics.csv": downloadCsv,
    "/codes/:id/analytics": showAnalytics,
    "/codes/:id/analytics.csv": downloadCsv,
  },
};
