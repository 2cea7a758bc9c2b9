/** Tables by their columns, and lists page by page. */
import type { Child } from "hono/jsx";

import { limits } from "../../api/limits.ts";
import { page as pageOf, type Visit } from "../visit.ts";
import { Moment, Pager, Table } from "./parts.tsx";

/** Numbers are set right; words are not broken. */
type Look = "number" | "word";

/** What stands above it, and what it shows of an entry. */
export type Column<Item> = readonly [head: string, cell: (item: Item) => Child, look?: Look];

/** A column of buttons that change something; a token that may only read sees none. */
export const changing = <Item,>(
  { session }: Pick<Visit, "session">,
  column: Column<Item>,
): readonly Column<Item>[] => (session.caller.isReadOnly ? [] : [column]);

interface RowsProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  /** As of `Table`. */
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
  /** Below the console, with its query but `page`. */
  readonly path: string;
  readonly found: { readonly count: number; readonly results: readonly Item[] };
  /** Of the call; default: the API's own. */
  readonly pageSize?: number;
  /** What an empty list says. */
  readonly none: string;
}

/** Which page of a list is asked for, as a query of the API. */
export const pageQuery = (visit: Visit): { readonly page: string } => ({
  page: String(pageOf(visit)),
});

/** What stands in a list, which is not empty, and its pages. */
export function List<Item>({
  visit,
  path,
  found,
  pageSize = limits.pageSize,
  none,
  children,
}: ListProps<Item> & { readonly children?: Child }) {
  if (found.results.length === 0) return <p>{none}</p>;
  const { count } = found;
  return (
    <>
      {children}
      <Pager visit={visit} path={path} page={pageOf(visit)} pageSize={pageSize} count={count} />
    </>
  );
}

/** A list as a table. */
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

/** Who came last, of a code or a short link. */
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
      [words.code.device, ({ device }) => device],
    ]}
  />
);
