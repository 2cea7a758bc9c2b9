import { AppError } from "../base/errors.ts";
import { didYouMean } from "../base/text/suggest.ts";
import type { Template } from "../api/template.ts";
import { type Design, toTemplateFacts } from "../plan/looks.ts";
import type { StateRow } from "../state/row.ts";
import type { State } from "../state/state.ts";

/** Rows of a plan have no state yet. */
type Row = Pick<StateRow, "wanted"> & Partial<Pick<StateRow, "state" | "made">>;

/** With the other fields that the server shows. */
type Named = Pick<Template, "id" | "title"> & Readonly<Record<string, unknown>>;

/** Templates by the names that rows give them: their ids or titles. */
export interface Templates {
  /** The id on the server; the name itself for a template that is gone. */
  id(name: string): string;
  find(name: string): Named | undefined;
}

const metaOf = (name: string): string => `template ${name}`;

/** Keeps the designs of the templates that rows name: printing asks no server. */
export function rememberTemplates(state: State, rows: Iterable<Row>, templates: Templates): void {
  for (const name of toNames(rows).wanted) {
    const template = templates.find(name);
    if (template === undefined) continue;
    const facts = JSON.stringify(toTemplateFacts(template));
    if (state.meta(metaOf(name)) !== facts) state.setMeta(metaOf(name), facts);
  }
}

/** What codes of a template look like; undefined when no run has asked for it. */
export function recallTemplate(state: State, name: string): Design | undefined {
  const facts = state.meta(metaOf(name));
  return facts === undefined ? undefined : (JSON.parse(facts) as Design);
}

/**
 * Finds the templates that rows name, by id or title. The list is read only when a row names one.
 * Throws `manifest-invalid` for a name that the workspace doesn't have.
 */
export async function readTemplates(
  client: {
    templates(): AsyncIterable<Named> | Iterable<Named>;
  },
  rows: Iterable<Row>,
): Promise<Templates> {
  const { wanted, sent } = toNames(rows);
  const known = new Map<string, Named>();
  if (wanted.size + sent.size > 0) {
    for await (const template of client.templates()) {
      // The workspace's own come first and win over a built-in one of the same title.
      for (const name of [template.id, template.title]) {
        if (!known.has(name)) known.set(name, template);
      }
    }
  }
  for (const name of wanted) {
    if (known.has(name)) continue;
    throw noTemplate("code.design.template", name, known.values());
  }
  return { id: (name) => known.get(name)?.id ?? name, find: (name) => known.get(name) };
}

/** The refusal of a template that the workspace doesn't have; `known`: those that it has. */
export function noTemplate(
  field: string,
  name: string,
  known: Iterable<Pick<Named, "title">>,
): AppError {
  const titles = new Set(Array.from(known, ({ title }) => title));
  return new AppError(
    "manifest-invalid",
    `${field} must be a template of the workspace, got "${name}"`,
    { hint: didYouMean(name, [...titles]) || "it has none" },
  );
}

/** `sent`: with what rows in doubt were sent. It may be gone since; nothing new is made with it. */
function toNames(rows: Iterable<Row>): { wanted: Set<string>; sent: Set<string> } {
  const wanted = new Set<string>();
  const sent = new Set<string>();
  for (const row of rows) {
    const { template } = row.wanted.design;
    if (template !== undefined) wanted.add(String(template));
    const before = row.state === "doubt" ? row.made?.design["template"] : undefined;
    if (before !== undefined) sent.add(String(before));
  }
  return { wanted, sent };
}

/** Finds what bodies name by ids. */
export interface Ids {
  readonly templates: Templates;
}
