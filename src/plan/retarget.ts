/** A row of a retarget job against the code that it means: what changes. Pure. */
import { isOpenableUrl } from "../api/fields.ts";
import { AppError, type Problem } from "../base/errors.ts";
import { isUrl, withoutEndSlash } from "../base/text/url.ts";
import { quoteText } from "../base/text/words.ts";
import {
  columnsOf,
  readTemplate,
  renderTemplate,
  type TemplateContext,
} from "../job/template/template.ts";
import { matchKeys } from "../job/shapes/select-shapes.ts";
import type { SourceRow } from "../read/rows/rows.ts";
import type { Wanted } from "../state/row.ts";
import { toListedWish, type SelectedCode } from "./selected.ts";
import { toFolder } from "./wish.ts";

/** A code or short link that a row may mean. */
export interface TargetCode extends SelectedCode {
  readonly isLink: boolean;
}

type MatchKey = (typeof matchKeys)[number];

/** The manifest's fields for rows; texts are templates. */
interface TargetRules {
  readonly source: { readonly file: string };
  readonly match: { readonly by: readonly MatchKey[]; readonly value: string };
  /** Null or empty: no check. */
  readonly expect: string | null;
  /** Null: stays as it is. */
  readonly set: TargetWish;
}

/** How codes are looked up; a look-up of a name may find several. */
export interface CodeIndex {
  readonly byId: (id: string) => TargetCode | undefined;
  readonly byShortLink: (link: string) => readonly TargetCode[];
  readonly byName: (name: string) => readonly TargetCode[];
  /** The code that an earlier run found for a row; undefined where none did, or it is gone. */
  readonly before?: ((row: SourceRow) => CodeBefore | undefined) | undefined;
}

/** The code of a row in an earlier run. */
export interface CodeBefore {
  readonly code: TargetCode;
  /** A run gave the code what the row wanted then. */
  readonly isFinished: boolean;
}

/** What a row wants of its code; null leaves a field as it is. */
export interface TargetWish {
  readonly qrData: string | null;
  readonly displayName: string | null;
  readonly folder: string | null;
  readonly tags: readonly string[];
}

/** What is sent for a code; empty when nothing changes. */
export interface TargetChange {
  /** Fields of the code's update, the folder as path; those of a link are `qr_data` and `display_name`. */
  readonly fields: {
    readonly qr_data?: string;
    readonly display_name?: string;
    readonly folder?: string;
  };
  /** Titles that it lacks. */
  readonly tags: readonly string[];
}

export interface PlannedTarget {
  readonly code: TargetCode;
  /** The code as it is to be. */
  readonly wanted: Wanted;
  readonly change: TargetChange;
}

const CANDIDATES_SHOWN = 5;

const describe = ({ name, id, shortLink, isLink }: TargetCode): string =>
  `${isLink ? "short link " : ""}"${name}" (${id}${shortLink === null ? "" : `, ${shortLink}`})`;

const lookUps: Readonly<
  Record<MatchKey, (index: CodeIndex, value: string) => readonly TargetCode[]>
> = {
  id: (index, value) => [index.byId(value) ?? []].flat(),
  shortlink_url: (index, value) => index.byShortLink(value),
  display_name: (index, value) => index.byName(value),
};

/** What a list can name a code by, in words. */
const keyWords: Readonly<Record<MatchKey, string>> = {
  id: "id",
  shortlink_url: "short link",
  display_name: "name",
};

const orList = (words: readonly string[]): string =>
  [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" or ");

/** The one code that a value means, by the first field that fits; else what is wrong. */
export function findTarget(
  index: CodeIndex,
  by: readonly MatchKey[],
  value: string,
): TargetCode | { readonly message: string; readonly hint: string } {
  if (value.trim() === "")
    return { message: "must name a code, got nothing", hint: "fill the cell" };
  for (const key of by) {
    const found = lookUps[key](index, value);
    const [first] = found;
    if (first === undefined) continue;
    if (found.length === 1) return first;
    const shown = found.slice(0, CANDIDATES_SHOWN).map(describe).join("; ");
    const more = found.length > CANDIDATES_SHOWN ? "; …" : "";
    return {
      message: `must mean one code, got ${quoteText(value)}, the ${keyWords[key]} of several: ${shown}${more}`,
      hint: "write the id or the short link of the one that is meant",
    };
  }
  const keys = matchKeys.filter((key) => by.includes(key));
  const names = orList(keys.map((key) => keyWords[key]));
  return {
    message: `must name a code that exists, got ${quoteText(value)}: no code has this ${names}`,
    hint: `write the ${names} of a code that is there, or delete the row`,
  };
}

/** One address, however it is written: with or without the slash that an empty path has. */
export function isSameAddress(a: string, b: string): boolean {
  const [one, other] = [a.trim(), b.trim()];
  if (one === other) return true;
  return isUrl(one) && isUrl(other) && new URL(one).href === new URL(other).href;
}

const isSameName = (a: string, b: string | null): boolean =>
  a.normalize("NFC").trim() === b?.normalize("NFC").trim();

const fold = (tag: string): string => tag.normalize("NFC").trim().toLowerCase();

function toChange(code: TargetCode, wish: TargetWish): TargetChange {
  const { qrData, displayName, folder } = wish;
  const carried = new Set(code.tags.map(fold));
  return {
    fields: {
      ...(qrData !== null && qrData !== code.destination && { qr_data: qrData }),
      ...(displayName !== null && displayName !== code.name && { display_name: displayName }),
      ...(folder !== null && folder !== (code.folder?.path ?? "") && { folder }),
    },
    tags: wish.tags.filter((tag) => !carried.has(fold(tag))),
  };
}

/** True when a change asks for nothing. */
export const isNoChange = ({ fields, tags }: TargetChange): boolean =>
  Object.keys(fields).length === 0 && tags.length === 0;

/** True where a browser that opens `url` asks for this short link; its scheme and query don't count. */
function isAt(url: string, shortLink: string | null): boolean {
  if (shortLink === null || !isUrl(url) || !isUrl(shortLink)) return false;
  const [one, other] = [new URL(url), new URL(shortLink)];
  return one.host === other.host && withoutEndSlash(one.pathname) === other.pathname;
}

/** Changes that this code can't take. */
function findImpossible(code: TargetCode, { fields, tags }: TargetChange): string[] {
  const problems: string[] = [];
  const { qr_data: data } = fields;
  if (data !== undefined && !code.isDynamic) {
    problems.push(
      `a static code carries its destination in print: ${describe(code)} can't lead to ${quoteText(data)}`,
    );
  }
  if (data !== undefined && !isOpenableUrl(data)) {
    problems.push(`the new destination must be a URL, got ${quoteText(data)}`);
  }
  if (data !== undefined && isAt(data, code.shortLink)) {
    problems.push(`a code must not lead to its own short link: ${describe(code)}`);
  }
  if (code.isLink && (fields.folder !== undefined || tags.length > 0)) {
    problems.push(`a short link has neither folder nor tags: ${describe(code)}`);
  }
  return problems;
}

const toWanted = (code: TargetCode, wish: TargetWish, change: TargetChange): Wanted => ({
  ...toListedWish(code),
  qrData: wish.qrData ?? code.destination,
  displayName: wish.displayName ?? code.name,
  folder: wish.folder ?? code.folder?.path ?? null,
  tags: [...code.tags, ...change.tags],
});

/** What is wrong with a row, and in which column of its list. */
interface Fault {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly column?: string;
}

/** The header of a column, as the list has it. */
type ToHeader = (name: string, headers: readonly string[]) => string;

/** Plans rows one after another; remembers which code was named where. */
export class RetargetPlanner {
  readonly #job: TargetRules;
  readonly #index: CodeIndex;
  readonly #context: TemplateContext;
  readonly #toHeader: ToHeader;
  /** Of codes by their id, and of bad rows by what names their code. */
  readonly #lineOf = new Map<string, number>();
  readonly #badLineOf = new Map<string, number>();

  constructor(
    job: TargetRules,
    index: CodeIndex,
    context: TemplateContext,
    toHeader: ToHeader = (name) => name,
  ) {
    this.#job = job;
    this.#index = index;
    this.#context = context;
    this.#toHeader = toHeader;
  }

  /** The value by which a row names its code; undefined where it can't be made. */
  valueOf(row: SourceRow): string | undefined {
    try {
      return renderTemplate(this.#job.match.value, row.values, this.#context).trim();
    } catch {
      return undefined;
    }
  }

  add(row: SourceRow): PlannedTarget | { readonly problems: readonly Problem[] } {
    if (row.problems.length > 0) {
      // Mended, it would send the code elsewhere than a later row that names it.
      const value = this.valueOf(row) ?? "";
      if (value !== "" && !this.#badLineOf.has(value)) this.#badLineOf.set(value, row.line);
      return { problems: row.problems };
    }
    try {
      return this.#plan(row);
    } catch (error) {
      // A cell that doesn't fit the filter of a template.
      if (!(error instanceof AppError) || error.kind !== "input") throw error;
      return this.#bad(row, [error]);
    }
  }

  #plan(row: SourceRow): PlannedTarget | { readonly problems: readonly Problem[] } {
    const { match, expect } = this.#job;
    const render = (template: string): string =>
      renderTemplate(template, row.values, this.#context).trim();
    const { wish, problems } = this.#toWish(render);
    const value = render(match.value);
    const found = this.#find(row, value, wish);
    if (!("id" in found)) {
      return this.#bad(row, [
        this.#ofCell(row, { template: match.value, is: "match.value" }, found),
      ]);
    }
    const twice = this.#lineOf.get(found.id) ?? this.#badLineOf.get(value);
    if (twice !== undefined) {
      const message = `every code must be named once, got ${describe(found)} again (first on line ${twice})`;
      return this.#bad(row, [{ message, hint: "delete one of the two rows" }]);
    }
    this.#lineOf.set(found.id, row.line);
    const change = toChange(found, wish);
    const expected = expect === null ? "" : render(expect);
    const faults = [
      ...[...problems, ...findImpossible(found, change)].map((message): Fault => ({ message })),
      ...this.#findSurprise(row, found, { expected, change }),
    ];
    if (faults.length > 0) return this.#bad(row, faults);
    return { code: found, wanted: toWanted(found, wish, change), change };
  }

  #toWish(render: (template: string) => string) {
    const { set } = this.#job;
    const orNull = (template: string | null): string | null =>
      template === null ? null : render(template) || null;
    const folder = toFolder(orNull(set.folder) ?? "");
    const wish: TargetWish = {
      qrData: orNull(set.qrData),
      displayName: orNull(set.displayName),
      folder: folder.path,
      tags: [...new Set(set.tags.map(render).filter((tag) => tag !== ""))],
    };
    return { wish, problems: folder.problems };
  }

  /**
   * The code of a row. One that an earlier run has renamed is known by its row: its old name means no
   * code any more, or another one by now. Of a run that broke off it has its old name, or its new one
   * where only the answer was lost.
   */
  #find(row: SourceRow, value: string, wish: TargetWish): ReturnType<typeof findTarget> {
    const found = findTarget(this.#index, this.#job.match.by, value);
    const before = this.#index.before?.(row);
    if (before === undefined || ("id" in found && found.id === before.code.id)) return found;
    const { code, isFinished } = before;
    if (isNoChange(toChange(code, wish))) return code;
    if (!isFinished && isSameName(code.name, wish.displayName)) return code;
    if (!("id" in found)) return isFinished || isSameName(code.name, value) ? code : found;
    return {
      message: `must mean one code, got ${quoteText(value)}: this job found ${describe(code)} by it, and by now it is the name of ${describe(found)}`,
      hint: "write the id or the short link of the one that is meant",
    };
  }

  /**
   * The problem of a code that leads elsewhere than the row expects; a code that is changed already
   * has none.
   */
  #findSurprise(
    row: SourceRow,
    code: TargetCode,
    { expected, change }: { readonly expected: string; readonly change: TargetChange },
  ): Fault[] {
    if (expected === "" || isNoChange(change)) return [];
    if (isSameAddress(code.destination ?? "", expected)) return [];
    const of = { template: this.#job.expect ?? "", is: "expect" };
    return [
      this.#ofCell(row, of, {
        message: `must be where the code leads today, got ${expected}: it leads to ${code.destination ?? "nothing"}: ${describe(code)}`,
        hint: "look whether the code is the right one; then write where it leads today, or nothing to change it all the same",
      }),
    ];
  }

  /** Names the column that a field is made of; a field of several is named itself. */
  #ofCell(
    row: SourceRow,
    { template, is }: { readonly template: string; readonly is: string },
    { message, hint }: Fault,
  ): Fault {
    const [name, ...others] = columnsOf(readTemplate(template).template);
    const column = name === undefined ? "" : this.#toHeader(name, Object.keys(row.cells));
    return name === undefined || others.length > 0 || !(column in row.cells)
      ? { message: `${is} ${message}`, hint }
      : { message, hint, column };
  }

  #bad(row: SourceRow, problems: readonly Fault[]): { readonly problems: readonly Problem[] } {
    const { file } = this.#job.source;
    return {
      problems: problems.map(({ message, hint, column }) => ({
        message,
        hint,
        where: { file, line: row.line, ...(column !== undefined && { column }) },
      })),
    };
  }
}
