/** What becomes of each link of an export: pure. */
import { isOpenableUrl, slug as slugShape } from "../../api/fields.ts";
import { ownLimits } from "../../api/limits.ts";
import { isUrl } from "../../base/url.ts";

/** A row of the export, as read. */
export interface LinkRow {
  /** In the file, from 1. */
  readonly line: number;
  readonly slug: string;
  readonly destination: string;
  readonly title: string;
  /** ms since 1970; null where the file tells none. */
  readonly createdMs: number | null;
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

/** Slug -> where it leads in the workspace today. */
export type KnownLinks = ReadonlyMap<string, string>;

const toPlain = (text: string): string => (isUrl(text) ? new URL(text).href : text);

/** Addresses that browsers open alike are the same: `https://example.com` and `https://example.com/`. */
export const isSameTarget = (a: string, b: string): boolean => a === b || toPlain(a) === toPlain(b);

function findFault({ slug, destination }: LinkRow): string | undefined {
  if (slug === "") return "the row has no slug";
  if (!slugShape.safeParse(slug).success) {
    return "a slug must consist of 1 to 100 letters, digits and hyphens";
  }
  if (destination === "") return "the row leads nowhere";
  if (!isOpenableUrl(destination)) {
    return `where it leads must be a URL of at most ${ownLimits.maxUrl} characters`;
  }
  return undefined;
}

/** The first row of each slug decides, unless rows contradict each other: then none does. */
function findContradictions(rows: readonly LinkRow[]): ReadonlyMap<string, string> {
  const first = new Map<string, LinkRow>();
  const found = new Map<string, string>();
  for (const row of rows) {
    const before = first.get(row.slug);
    if (before === undefined) first.set(row.slug, row);
    else if (!isSameTarget(before.destination, row.destination)) {
      const lines = `lines ${before.line} and ${row.line}`;
      if (!found.has(row.slug)) found.set(row.slug, `${lines} lead to different places`);
    }
  }
  return found;
}

function planRow(
  row: LinkRow,
  {
    known,
    contradictions,
    seen,
  }: {
    readonly known: KnownLinks;
    readonly contradictions: ReadonlyMap<string, string>;
    readonly seen: ReadonlySet<string>;
  },
): PlannedLink {
  const fault = findFault(row);
  if (fault !== undefined) return { ...row, action: "refused", reason: fault };
  const contradiction = contradictions.get(row.slug);
  if (contradiction !== undefined) return { ...row, action: "conflict", reason: contradiction };
  if (seen.has(row.slug)) return { ...row, action: "repeated" };
  const there = known.get(row.slug);
  if (there === undefined) return { ...row, action: "create" };
  if (isSameTarget(there, row.destination)) return { ...row, action: "there" };
  return { ...row, action: "conflict", reason: `the workspace has it, leading to ${there}` };
}

/** Every row with what becomes of it, the oldest link first, so that lists keep their order. */
export function planLinks(rows: readonly LinkRow[], known: KnownLinks): PlannedLink[] {
  const good = rows.filter((row) => findFault(row) === undefined);
  const contradictions = findContradictions(good);
  const seen = new Set<string>();
  const ordered = rows.toSorted(
    (a, b) => (a.createdMs ?? 0) - (b.createdMs ?? 0) || a.line - b.line,
  );
  return ordered.map((row) => {
    const planned = planRow(row, { known, contradictions, seen });
    if (planned.action === "create" || planned.action === "there") seen.add(row.slug);
    return planned;
  });
}
