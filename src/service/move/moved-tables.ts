/** What belongs to a workspace, table by table, in an order that satisfies references. */

/** The store that a workspace is moved from, attached beside the one that it is moved to. */
export const SOURCE = "source";

export interface MovedTable {
  readonly table: string;
  /** Identifies a row; a row that exists already stays as it is. */
  readonly key: readonly string[];
  /** SQL for the rows to move: `s` is the row, `?` the workspace. */
  readonly owned: string;
  /** Values that no other row may have: otherwise it is a conflict. */
  readonly unique?: readonly (readonly string[])[];
  /** The column with the name that people know the row by, for conflicts. */
  readonly name?: string;
  /** Rows refer to each other: all are copied in one step. */
  readonly isWhole?: boolean;
}

const OF_WORKSPACE = "s.workspace_id = ?";
const OF_CODES = `s.code_id IN (SELECT id FROM ${SOURCE}.codes WHERE workspace_id = ?)`;
const LOGOS_OF = (table: string): string =>
  `SELECT json_extract(design, '$.logo') FROM ${SOURCE}.${table}`;

/** SQL: the slug of `s` belongs to a code of another workspace in the destination, and answers there. */
export const IS_LIVE_THERE =
  "EXISTS (SELECT 1 FROM main.codes AS m WHERE m.slug = s.slug AND m.workspace_id <> ?1)";

/** SQL: the slug of `s` belongs, or belonged, to something of another workspace in the destination. */
export const IS_HELD_THERE = `(
  ${IS_LIVE_THERE}
  OR EXISTS (SELECT 1 FROM main.kept_slugs AS m WHERE m.slug = s.slug AND m.workspace_id <> ?1))`;

/** SQL: the workspace `alias` has something whose Digital Link is printed: a product, or a code of one. */
export const hasDigitalLinks = (schema: string, alias: string): string => `(
  EXISTS (SELECT 1 FROM ${schema}.products AS p WHERE p.workspace_id = ${alias}.id)
  OR EXISTS (SELECT 1 FROM ${schema}.codes AS c
    WHERE c.workspace_id = ${alias}.id AND c.digital_link IS NOT NULL))`;

export const movedTables: readonly MovedTable[] = [
  {
    table: "workspaces",
    key: ["id"],
    owned: "s.id = ?",
    isWhole: true,
  },
  {
    table: "folders",
    key: ["id"],
    owned: OF_WORKSPACE,
    unique: [["workspace_id", "slug"]],
    name: "name",
    isWhole: true,
  },
  { table: "folder_leftovers", key: ["folder_id"], owned: OF_WORKSPACE },
  {
    table: "tags",
    key: ["id"],
    owned: OF_WORKSPACE,
    unique: [
      ["workspace_id", "title_key"],
      ["workspace_id", "slug"],
    ],
    name: "title",
  },
  { table: "templates", key: ["id"], owned: OF_WORKSPACE },
  { table: "products", key: ["id"], owned: OF_WORKSPACE, unique: [["path"]], name: "path" },
  {
    table: "product_links",
    key: ["id"],
    owned: `s.product_id IN (SELECT id FROM ${SOURCE}.products WHERE workspace_id = ?)`,
    unique: [["product_id", "link_type"]],
    name: "link_type",
  },
  {
    table: "logos",
    key: ["hash"],
    owned: `s.hash IN (
      ${LOGOS_OF("codes")} WHERE workspace_id = ?1 UNION ${LOGOS_OF("templates")} WHERE workspace_id = ?1
      UNION ${LOGOS_OF("code_history")} WHERE workspace_id = ?1)`,
  },
  {
    table: "codes",
    key: ["id"],
    owned: OF_WORKSPACE,
    unique: [["slug"], ["workspace_id", "created"]],
    name: "slug",
  },
  { table: "code_history", key: ["code_id", "n"], owned: OF_WORKSPACE },
  { table: "void_codes", key: ["code_id"], owned: OF_WORKSPACE },
  { table: "code_tags", key: ["code_id", "tag_id"], owned: OF_CODES },
  {
    table: "pages",
    key: ["id"],
    owned: OF_WORKSPACE,
    unique: [["slug"], ["workspace_id", "created"]],
    name: "slug",
  },
  {
    table: "forms",
    key: ["id"],
    owned: OF_WORKSPACE,
    unique: [["slug"], ["workspace_id", "created"]],
    name: "slug",
  },
  {
    table: "form_responses",
    key: ["id"],
    owned: `s.form_id IN (SELECT id FROM ${SOURCE}.forms WHERE workspace_id = ?)`,
    unique: [["ticket"], ["form_id", "created"]],
    name: "ticket",
  },
  {
    table: "kept_slugs",
    key: ["slug"],
    owned: `s.workspace_id = ?1 AND NOT ${IS_HELD_THERE}`,
    isWhole: true,
  },
  // The receiver that `serve` names has the workspace's id; it stays with the `serve` command that
  // set it.
  { table: "webhooks", key: ["id"], owned: `${OF_WORKSPACE} AND s.id <> s.workspace_id` },
];

/** What is counted before and after, in words for people. */
export const countedThings: readonly {
  readonly what: string;
  readonly table: string;
  /** Only some rows of the table. */
  readonly only?: string;
}[] = [
  { what: "codes", table: "codes", only: "s.kind = 'code'" },
  { what: "short links", table: "codes", only: "s.kind = 'link'" },
  { what: "folders", table: "folders" },
  { what: "tags", table: "tags" },
  { what: "tags on codes", table: "code_tags" },
  { what: "templates", table: "templates" },
  { what: "logos", table: "logos" },
  { what: "products", table: "products" },
  { what: "link types", table: "product_links" },
  { what: "pages", table: "pages" },
  { what: "forms", table: "forms" },
  { what: "answers to forms", table: "form_responses" },
  { what: "slugs kept of deleted codes", table: "kept_slugs" },
  { what: "receivers of webhooks", table: "webhooks" },
];
