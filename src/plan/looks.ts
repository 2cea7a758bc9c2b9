/** What a code's design shows, and which parts of it printed sheets don't. Pure. */
import { isBlackish as isDark, isWhitish as isLight, parseHexColor } from "../base/color/color.ts";
import type { PressWarning } from "../base/shapes/press-warning.ts";
import { type LookFields, hasLogo, recoloredParts } from "../api/design.ts";
import type { JobSheets } from "../job/job.ts";

/** Fields of a design (docs/spec/api.md section 2.2), a template's beneath its own. */
export type Design = LookFields;

/**
 * What a code may have beside whole black modules; `template NAME` and `design` where it isn't
 * known.
 */
export type Look =
  | "colours"
  | "background"
  | "pattern"
  | "eyes"
  | "frame"
  | "frame text"
  | "logo"
  | "design"
  /** Of codes that exist, before anybody looked. */
  | "unknown design"
  | `template ${string}`;

/** Fields of a template that decide how a code looks and how large it is. */
const TEMPLATE_FIELDS = [
  "primary_color",
  "eye_color",
  "background_color",
  "pattern",
  "eye_style",
  "frame",
  "text",
  "error_correction",
  "has_logo",
  "frame_color",
  "has_border",
  "text_secondary",
  "logo_round",
] as const;

/** The fields of a template that are kept, to know what its codes look like. */
export function toTemplateFacts(template: Design): Design {
  const told = TEMPLATE_FIELDS.filter((field) => template[field] !== undefined);
  return Object.fromEntries(told.map((field) => [field, template[field]]));
}

export function toTemplateName({ template }: Design): string | undefined {
  return typeof template === "string" ? template : undefined;
}

const isGiven = (value: unknown): value is string => typeof value === "string" && value !== "";

/** A text has a frame that shows it, whether one is named or not. */
const hasFrame = ({ frame, text }: Design): boolean => isGiven(frame) || isGiven(text);

/**
 * A design with what its template brings; parts in the colour of its modules follow the design's.
 * Finished sheets are recognised by all colours: that of a frame which isn't drawn stays as it is.
 */
export function withTemplate(design: Design, facts: Design | undefined): Design {
  if (facts === undefined) return { ...design };
  const isFramed = hasFrame({ ...facts, ...design });
  const recolored: readonly string[] = recoloredParts(facts, design).filter(
    (part) => part !== "frame_color" || isFramed,
  );
  const kept = Object.entries(facts).filter(([field]) => !recolored.includes(field));
  return { ...Object.fromEntries(kept), ...design };
}

export const isBlackish = (color: string): boolean => isDark(parseHexColor(color));
const isWhitish = (color: string): boolean => isLight(parseHexColor(color));

const colorsOf = (design: Design): string[] =>
  [design["primary_color"], design["eye_color"]].filter(isGiven);

/** What a design asks for beside whole black modules. */
function looksOf(design: Design): Look[] {
  const { pattern, eye_style: eyes, frame, text, background_color: ground } = design;
  return [
    ...(colorsOf(design).some((color) => !isBlackish(color)) ? (["colours"] as const) : []),
    ...(isGiven(ground) && !isWhitish(ground) ? (["background"] as const) : []),
    ...(isGiven(pattern) && pattern !== "Original" ? (["pattern"] as const) : []),
    ...(isGiven(eyes) && eyes !== "Square" ? (["eyes"] as const) : []),
    ...(isGiven(frame) ? (["frame"] as const) : []),
    ...(isGiven(text) ? (["frame text"] as const) : []),
    ...(hasLogo(design) ? (["logo"] as const) : []),
  ];
}

type Printing = Pick<JobSheets, "print" | "artwork" | "artworkInks" | "codeStyle"> &
  Partial<Pick<JobSheets, "application">>;

/** A drawing with these is more than a code: sheets draw the code from its text. */
const UNPRINTABLE: readonly Look[] = ["frame", "frame text", "logo"];

function isShown(
  look: Look,
  design: Design,
  { artwork, artworkInks, codeStyle }: Printing,
): boolean {
  if (artwork === "server") {
    if (look !== "colours") return look === "pattern" || look === "eyes";
    return colorsOf(design).every(
      (color) => isBlackish(color) || Object.hasOwn(artworkInks, color.toLowerCase()),
    );
  }
  if (codeStyle === null) return false;
  // Inks were chosen by a person who knows the colours.
  if (look === "colours") return true;
  if (look === "pattern") return codeStyle.pattern === design["pattern"];
  return look === "eyes" && codeStyle.eyes === design["eye_style"];
}

/** Parts of a design that the sheets don't show. */
export function lostLooks(design: Design, sheets: Printing): Look[] {
  if (sheets.print === "designed") return [];
  const looks = looksOf(design);
  const isRedrawn = sheets.artwork === "server" && looks.some((look) => UNPRINTABLE.includes(look));
  return isRedrawn ? looks : looks.filter((look) => !isShown(look, design, sheets));
}

/** True where codes are whole modules in black, whatever their design. */
const isPlain = ({ print, artwork, codeStyle }: Printing): boolean =>
  print === "plain" && artwork === "redraw" && codeStyle === null;

/** What a design has that whole black modules don't show. */
export const plainLosses = (design: Design): Look[] =>
  lostLooks(design, { print: "plain", artwork: "redraw", artworkInks: {}, codeStyle: null });

/** The design isn't known: the code is printed plain black. */
const isUnknown = (look: Look): boolean =>
  look === "design" || look === "unknown design" || look.startsWith("template ");

const ROWS_KEPT = 5;

interface Lost {
  readonly what: Set<Look>;
  readonly rows: string[];
  count: number;
}

/** Counts codes by the parts that the sheets don't show. */
export class LookTally {
  readonly #sheets: Printing;
  readonly #lost = new Map<"codes-plain" | "codes-simpler", Lost>();

  constructor(sheets: Printing) {
    this.#sheets = sheets;
  }

  add(row: string, lost: readonly Look[]): void {
    this.addAll({ rows: [row], count: 1 }, lost);
  }

  /** Codes of one look; `rows` are the first of them. */
  addAll(
    { rows, count }: { readonly rows: readonly string[]; readonly count: number },
    lost: readonly Look[],
  ): void {
    if (lost.length === 0) return;
    const isDesigned = this.#sheets.print === "designed";
    const code =
      isPlain(this.#sheets) || (isDesigned && lost.some(isUnknown))
        ? "codes-plain"
        : "codes-simpler";
    const found = this.#lost.get(code) ?? { what: new Set(), rows: [], count: 0 };
    this.#lost.set(code, found);
    found.count += count;
    found.rows.push(...rows.slice(0, Math.max(0, ROWS_KEPT - found.rows.length)));
    for (const look of lost) found.what.add(look);
  }

  list(): PressWarning[] {
    return Array.from(this.#lost, ([code, { count, rows, what }]) => ({
      code,
      count,
      rows,
      what: [...what],
      ...(this.#sheets.application === "gs1-pos" && { isForTills: true }),
    }));
  }
}
