/**
 * Codes whose design at the service differs from the one that their job prints, or that its files
 * show: it was changed since. Pictures of codes may show another one than both.
 */
import { isBlackish, isWhitish, parseHexColor, toHexColor } from "../../base/color/color.ts";
import { inParts } from "../../base/flow/parts.ts";
import type { PressWarning, PressWarningCode } from "../../base/shapes/press-warning.ts";
import { hasLogo, toLevel } from "../../api/design.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { type Design, plainLosses, toTemplateName, withTemplate } from "../../plan/looks.ts";
import type { Design as Drawn } from "../../qr/draw/design.ts";
import { recallTemplate } from "../../run/templates.ts";
import type { DesignedRow } from "../../state/listing.ts";
import type { State } from "../../state/state.ts";
import type { Ports } from "../ports.ts";
import type { ServerChoice } from "../address/server.ts";
import { NO_LOGO, PrintDesigns, SQUARE_LOGO } from "../stages/print-designs.ts";
import type { PlannedJob } from "./read-plan.ts";

/** A question about the codes of a job. */
export interface Asking {
  readonly job: RowJob;
  readonly server: ServerChoice;
  readonly ports: Pick<Ports, "server">;
  readonly state: State | undefined;
  /** Undefined where a run finds everything as it was. */
  readonly planned?: Pick<PlannedJob, "summary" | "spool"> | undefined;
  /** Gets what a run needs to know of pictures. */
  readonly pictures?: OtherPictures | undefined;
}

/** Pictures of codes whose design another job has changed. */
export interface OtherPictures {
  /** Row -> the design that a picture fetched now shows, as JSON, where it isn't the row's. */
  readonly drawnAs: Map<string, string>;
  /** Rows whose pictures show a design that the codes no longer have. */
  readonly stale: string[];
}

export const noPictures = (): OtherPictures => ({ drawnAs: new Map(), stale: [] });

const OF_PICTURES: PressWarningCode = "pictures-otherwise";

/** The warning about stale pictures: a run that fetches them anew has none. */
export const isOfPictures = ({ code }: PressWarning): boolean => code === OF_PICTURES;

const inkOf = (color: string): string => {
  const rgb = parseHexColor(color);
  return isBlackish(rgb) ? "black" : toHexColor(rgb);
};

const groundOf = (color: string | null): string =>
  color === null || isWhitish(parseHexColor(color)) ? "paper" : color.toLowerCase();

/**
 * What is compared, in the words of `plan/looks.ts`. Of a logo it is only known whether there is
 * one.
 */
const parts: Readonly<Record<string, (design: Drawn) => readonly unknown[]>> = {
  colours: ({ primaryColor, eyeColor }) => [inkOf(primaryColor), inkOf(eyeColor)],
  background: ({ backgroundColor }) => [groundOf(backgroundColor)],
  pattern: ({ pattern }) => [pattern],
  eyes: ({ eyeStyle }) => [eyeStyle],
  frame: ({ frame, hasBorder, frameColor }) =>
    frame === null ? [] : [frame, hasBorder, inkOf(frameColor)],
  "frame text": ({ text, textSecondary }) => [text, textSecondary],
  logo: ({ logo, logoRound }) => [logo !== null && logoRound, logo === null],
};

const differences = (one: Drawn, other: Drawn): string[] =>
  Object.entries(parts).flatMap(([name, of]) =>
    JSON.stringify(of(one)) === JSON.stringify(of(other)) ? [] : [name],
  );

const ROWS_KEPT = 5;

/** Codes that differ, counted by their differences. */
class Found {
  readonly #told = new Map<
    PressWarningCode,
    { count: number; rows: string[]; what: Set<string> }
  >();

  add(code: PressWarningCode, row: string, what: readonly string[]): void {
    const told = this.#told.get(code) ?? { count: 0, rows: [], what: new Set() };
    this.#told.set(code, told);
    told.count += 1;
    if (told.rows.length < ROWS_KEPT) told.rows.push(row);
    for (const one of what) told.what.add(one);
  }

  list(): PressWarning[] {
    return Array.from(this.#told, ([code, { what, ...told }]) => ({
      code,
      ...told,
      what: [...what],
    }));
  }
}

/** A job's design of a code. */
interface Own {
  /** Undefined where it isn't known, or this program can't draw it. */
  readonly drawn: Drawn | undefined;
  readonly isPlain: boolean;
}

/** Compares designs of rows with those of the service: most codes share a few. */
class Comparison {
  readonly #state: State;
  readonly #made = new PrintDesigns();
  readonly #own = new Map<string, Own>();
  readonly #pairs = new Map<string, WeakMap<Design, readonly string[]>>();

  constructor(state: State) {
    this.#state = state;
  }

  /** What differs; `own` as JSON. */
  differences(own: string, told: Design): readonly string[] {
    const pairs = this.#pairs.get(own) ?? new WeakMap<Design, readonly string[]>();
    this.#pairs.set(own, pairs);
    const known = pairs.get(told);
    if (known !== undefined) return known;
    const [here, there] = [this.#ownOf(own).drawn, this.#draw(told)];
    const found = here && there ? differences(here, there) : [];
    pairs.set(told, found);
    return found;
  }

  /** The job gave it plain black modules. */
  isPlain(own: string): boolean {
    return this.#ownOf(own).isPlain;
  }

  #ownOf(text: string): Own {
    const known = this.#own.get(text);
    if (known !== undefined) return known;
    const design = JSON.parse(text) as Design;
    const name = toTemplateName(design);
    const facts = name === undefined ? undefined : recallTemplate(this.#state, name);
    const whole = withTemplate(design, facts);
    const isUnknown = name !== undefined && facts === undefined;
    const own = {
      drawn: isUnknown ? undefined : this.#draw(whole),
      isPlain: plainLosses(whole).length === 0,
    };
    this.#own.set(text, own);
    return own;
  }

  #draw(design: Design): Drawn | undefined {
    const logo = hasLogo(design) ? { picture: SQUARE_LOGO } : NO_LOGO;
    return this.#made.of(design, toLevel({ design }), logo);
  }
}

/** Rows whose code the plan gives the design that they want. */
function findRestyled(state: State, planned: Asking["planned"]): ReadonlySet<string> {
  const found = new Set<string>();
  if (planned === undefined || planned.summary.restyles === 0) return found;
  for (const { key, designHash } of planned.spool.good()) {
    if (state.known(key)?.madeDesignHash !== designHash) found.add(key);
  }
  return found;
}

/** One text per look: most codes share a few. */
function makeTexts(): (design: Design) => string {
  const texts = new Map<string, string>();
  return (design) => {
    const text = JSON.stringify(design);
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
}

/** Rows whose sheets or pictures show another design than the service. */
class OtherLooks {
  readonly #comparison: Comparison;
  readonly #found = new Found();
  readonly #toText = makeTexts();
  readonly #isPlain: boolean;
  readonly #pictures: OtherPictures;

  constructor(state: State, isPlain: boolean, pictures = noPictures()) {
    this.#comparison = new Comparison(state);
    this.#isPlain = isPlain;
    this.#pictures = pictures;
  }

  add({ key, design, drawnAs, isPrinted }: DesignedRow, theirs: Design): void {
    const shown = drawnAs === null ? [] : this.#comparison.differences(drawnAs, theirs);
    if (shown.length > 0) {
      this.#found.add(OF_PICTURES, key, shown);
      this.#pictures.stale.push(key);
    }
    const what = this.#comparison.differences(design, theirs);
    if (what.length === 0) return;
    this.#pictures.drawnAs.set(key, this.#toText(theirs));
    const isBlack = this.#isPlain && this.#comparison.isPlain(design);
    const ofSheets = isBlack ? "codes-designed-since" : "codes-otherwise";
    const ofPictures = drawnAs === null ? "pictures-as-made" : "pictures-as-there";
    this.#found.add(isPrinted === 1 ? ofSheets : ofPictures, key, what);
  }

  list(): PressWarning[] {
    return this.#found.list();
  }
}

/** Asks the data folder of the embedded service; of other servers it is not known. */
export async function findOtherLooks(asking: Asking): Promise<PressWarning[]> {
  const { job, server, ports, state, planned } = asking;
  const { sheets, files } = job.output;
  const isSeen = sheets !== null || files.length > 0;
  if (server.baseUrl !== undefined || state === undefined || !isSeen) return [];
  const restyled = findRestyled(state, planned);
  const looks = new OtherLooks(state, (sheets?.codeStyle ?? null) === null, asking.pictures);
  for (const rows of inParts(state.listing.designed())) {
    const told = await ports.server.designs(
      server.dataDir,
      rows.map(({ id }) => id),
    );
    for (const row of rows) {
      const theirs = told.get(row.id);
      if (theirs !== undefined && !restyled.has(row.key)) looks.add(row, theirs);
    }
  }
  return looks.list();
}
