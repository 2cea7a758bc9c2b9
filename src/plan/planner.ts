/**
 * Compares rows, one after another, with the state: what to do, what it costs, what is wrong.
 * Remembers keys, names and groups; touches nothing outside.
 */
import { KEY_SEPARATOR, showKey } from "../base/shapes/row-key.ts";
import type { LabelProblem, Problem } from "../base/errors.ts";
import { isNumbered } from "../base/files/file-name.ts";
import { TextNumbers } from "../base/flow/text-numbers.ts";
import type { RowsJob } from "../job/job.ts";
import type { TemplateContext } from "../job/template/template.ts";
import type { SourceRow } from "../read/rows/rows.ts";
import type { BadRow, KnownRow, PlannedRow, Wanted } from "../state/row.ts";
import { compare, findImpossibleChange, type RowAction } from "./compare.ts";
import { toWishHashes } from "./hash.ts";
import { makeIdentifier, makeSameFinder, toOwnIdentity } from "./identity.ts";
import type { LogoOf } from "./logo.ts";
import { SAMPLE_ORIGIN, SAMPLE_PATH } from "./link-path.ts";
import { LookalikeKeys } from "./lookalike-keys.ts";
import { FreeNames, type LeftNames, type MadeNames, type OwnNames } from "./names.ts";
import { toStaticPayload } from "../api/payload.ts";
import { findMisfit } from "./payload.ts";
import { sayRow, toKeyHeaders, toKeyPlace, toRowPlace, toRowWord } from "./row-place.ts";
import { RowWarnings } from "./row-warnings.ts";
import { SharedNames } from "./shared-names.ts";
import type { GoneRow } from "./gone-row.ts";
import { NOTHING_GONE, Tally, type Gone, type PlanSummary } from "./tally.ts";
import { PLAIN_CODES, type PdfFacts, type ThingPlan } from "./thing.ts";
import { toSpared } from "./smaller.ts";
import { toWish, type Wish } from "./wish.ts";

export interface PlannerOptions {
  readonly job: RowsJob;
  /** What is specific to the kind of the job; left out for plain codes. */
  readonly thing?: ThingPlan | undefined;
  readonly known: (key: string) => KnownRow | undefined;
  /** What an earlier run made of the row; left out where none is asked for. */
  readonly madeOf?: ((key: string) => GoneRow | undefined) | undefined;
  /** Codes that exist, where it is planned as if none did; default: `known`. */
  readonly living?: ((key: string) => KnownRow | undefined) | undefined;
  /** True for a folder path whose id is remembered: it costs no call. */
  readonly hasFolder: (path: string) => boolean;
  readonly context: TemplateContext;
  /** What is wrong with a code of this QR version on the job's labels; left out without sheets. */
  readonly fits?: ((version: number) => Problem | undefined) | undefined;
  /** What is wrong with the texts of a label; left out where every text fits in some way. */
  readonly textsFit?:
    | ((label: {
        readonly texts: readonly string[];
        /** What the code will say; undefined while only the server knows. */
        readonly payload: string | undefined;
      }) => readonly Problem[])
    | undefined;
  /** What is wrong with the texts that a row's design shows; left out where designs show none. */
  readonly designFits?: ((wanted: Wanted) => readonly Problem[]) | undefined;
  /** Looks at the files that rows name as logos. */
  readonly logoOf?: LogoOf | undefined;
  /** Names that files have from earlier runs; left out where there are no files. */
  readonly made?:
    | ({
        /** Those of the row that `known` was asked for last. */
        readonly own: () => Pick<OwnNames, "planned" | "isBack">;
      } & MadeNames)
    | undefined;
  /** Rows that the server refused are tried again though nothing changed. */
  readonly retryFailed: boolean;
}

export type Planned =
  | {
      readonly good: true;
      readonly row: PlannedRow;
      readonly action: RowAction;
      /** Its files lie under another name. */
      readonly isRenamed?: boolean | undefined;
    }
  | { readonly good: false; readonly bad: BadRow };

export class Planner {
  readonly #options: PlannerOptions;
  readonly #identify: ReturnType<typeof makeIdentifier>;
  readonly #findSame: ReturnType<typeof makeSameFinder>;
  readonly #firstLine = new TextNumbers();
  readonly #names: FreeNames;
  readonly #ownLine = new TextNumbers();
  readonly #tally: Tally;
  readonly #warnings = new RowWarnings();
  readonly #sharedNames: SharedNames;
  readonly #lookalikes: LookalikeKeys;
  #seq = 0;
  #hasRenamed = false;
  /** Short link of the row that was planned last. */
  #link: string | null | undefined;

  constructor(options: PlannerOptions) {
    this.#options = options;
    this.#identify = makeIdentifier(options.job.source);
    this.#findSame = makeSameFinder(options.job.source);
    this.#names = new FreeNames(options.made);
    this.#tally = new Tally(options.job);
    this.#sharedNames = new SharedNames(options.job);
    this.#lookalikes = new LookalikeKeys(options.job.source);
  }

  /** Plans the next row of the source; `pdf`: the facts about its PDF. */
  add(row: SourceRow, pdf?: PdfFacts): Planned {
    const planned = this.#plan(row, pdf);
    if (planned.good) {
      const { row: made, action, isRenamed } = planned;
      this.#tally.good(made, action, { isRenamed, link: this.#link });
      return planned;
    }
    const { key } = planned.bad;
    const isKnown = key === undefined || this.#firstLine.has(key);
    const made = isKnown ? undefined : this.#options.madeOf?.(key);
    // Mended, it is the first of its key again: a later row of that key would lose its code to it.
    if (!isKnown) this.#firstLine.set(key, row.line);
    const told = made === undefined ? planned.bad : withMade(planned.bad, made);
    this.#tally.bad(told, made);
    return { good: false, bad: told };
  }

  /** Figures of all rows so far; `gone`: facts that only the state has. */
  summary(gone: Gone = NOTHING_GONE): PlanSummary {
    return this.#tally.summary(gone, this.#options.hasFolder);
  }

  /** True where a row so far is bad. */
  hasBad(): boolean {
    return this.#tally.hasBad();
  }

  /** True for a name that files of a good row so far have. */
  hasFile(name: string): boolean {
    return this.#names.isUsed(name);
  }

  /** Names that the same rows are to be planned without once more; undefined where there is none. */
  leftNames(): LeftNames | undefined {
    return this.#names.left();
  }

  /** True where files of a good row so far lie under another name. */
  get hasRenamed(): boolean {
    return this.#hasRenamed;
  }

  /** Warnings about good rows so far; each message once, at the first row that has it. */
  warnings(): Problem[] {
    return this.#warnings.list();
  }

  /** The same, and in how many rows more. */
  countedWarnings(): Problem[] {
    return this.#warnings.counted();
  }

  #plan(row: SourceRow, pdf: PdfFacts | undefined): Planned {
    const { job, thing = PLAIN_CODES, context, retryFailed } = this.#options;
    if (row.problems.length > 0) return bad(row, row.problems, this.#keyOfBad(row));
    const {
      wish: asked,
      problems,
      warnings,
    } = toWish(job, row, {
      // A getter, to note whether any row uses the date.
      get nowMs() {
        return context.nowMs;
      },
      timeZone: context.timeZone,
      language: context.language,
      pdf,
      toThing: thing.toThing,
      logoOf: this.#options.logoOf,
    });
    if (asked === undefined) return bad(row, problems, this.#keyOfBad(row));
    const key = this.#identify(row, asked);
    if (problems.length > 0) return bad(row, problems, key);
    const old = this.#know(key);
    const wish = this.#spare(asked, key, old);
    const misfits = this.#misfits(wish);
    if (misfits.length > 0)
      return bad(row, placeAt(row, misfits, job.source), key, toByLabel(misfits));
    const before = this.#firstLine.get(key);
    if (before !== undefined) return bad(row, [this.#duplicate(row, key, before)], key);
    const taken = this.#takeOwn(row, wish.wanted);
    if (taken !== undefined) return bad(row, [taken], key);
    this.#firstLine.set(key, row.line);
    const hashes = toWishHashes(wish.wanted);
    const impossible = this.#impossible(row, old, { key, wanted: wish.wanted, ...hashes });
    if (impossible !== undefined) return impossible;
    const kept = this.#findKept(row, old, wish.wanted);
    const near = this.#findNeighbours(row, key, asked);
    this.#warnings.add([...warnings, ...kept, ...near]);
    const action = compare(old, wish.wanted, hashes, { cost: thing.cost, retryFailed });
    const file = this.#toFreeFile(row, wish.filePath, old);
    return {
      good: true,
      action,
      isRenamed: this.#isRenamed(old, file),
      row: {
        key,
        seq: this.#seq++,
        line: row.line,
        cells: row.cells,
        wanted: wish.wanted,
        ...hashes,
        placing: {
          ...file,
          zip: this.#names.toGroup("zip", wish.zip),
          sheets: this.#names.toGroup("sheets", wish.sheets),
          caption: wish.caption,
          ...(wish.copies === undefined ? {} : { copies: wish.copies }),
        },
        again: action.again,
      },
    };
  }

  #know(key: string): KnownRow | undefined {
    const old = this.#options.known(key);
    this.#link = old?.shortLink;
    return old;
  }

  /** Earlier rows that this one is easily taken for. */
  #findNeighbours(row: SourceRow, key: string, wish: Wish): Problem[] {
    return [
      ...this.#findSame(row, wish),
      ...this.#lookalikes.find(row, key, (other) => this.#firstLine.get(other)),
      ...this.#sharedNames.find(row, wish.wanted),
    ];
  }

  /** The wish as the row's code was made, or is to be. */
  #spare(wish: Wish, key: string, old: KnownRow | undefined): Wish {
    const { job, living } = this.#options;
    const { compact: isCompact } = job.code;
    const known = living === undefined ? old : living(key);
    return { ...wish, wanted: toSpared(wish.wanted, { isCompact, known }) };
  }

  /** Problems of a row that does not fit its label. */
  #misfits({ wanted, caption }: Wish): readonly LabelProblem[] {
    const { fits, textsFit, designFits } = this.#options;
    const unfit = designFits?.(wanted) ?? [];
    const codes = [...unfit, ...(fits === undefined ? [] : findMisfit(wanted, fits))];
    if (textsFit === undefined) return codes;
    return [...codes, ...textsFit({ texts: caption, payload: toExpectedPayload(wanted) })];
  }

  /** A bad row whose key can be read has not vanished. */
  #keyOfBad(row: SourceRow): string | undefined {
    const { key } = this.#options.job.source;
    if (key.length === 0 || key.some((column) => (row.values[column] ?? "") === ""))
      return undefined;
    return key.map((column) => row.values[column]).join(KEY_SEPARATOR);
  }

  #duplicate(row: SourceRow, key: string, firstLine: number): Problem {
    const { source } = this.#options.job;
    return {
      message: `key [${toKeyHeaders(source, row).join(", ")}] must be unique, got "${showKey(key)}" again (first on ${toRowWord(source)} ${firstLine})`,
      where: toKeyPlace(source, row),
      hint: "change the cells that make the key, or delete one of the two rows",
    };
  }

  /** A slug, or a product, can be had by one row only; GS1 codes of one product must lead to one place. */
  #takeOwn(row: SourceRow, wanted: Wanted): Problem | undefined {
    const own = toOwnIdentity(wanted);
    if (own === undefined) return undefined;
    const before = this.#ownLine.get(own.id);
    if (before === undefined) {
      this.#ownLine.set(own.id, row.line);
      if (own.shared !== undefined) this.#ownLine.set(own.shared, row.line);
      return undefined;
    }
    if (own.shared !== undefined && this.#ownLine.get(own.shared) !== undefined) return undefined;
    const { source } = this.#options.job;
    return {
      message: `${own.says} must be in one row only, got it again (first on ${toRowWord(source)} ${before})`,
      where: toRowPlace(source, row),
      hint: "the two rows would be one on the server: change or delete one of them",
    };
  }

  /** Why the row's code can't become what it wants now. */
  #impossible(
    row: SourceRow,
    old: KnownRow | undefined,
    { key, wanted, wantedHash: hash }: Pick<PlannedRow, "key" | "wanted" | "wantedHash">,
  ): Planned | undefined {
    if (old?.state !== "done" || old.madeHash === hash || old.made === null) return undefined;
    const { findFixed } = this.#options.thing ?? PLAIN_CODES;
    const message = findImpossibleChange(old.made, wanted) ?? findFixed(old.made, wanted);
    if (message === undefined) return undefined;
    const { job } = this.#options;
    const fields = findOtherFields(old.made, wanted);
    const problem = { message, where: toRowPlace(job.source, row), hint: toWayBack(fields) };
    // A domain may come from a cell.
    const isByCell = fields.includes("code.domain") && job.code.domain?.includes("{{") === true;
    return bad(row, [problem], key, fields.length > 0 && !isByCell ? { isByManifest: true } : {});
  }

  /** Parts of the row's wish that its code can't take on. */
  #findKept(row: SourceRow, old: KnownRow | undefined, wanted: Wanted): Problem[] {
    const made = old?.state === "done" ? old.made : null;
    const kept = made === null ? undefined : this.#options.thing?.findKept?.(made, wanted);
    if (kept === undefined) return [];
    return [{ ...kept, where: toRowPlace(this.#options.job.source, row) }];
  }

  /** Its files lie under another name. */
  #isRenamed(old: KnownRow | undefined, { fileBase }: { readonly fileBase: string }): boolean {
    const isRenamed = (old?.artworkBase ?? fileBase) !== fileBase;
    this.#hasRenamed ||= isRenamed;
    return isRenamed;
  }

  #toFreeFile(row: SourceRow, wished: string, old: KnownRow | undefined) {
    const { made, job } = this.#options;
    const base = old?.artworkBase ?? null;
    const own = made && hasName(old) ? { base, ...made.own() } : undefined;
    const fileBase = this.#names.toFile(wished, own);
    if (fileBase === wished) return isNumbered(wished) ? { fileBase, wished } : { fileBase };
    const isNew = fileBase !== base;
    this.#tally.renamed({ wished, name: fileBase, row: sayRow(job.source, row) }, isNew);
    return { fileBase, wished };
  }
}

/** Files of the row have a name, or had it before its server lost the code. */
function hasName(old: KnownRow | undefined): boolean {
  if (old === undefined) return false;
  const { artworkBase = null, remoteId, state, parts } = old;
  if (artworkBase !== null || remoteId !== null) return true;
  return state !== "done" && (parts.deleted ?? []).some(({ was }) => was !== undefined);
}

/** The code may be in print: whoever mends its row must know that it goes on as it was. */
function withMade(row: BadRow, { id, shortLink }: GoneRow): BadRow {
  const code = shortLink === null ? `id ${id}` : `${shortLink}, id ${id}`;
  const says = `what an earlier run made of the row stays as it was: ${code}`;
  const last = row.problems.length - 1;
  const problems = row.problems.map((problem, at) =>
    at === last ? { ...problem, hint: [problem.hint, says].filter(Boolean).join("; ") } : problem,
  );
  return { ...row, problems };
}

/** Fields of the manifest that want another code than there is. */
const findOtherFields = (made: Wanted, wanted: Wanted): string[] => [
  ...(made.dynamic === wanted.dynamic ? [] : ["code.dynamic"]),
  ...(made.type === wanted.type ? [] : ["code.type"]),
  ...(made.domain === wanted.domain ? [] : ["code.domain"]),
];

/** Hints for a change that no code can make; the first one keeps the code that is in print. */
const toWayBack = (fields: readonly string[]): string =>
  fields.length === 0
    ? "put the old content back; a row with a new key makes a second code"
    : `put ${fields.join(" and ")} back in the manifest; a row with a new key makes a second code`;

/** Stands in for a short link: it holds no GS1 identifiers, whatever server makes it. */
const SAMPLE_SHORT_LINK = `${SAMPLE_ORIGIN}${SAMPLE_PATH}`;

/** What the code will say, as far as texts depend on it; undefined for the Digital Link of a server. */
function toExpectedPayload(wanted: Wish["wanted"]): string | undefined {
  if (wanted.type === "GS1") return undefined;
  return wanted.dynamic ? SAMPLE_SHORT_LINK : toStaticPayload(wanted);
}

function placeAt(
  row: SourceRow,
  problems: readonly Problem[],
  source: RowsJob["source"],
): Problem[] {
  const where = toRowPlace(source, row);
  return problems.map(({ message, hint }) => ({ message, hint, where }));
}

type By = Pick<BadRow, "isByManifest" | "isByLabel">;

const toByLabel = (misfits: readonly LabelProblem[]): By =>
  misfits.every(({ isByLabel }) => isByLabel === true) ? { isByLabel: true } : {};

function bad(
  row: SourceRow,
  problems: readonly Problem[],
  key: string | undefined,
  by: By = {},
): Planned {
  const { line, cells } = row;
  return { good: false, bad: { line, cells, problems, key, ...by } };
}
