/**
 * Designs of codes that exist: what to send for one, whether a code has it already, and what puts
 * the old one back (docs/spec/api.md section 4.1, design). Pure.
 */
import { hasLogo, recoloredParts } from "../api/design.ts";
import { sha256 } from "../base/ids/ids.ts";

/** API field -> value; null takes a field back to its default. */
export type DesignFields = Readonly<Record<string, string | number | boolean | null>>;

/** Fields that name colours: compared as colours, not as text. */
const COLORS = new Set(["primary_color", "eye_color", "background_color", "frame_color"]);

/** Fields of a template that a design update takes (docs/spec/api.md section 2.3). */
const TEMPLATE_FIELDS = [
  "primary_color",
  "eye_color",
  "background_color",
  "frame_color",
  "pattern",
  "eye_style",
  "frame",
  "has_border",
  "text",
] as const;

/** These must be taken back where a template has none; colours of eyes and frame follow by themselves. */
const CLEARED = new Set(["background_color", "frame", "text"]);

/**
 * What lies beneath a design's own fields: the whole design of its template, as far as the API shows
 * it. That is all but its logo, and but colours that follow one of the design's own.
 */
export function toTemplateFields(
  template: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>> = {},
): DesignFields {
  const fields: Record<string, string | number | boolean | null> = {};
  const recolored: readonly string[] = recoloredParts(template, own);
  for (const field of TEMPLATE_FIELDS.filter((one) => !recolored.includes(one))) {
    const value = template[field];
    const isValue = typeof value === "string" || typeof value === "boolean";
    if (isValue && value !== "") fields[field] = value;
    else if (value !== undefined && CLEARED.has(field)) fields[field] = null;
  }
  return fields;
}

/** The defaults of a create's fields (docs/spec/api.md section 2.2). */
const DEFAULTS: DesignFields = {
  primary_color: "#111111",
  background_color: null,
  pattern: "Original",
  eye_style: "Square",
  frame: null,
  has_border: false,
  text: "",
  size: 220,
  logo_round: false,
};

export interface MadeDesign {
  /** As the code was made or restyled last; a template by its name. */
  readonly before: DesignFields;
  readonly wanted: DesignFields;
  /** The one that `wanted` names. */
  readonly template: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What gives a code of ours the design that its row wants: a design update knows no templates, and
 * what it does not name stays as it is. Fields that the row names no more go back to their defaults.
 */
export function toRestyle({ before, wanted, template }: MadeDesign): DesignFields {
  const { template: name, ...own } = wanted;
  const target: DesignFields = { ...(template && toTemplateFields(template, own)), ...own };
  const brought = before["template"] === undefined ? [] : TEMPLATE_FIELDS;
  const dropped = [...Object.keys(before), ...brought].filter(
    (field) => !Object.hasOwn(target, field),
  );
  const mayLoseLogo =
    dropped.includes("logo_url") ||
    dropped.includes("logo_file") ||
    (brought.length > 0 && name !== before["template"]);
  return {
    ...toDefaults(dropped, target),
    ...target,
    ...(mayLoseLogo && !hasLogo(target) && { remove_logo: true }),
  };
}

function toDefaults(dropped: readonly string[], target: DesignFields): DesignFields {
  // Both follow the modules' colour when that is sent without them.
  const follows = dropped.includes("eye_color") || dropped.includes("frame_color");
  const reset = follows ? [...dropped, "primary_color"] : dropped;
  const isOther = dropped.includes("error_correction");
  return {
    ...Object.fromEntries(Object.entries(DEFAULTS).filter(([field]) => reset.includes(field))),
    ...(isOther && { error_correction: hasLogo(target) ? "H" : "Q" }),
  };
}

/** True when the row's new template brings a logo, which no design update can give. */
export const needsTemplateLogo = ({ before, wanted, template }: MadeDesign): boolean =>
  template?.["has_logo"] === true && wanted["template"] !== before["template"] && !hasLogo(wanted);

/** A logo's bytes are kept out of plans and states: this stands for them. */
export const toLogoMark = (image: Uint8Array): string => `sha256:${sha256(image)}`;

/** Fields that the API never shows. */
const UNSEEN = new Set(["logo_file", "logo_url", "logo_base64", "logo_round"]);

const toFullColor = (text: string): string => {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/iu.exec(text);
  const [, r = "", g = "", b = ""] = short ?? [];
  return (short === null ? text : `#${r}${r}${g}${g}${b}${b}`).toLowerCase();
};

function isSame(field: string, a: unknown, b: unknown): boolean {
  const [one, other] = [a ?? null, b ?? null];
  if (COLORS.has(field) && typeof one === "string" && typeof other === "string") {
    return toFullColor(one) === toFullColor(other);
  }
  return one === other || (isNothing(one) && isNothing(other));
}

const isNothing = (value: unknown): boolean => value === null || value === "" || value === false;

/** The design after an update with these fields, as far as the API's document says it. */
function toExpected(design: DesignFields): DesignFields {
  const { primary_color: primary, remove_logo: isLogoRemoved, ...rest } = design;
  return {
    ...(primary !== undefined && {
      primary_color: primary,
      eye_color: primary,
      frame_color: primary,
    }),
    ...Object.fromEntries(
      Object.entries(rest).filter(([field, value]) => !(COLORS.has(field) && value === null)),
    ),
    ...(rest["background_color"] === null && { background_color: null }),
    ...(isLogoRemoved === true && { has_logo: false }),
  };
}

/**
 * True when a code certainly looks as the fields want it; `current` is what the server says of its
 * design. A logo can't be compared.
 */
export function isDesigned(
  current: Readonly<Record<string, unknown>>,
  design: DesignFields,
): boolean {
  return Object.entries(toExpected(design)).every(
    ([field, value]) =>
      !UNSEEN.has(field) && Object.hasOwn(current, field) && isSame(field, current[field], value),
  );
}

/** Fields that a design update takes and a code's design shows. */
const RESTORABLE = [
  ...TEMPLATE_FIELDS,
  "text_secondary",
  "error_correction",
  "logo_round",
] as const;

export interface UndoDesign {
  /** What is sent; empty when nothing is to be put back. `logo_file` stands for an image that a job set. */
  readonly patch: DesignFields;
  /** What can't be put back, in words. */
  readonly lost: readonly string[];
}

type Seen = Readonly<Record<string, unknown>>;

function undoLogo(before: Seen, after: Seen): UndoDesign {
  const had = before["has_logo"];
  const touched = ["logo_file", "logo_url", "logo_base64", "remove_logo"].some(
    (field) => (after[field] ?? false) !== false,
  );
  const [old, fresh] = [before["logo_file"], after["logo_file"]];
  if (!touched || (old !== undefined && old === fresh)) return { patch: {}, lost: [] };
  if (typeof old === "string") return { patch: { logo_file: old }, lost: [] };
  if (had === false) return { patch: { remove_logo: true }, lost: [] };
  const lost = had === true ? "its logo: the API doesn't give one out" : "whether it had a logo";
  return { patch: {}, lost: [lost] };
}

/**
 * What puts a design back. `before` and `after` are what the server said of the code's design, or
 * of `before` what this job had sent the last time; `after` also has the fields that were sent.
 */
export function toUndoDesign(before: Seen, after: Seen): UndoDesign {
  const patch: Record<string, string | number | boolean | null> = {};
  const lost: string[] = [];
  for (const field of RESTORABLE) {
    const isTouched = Object.hasOwn(after, field);
    if (!isTouched || isSame(field, before[field], after[field])) continue;
    if (!Object.hasOwn(before, field)) lost.push(field);
    else patch[field] = before[field] as string | number | boolean | null;
  }
  // A colour of the modules alone recolours eyes and frame, too.
  if (patch["primary_color"] !== undefined) {
    for (const field of ["eye_color", "frame_color"]) {
      if (before[field] !== undefined) patch[field] ??= before[field] as string | null;
    }
  }
  const logo = undoLogo(before, after);
  return { patch: { ...patch, ...logo.patch }, lost: [...lost, ...logo.lost] };
}

/** True when a design is still as a run left it: then nobody has changed it since. */
export function isUntouched(current: Seen, after: Seen): boolean {
  return [...RESTORABLE, "has_logo"].every(
    (field) => !Object.hasOwn(after, field) || isSame(field, current[field], after[field]),
  );
}

/** The design that an undo leaves of `after`: what can't be put back stays. */
function toUndone(after: Seen, { remove_logo: isRemoved, logo_file: logo, ...patch }: Seen): Seen {
  const hasLogo = isRemoved !== true && (logo !== undefined || after["has_logo"] === true);
  const { logo_round: isRound, ...design } = { ...after, ...patch };
  // Without a logo, the server tells of none that is round.
  return { ...design, has_logo: hasLogo, ...(hasLogo && { logo_round: isRound }) };
}

/**
 * True when a design shows nothing any more of what a run left of it: it is as before, or as an undo
 * leaves it that can't put back all.
 */
export function isRestored(
  current: Seen,
  { before, after }: { readonly before: Seen; readonly after: Seen },
): boolean {
  // Only a server tells of a logo, and it tells the whole design.
  if (before["has_logo"] !== undefined && isUntouched(current, before)) return true;
  if (after["has_logo"] === undefined) return false;
  return isUntouched(current, toUndone(after, toUndoDesign(before, after).patch));
}
