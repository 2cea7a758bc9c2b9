/**
 * Citations of the specification in comments and titles: `docs/spec/print.md section 12, rule 25`,
 * `docs/spec/gs1.md sections 1 and 2`, `docs/spec/design.md promise 10`, or the file alone.
 */

const NUMBER = String.raw`\d+(?:\.\d+)*`;
const LIST = `${NUMBER}(?:(?:, and |, | and | to )${NUMBER})*`;
const CITATION = new RegExp(
  `docs/spec/([\\w-]+)\\.md(?: (section|promise)(s?) (%s|${LIST})(?:, rules? (${LIST}))?)?`,
  "gu",
);
/** Notes that once lay beside the repository, by their mere names. */
const NOTES = /(?<![\w./-])(?:engine|print|qr|jobs|gs1|design|api|api-v2|style)\.md/gu;
/** A section of no document, and what documents are called that are not ours. */
const BARE = new RegExp(`\\b[Ss]ections? ${NUMBER}|\\b[Pp]romises? \\d+`, "gu");
const NAMED =
  /(?:docs\/spec\/[\w-]+\.md|RFC \d+(?: and (?:RFC )?\d+)*,?|OAuth 2\.1|SVG 1\.1,?|PNG specification,?) $/u;

/** One place that is cited. */
export interface Citation {
  readonly page: string;
  readonly kind: "file" | "section" | "promise" | "rule";
  readonly number: string;
  /** The section that a rule stands in. */
  readonly within?: string;
}

/** Text without the ends of lines inside comments: a citation may go on in the next one. */
const flatten = (text: string): string => text.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/gu, " ");

const readNumbers = (list: string): string[] => list.match(new RegExp(NUMBER, "gu")) ?? [];

/** Every place that a text cites. */
export function readCitations(text: string): Citation[] {
  return [...flatten(text).matchAll(CITATION)].flatMap((match): Citation[] => {
    const [, page = "", kind, , list = "", rules = ""] = match;
    if (kind !== "section" && kind !== "promise") return [{ page, kind: "file", number: "" }];
    const numbers = readNumbers(list);
    const within = numbers[0] ?? "";
    return [
      ...numbers.map((number): Citation => ({ page, kind, number })),
      ...readNumbers(rules).map((number): Citation => ({ page, kind: "rule", number, within })),
    ];
  });
}

/** What looks like a citation and leads nowhere: a note's mere name, a section of no document. */
export function findDeadEnds(text: string): string[] {
  const flat = flatten(text);
  const bare = [...flat.matchAll(BARE)].filter(
    ({ index }) => !NAMED.test(flat.slice(Math.max(0, index - 60), index)),
  );
  const shared = flat.match(/\.\.\/shared\//gu) ?? [];
  return [...(flat.match(NOTES) ?? []), ...bare.map(([found]) => found), ...shared];
}

const sectionOf = (markdown: string, number: string): string | undefined => {
  const start = new RegExp(`^(#+) ${number.replaceAll(".", "\\.")} .*$`, "mu").exec(markdown);
  if (start === null) return undefined;
  const rest = markdown.slice(start.index + start[0].length);
  const end = new RegExp(`^#{1,${start[1]?.length ?? 1}} `, "mu").exec(rest);
  return rest.slice(0, end?.index);
};

/** True when the page has the place. */
export function hasPlace(markdown: string, { kind, number, within = "" }: Citation): boolean {
  if (kind === "file") return true;
  if (kind === "section") return sectionOf(markdown, number) !== undefined;
  if (kind === "promise") return new RegExp(`^### Promise ${number}: `, "mu").test(markdown);
  return new RegExp(`^(?:\\| ${number} \\||${number}\\. )`, "mu").test(
    sectionOf(markdown, within) ?? "",
  );
}

/** Tests that a page names: the file, and a title as the test writes it. */
export function readNamedTests(markdown: string): { file: string; title: string }[] {
  return markdown.split("\n").flatMap((line) => {
    let file = "";
    return [...line.matchAll(/`(test\/[^`]+)`|"([^"]*)"/gu)].flatMap(([, named, title]) => {
      if (named !== undefined) file = named;
      return title === undefined || file === "" ? [] : [{ file, title }];
    });
  });
}
