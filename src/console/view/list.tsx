/** Tables by their columns, and lists page by page. */
import type { Child } from "hono/jsx";

import { limits } from "../../api/limits.ts";
import { page as pageOf, type Visit } from "../visit.ts";
import type { Words } from "../words/words.ts";
import { Moment, Pager, PastEnd, Table } from "./parts.tsx";

/** Numbers are aligned right; words are not broken. */
type Look = "number" | "word";

/** Its heading, and what it shows of an entry. */
export type Column<Item> = readonly [head: string, cell: (item: Item) => Child, look?: Look];

/** A column of buttons that change something; left out for read-only tokens. */
export const changing = <Item,>(
  { session }: Pick<Visit, "session">,
  column: Column<Item>,
): readonly Column<Item>[] => (session.caller.isReadOnly ? [] : [column]);

interface RowsProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  /** As for `Table`. */
  readonly wide?: boolean;
}

export const Rows = <Item,>({ label, items, columns, wide = true }: RowsProps<Item>) => (
  <Table
    label={label}
    wide={wide}
    heads={columns.map(([head, , look]) => (look === "number" ? { number: head } : head))}
  >
    {items.map((item) => (
      <tr>
        {columns.map(([, cell, look]) => (
          <td class={look}>{cell(item)}</td>
        ))}
      </tr>
    ))}
  </Table>
);

interface ListProps<Item> {
  readonly visit: Visit;
  /** Path below the console, with its query except `page`. */
  readonly path: string;
  readonly found: { readonly count: number; readonly results: readonly Item[] };
  /** Page size of the call; default: the API's own. */
  readonly pageSize?: number;
  /** The text of an empty list. */
  readonly none: string;
}

/** The requested page of a list, as a query of the API. */
export const pageQuery = (visit: Visit): { readonly page: string } => ({
  page: String(pageOf(visit)),
});

/** The entries of a list that isn't empty, with links to its pages. */
export function List<Item>({
  visit,
  path,
  found,
  pageSize = limits.pageSize,
  none,
  children,
}: ListProps<Item> & { readonly children?: Child }) {
  const { count } = found;
  const pager = { visit, path, page: pageOf(visit), pageSize, count };
  if (found.results.length === 0) return count === 0 ? <p>{none}</p> : <PastEnd {...pager} />;
  return (
    <>
      {children}
      <Pager {...pager} />
    </>
  );
}

export const TableList = <Item,>({
  label,
  columns,
  ...list
}: ListProps<Item> & Pick<RowsProps<Item>, "label" | "columns">) => (
  <List {...list}>
    <Rows label={label} items={list.found.results} columns={columns} />
  </List>
);

interface Scan {
  readonly time_utc?: string | null | undefined;
  readonly location?: string | null | undefined;
  readonly device?: string | null | undefined;
}

/** `Mobile, iOS, Safari` in the language of the page. */
const sayDevice = (device: string | null | undefined, { code }: Words): string | null => {
  if (device === null || device === undefined) return null;
  const [kind = "", ...rest] = device.split(", ");
  return [code.lookOf("device", kind), ...rest].join(", ");
};

/** The latest scans of a code or short link. */
export const LastScans = ({
  visit: { words },
  title,
  scans,
}: {
  readonly visit: Visit;
  readonly title: string;
  readonly scans: readonly Scan[];
}) => (
  <Rows
    label={title}
    items={scans}
    columns={[
      [words.code.time, ({ time_utc: at }) => <Moment words={words} at={at} />, "word"],
      [words.code.place, ({ location }) => location],
      [words.code.device, ({ device }) => sayDevice(device, words)],
    ]}
  />
);
