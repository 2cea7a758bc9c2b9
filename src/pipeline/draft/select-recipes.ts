/** Jobs over codes that exist, as `init` proposes them. Pure. */
import { linesOf } from "../../base/lines-of.ts";
import { noColumn, type Choices } from "./recipes.ts";
import type { Recipe } from "./draft.ts";

const ALL_CODES =
  "select: {}  # all codes of the workspace; { folder: Tables, subfolders: true, tags: [tables] } are fewer";
const SAFETY = "safety: { keep_previous: true, confirm_over: 20 }  # makeready undo puts it back";

export const draftRedesign = ({ name }: Choices): Recipe => ({
  kind: "redesign",
  key: undefined,
  caption: undefined,
  body: [
    ALL_CODES,
    'design: { primary_color: "#0a3d62" }  # what isn\'t named stays as it is',
    SAFETY,
  ],
  output: [`  dir: out/${name}`, "  files: [svg]", "  zip: true"],
});

const NO_CODES =
  'no column says which codes are meant: add one with their ids, short links or names, and name it in match.value instead of "code"';

export function draftRetarget(choices: Choices): Recipe {
  const { name, book, column } = choices;
  const fresh = column ?? book.find("new_url") ?? book.find("url");
  if (fresh === undefined) throw noColumn("new addresses", choices);
  const old = book.find("old_url");
  book.say(fresh, "new addresses", "set.qr_data");
  const url = book.use(fresh, { type: "url", isRequired: true });
  const before = old && old.header !== fresh.header ? old : undefined;
  if (before !== undefined) book.say(before, "addresses of today", "expect");
  const expected = before && book.use(before, { type: "url" });
  const code = book.take("code", "match.value", { isRequired: true }) ?? useFirst(book);
  if (code === undefined) book.guesses.push(NO_CODES);
  return {
    kind: "retarget",
    key: undefined,
    caption: undefined,
    body: linesOf(
      `match: { by: [id, shortlink_url, display_name], value: "{{ ${code ?? "code"} }}" }`,
      expected !== undefined &&
        `expect: "{{ ${expected} }}"  # a row fails whose code leads elsewhere today`,
      `set: { qr_data: "{{ ${url} }}" }`,
      SAFETY,
    ),
    output: [`  dir: out/${name}`, "  index: [csv]"],
  };
}

/** The first column that nothing uses: it must name the codes, by their short links if it holds addresses. */
function useFirst(book: Choices["book"]): string | undefined {
  const column = book.columns.find(({ type }) => type !== "url") ?? book.find("url");
  if (column === undefined) return undefined;
  book.say(column, "codes, by id, short link or name", "match.value");
  return book.use(column, { type: "text", isRequired: true });
}

export const draftReport = ({ name }: Choices): Recipe => ({
  kind: "report",
  key: undefined,
  caption: undefined,
  body: [
    ALL_CODES,
    "window: { days: 7, compare: previous }",
    "group_by: folder",
    "columns: [display_name, destination, scans, unique_scans, change]",
  ],
  output: [`  dir: "out/${name}/{{ date }}"`, "  formats: [xlsx, csv, html]"],
});

export const draftExport = (_choices: Choices): Recipe => ({
  kind: "export",
  key: undefined,
  caption: "{{ display_name }}",
  body: [ALL_CODES],
});
