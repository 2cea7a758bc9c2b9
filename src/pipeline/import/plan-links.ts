/**
 * What becomes of each link of an export. Rows and links that the workspace has wait in a file without a name, so
 * that memory stays the same however many there are; it goes with the process.
 */
import { isOpenableUrl, slug as slugShape } from "../../api/fields.ts";
import { ownLimits } from "../../api/limits.ts";
import { reservedSlugs, SLUG_RESERVED } from "../../api/reserved-slugs.ts";
import { openSqlite, type Sqlite } from "../../base/sqlite/sqlite.ts";
import { isUrl } from "../../base/text/url.ts";

/** A row of the export, as read. */
export interface LinkRow {
  /** In the file, from 1. */
  readonly line: number;
  readonly slug: string;
  readonly destination: string;
  readonly title: string;
  /** ms since 1970; null where the file has none. */
  readonly createdMs: number | null;
  /** Why cells can't be read as they stand. */
  readonly cellFaults?: Readonly<Record<"slug" | "destination", string | undefined>>;
}

export type LinkAction =
  /** It is made. */
  | "create"
  /** The workspace has it, leading to the same place. */
  | "there"
  /** The file has it twice, leading to the same place. */
  | "repeated"
  /** Slug or destination can't be taken. */
  | "refused"
  /** The slug leads elsewhere: in the workspace, or in another row. */
  | "conflict";

export interface PlannedLink extends LinkRow {
  readonly action: LinkAction;
  /** Of a refusal or conflict: why. */
  readonly reason?: string;
}

/** A link that was to be made and is not there. */
export interface FailedLink {
  readonly line: number;
  readonly slug: string;
  readonly reason: string;
}

const toPlain = (text: string): string => (isUrl(text) ? new URL(text).href : text);

/** Addresses that browsers open alike are the same: `https://example.com` and `https://example.com/`. */
export const isSameTarget = (a: string, b: string): boolean => a === b || toPlain(a) === toPlain(b);

/** Empty when there is none. */
function findFault({ slug, destination, cellFaults }: LinkRow): string {
  if (cellFaults?.slug !== undefined) return cellFaults.slug;
  if (slug === "") return "the row has no slug";
  if (!slugShape.safeParse(slug).success) {
    return "a slug must consist of 1 to 100 letters, digits and hyphens";
  }
  if (reservedSlugs.has(slug.toLowerCase())) {
    return SLUG_RESERVED;
  }
  if (destination === "") return cellFaults?.destination ?? "the row leads nowhere";
  if (!isOpenableUrl(destination)) {
    return `where it leads must be a URL of at most ${ownLimits.maxUrl} characters`;
  }
  return "";
}

/** `plain` = the destination in its normal form; null where that is the destination itself. */
const TABLES = `
  PRAGMA synchronous=OFF;
  CREATE TABLE file (n INTEGER PRIMARY KEY, line INTEGER, slug TEXT, destination TEXT, title TEXT,
    created INTEGER, plain TEXT, fault TEXT NOT NULL);
  CREATE TABLE known (slug TEXT PRIMARY KEY, link TEXT, plain TEXT) WITHOUT ROWID;
  CREATE TABLE failed (n INTEGER PRIMARY KEY, line INTEGER, slug TEXT, reason TEXT)`;

const ADD_ROW = `INSERT INTO file (line, slug, destination, title, created, plain, fault) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const ADD_KNOWN = "INSERT OR REPLACE INTO known VALUES (?, ?, ?)";

/**
 * Where rows of one slug contradict each other, none of them counts. Otherwise the oldest does.
 * `ordered` has the oldest link first, so that lists keep their order.
 */
const PLAN = `
  CREATE INDEX file_slug ON file (slug, ifnull(created, 0), n) WHERE fault = '';
  CREATE TABLE contradicted (slug TEXT PRIMARY KEY, reason TEXT) WITHOUT ROWID;
  INSERT INTO contradicted
    SELECT file.slug, 'lines ' || first.line || ' and ' || min(file.line) || ' lead to different places'
    FROM (SELECT min(n) AS n FROM file WHERE fault = '' GROUP BY slug HAVING count(*) > 1) AS firsts
    JOIN file AS first ON first.n = firsts.n
    JOIN file ON file.slug = first.slug AND file.fault = ''
    WHERE ifnull(file.plain, file.destination) <> ifnull(first.plain, first.destination)
    GROUP BY file.slug;
  CREATE TABLE ordered (at INTEGER PRIMARY KEY, n INTEGER, action TEXT, reason TEXT);
  INSERT INTO ordered (n, action, reason)
    SELECT file.n,
      CASE
        WHEN file.fault <> '' THEN 'refused'
        WHEN ifnull(contradicted.slug, '') <> '' THEN 'conflict'
        WHEN ifnull(known.slug, '') <> '' AND ifnull(known.plain, known.link) <> ifnull(file.plain, file.destination)
          THEN 'conflict'
        WHEN EXISTS (SELECT 1 FROM file AS other WHERE other.slug = file.slug AND other.fault = ''
          AND (ifnull(other.created, 0), other.n) < (ifnull(file.created, 0), file.n)) THEN 'repeated'
        WHEN ifnull(known.slug, '') <> '' THEN 'there'
        ELSE 'create'
      END,
      CASE
        WHEN file.fault <> '' THEN file.fault
        WHEN ifnull(contradicted.slug, '') <> '' THEN contradicted.reason
        WHEN ifnull(known.plain, known.link) <> ifnull(file.plain, file.destination)
          THEN 'the workspace has it, leading to ' || known.link
      END
    FROM file
    LEFT JOIN contradicted ON contradicted.slug = file.slug AND file.fault = ''
    LEFT JOIN known ON known.slug = file.slug
    ORDER BY ifnull(file.created, 0), file.n;
  CREATE INDEX ordered_action ON ordered (action)`;

const LIST = `SELECT line, slug, destination, title, created AS "createdMs", action, reason
  FROM ordered JOIN file USING (n)`;

interface StoredLink extends LinkRow {
  readonly action: LinkAction;
  readonly reason: string | null;
}

const toLink = ({ reason, ...link }: StoredLink): PlannedLink =>
  reason === null ? link : { ...link, reason };

const toPlainOrNull = (text: string): string | null => {
  const plain = toPlain(text);
  return plain === text ? null : plain;
};

export class LinkPlan {
  readonly #rows: Sqlite;

  constructor() {
    this.#rows = openSqlite("");
    this.#rows.exec(TABLES);
    this.#rows.exec("BEGIN");
  }

  /** A row of the file, in its order. */
  addRow(row: LinkRow): void {
    const { line, slug, destination, title, createdMs } = row;
    const plain = toPlainOrNull(destination);
    this.#rows.run(ADD_ROW, line, slug, destination, title, createdMs, plain, findFault(row));
  }

  /** A link that the workspace has. */
  addKnown(slug: string, link: string): void {
    this.#rows.run(ADD_KNOWN, slug, link, toPlainOrNull(link));
  }

  /** Once all rows and links were added. */
  settle(): void {
    this.#rows.exec(PLAN);
    this.#rows.exec("COMMIT");
  }

  count(action: LinkAction): number {
    return this.#count("SELECT count(*) AS n FROM ordered WHERE action = ?", action);
  }

  /** Every row with what becomes of it, the oldest link first. */
  *links(): Generator<PlannedLink> {
    for (const row of this.#rows.iterate<StoredLink>(`${LIST} ORDER BY at`)) yield toLink(row);
  }

  /** Those that are made, in the order of their making. */
  *wanted(): Generator<PlannedLink> {
    const sql = `${LIST} WHERE action = 'create' ORDER BY at`;
    for (const row of this.#rows.iterate<StoredLink>(sql)) yield toLink(row);
  }

  /** The first conflicts and refusals. */
  troubles(most: number): PlannedLink[] {
    const sql = `${LIST} WHERE action IN ('conflict', 'refused') ORDER BY at LIMIT ?`;
    return this.#rows.all<StoredLink>(sql, most).map(toLink);
  }

  addFailed({ line, slug }: LinkRow, reason: string): void {
    this.#rows.run("INSERT INTO failed (line, slug, reason) VALUES (?, ?, ?)", line, slug, reason);
  }

  get failedCount(): number {
    return this.#count("SELECT count(*) AS n FROM failed");
  }

  *failed(): Generator<FailedLink> {
    yield* this.#rows.iterate<FailedLink>("SELECT line, slug, reason FROM failed ORDER BY n");
  }

  close(): void {
    this.#rows.close();
  }

  #count(sql: string, ...values: string[]): number {
    return this.#rows.get<{ n: number }>(sql, ...values)?.n ?? 0;
  }
}
