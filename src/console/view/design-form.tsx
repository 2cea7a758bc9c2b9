/** Fields of a design, with a drawing that follows them. */
import type { Child } from "hono/jsx";

import {
  errorCorrections,
  eyeStyles,
  frames,
  patterns,
  type DesignPatch,
} from "../../api/design.ts";
import { isHexColor, parseHexColor, toHexColor } from "../../base/color/color.ts";
import { DEFAULT_INK } from "../../base/color/contrast.ts";
import type { ShownDrawing } from "../../service/owner/port.ts";
import { keptOf, type ShownField, tickText, Was } from "../as-shown.tsx";
import { isTicked, keepsTyped, toWas, typed, type Part, type Visit } from "../visit.ts";
import { sayRefused } from "./page.tsx";
import { Choice, Field, Tick, Warned } from "./parts.tsx";

export type Design = Readonly<Record<string, unknown>>;

const COLORS = ["primary_color", "eye_color", "background_color", "frame_color"] as const;

/** What a field of a colour shows before one is chosen. */
const UNSET_COLORS: Readonly<Record<(typeof COLORS)[number], string>> = {
  primary_color: DEFAULT_INK,
  eye_color: DEFAULT_INK,
  background_color: "#ffffff",
  frame_color: DEFAULT_INK,
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A field of the sent form; undefined when it isn't there. */
type Read = (name: string) => string | undefined;

export const fromForm =
  ({ form }: Pick<Visit, "form">): Read =>
  (name) => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : undefined;
  };

export const fromQuery =
  ({ c }: Pick<Visit, "c">): Read =>
  (name) =>
    c.req.query(name)?.trim();

const CHOSEN = ["pattern", "eye_style", "frame", "text", "error_correction"] as const;

const CHOICES = {
  pattern: patterns,
  eye_style: eyeStyles,
  frame: frames,
  error_correction: errorCorrections,
} as const;

/** Makes the fields for `CHOICES`; `none` = the words for an empty choice. */
const chooser =
  (code: Visit["words"]["code"], at: (name: string) => string) =>
  (name: keyof typeof CHOICES, none?: string) => {
    const labels = {
      pattern: code.pattern,
      eye_style: code.eyes,
      frame: code.frame,
      error_correction: code.correction,
    };
    const options = CHOICES[name].map((one) => [one, code.lookOf(name, one)] as const);
    return (
      <Choice
        name={name}
        label={labels[name]}
        value={at(name)}
        options={none === undefined ? options : [["", none], ...options]}
      />
    );
  };

/**
 * The background is to be transparent. A colour that was chosen beside a box that was ticked already
 * counts: without script, nothing takes the tick away.
 */
function isCleared(read: Read): boolean {
  if (read("clear") === undefined) return false;
  const shown = read(toWas("background_color"));
  const isChosen = shown !== undefined && read("background_color") !== shown;
  return !isChosen || read(toWas("clear")) === "";
}

/** The design in the fields: an empty field means the default, a missing one says nothing. */
export function readDesign(read: Read): DesignPatch {
  const names = [...COLORS, ...CHOSEN].filter((name) => read(name) !== undefined);
  const patch = {
    ...Object.fromEntries(names.map((name) => [name, read(name) || null])),
    ...(isCleared(read) && { background_color: null }),
    ...(read("no_logo") !== undefined && { remove_logo: true }),
  };
  return patch;
}

/** For many codes: only what was chosen; everything else stays as it is in each. */
export function readChanges(read: Read): Readonly<Record<string, string>> {
  const names = [...COLORS.filter((name) => read(`set_${name}`) !== undefined), ...CHOSEN];
  return Object.fromEntries(
    names.map((name) => [name, read(name) ?? ""] as const).filter(([, value]) => value !== ""),
  );
}

/** Fields for `readChanges`. A colour counts only when ticked, since its field is never empty. */
export const ChangeFields: Part<{ readonly design: Design }> = ({ visit, design }) => {
  const { code, many } = visit.words;
  const at = (name: string): string => textOf(design[name]);
  const choose = chooser(code, at);
  return (
    <>
      <div class="fields">
        {COLORS.map((name) => (
          <div class="field">
            <Tick
              name={`set_${name}`}
              label={many.change(code.colors[name])}
              checked={design[`set_${name}`] !== undefined}
            />
            <input
              type="color"
              name={name}
              value={at(name) || UNSET_COLORS[name]}
              aria-label={code.colors[name]}
            />
          </div>
        ))}
      </div>
      <div class="fields">
        {choose("pattern", many.asItIs)}
        {choose("eye_style", many.asItIs)}
        {choose("frame", many.asItIs)}
        <Field
          name="text"
          label={code.frameText}
          value={at("text")}
          maxlength={200}
          hint={many.emptyText}
        />
        {choose("error_correction", many.asItIs)}
      </div>
    </>
  );
};

/** As browsers keep a colour: `#rrggbb`, in lower case. */
const toColor = (text: string): string =>
  isHexColor(text) ? toHexColor(parseHexColor(text)) : text;

const isColor = (name: string): boolean => COLORS.some((one) => one === name);

/** What the form shows in a field: one of a colour is never empty. */
const toShown = (design: Design, name: string): string =>
  isColor(name) ? toColor(textOf(design[name]) || "#ffffff") : textOf(design[name]);

const isClear = (design: Design): boolean => (design["background_color"] ?? null) === null;

/** The fields of a design that the form has, as they are now. */
export function toShownFields(
  visit: Visit,
  design: Design,
  labels: Readonly<Record<string, string>>,
): ShownField[] {
  const wanted = readDesign(fromForm(visit)) as Readonly<Record<string, string | null>>;
  const names = [...COLORS, ...CHOSEN].filter((name) => wanted[name] !== undefined);
  return names.map((name) => {
    const sent = wanted[name] ?? "";
    const one = { name, label: labels[name] ?? name, sent: isColor(name) ? toColor(sent) : sent };
    if (name !== "background_color") return { ...one, stored: toShown(design, name) };
    // A ticked box stands for no colour.
    const was = (keptOf(visit, "clear") ?? "") === "" ? keptOf(visit, name) : "";
    return { ...one, stored: toColor(textOf(design[name])), was };
  });
}

/** What the form shows, kept beside its fields. */
export const WasDesign: Part<{ readonly design: Design; readonly names?: readonly string[] }> = ({
  visit,
  design,
  names = [...COLORS, ...CHOSEN],
}) => (
  <>
    {names.map((name) => (
      <Was visit={visit} name={name} stored={toShown(design, name)} />
    ))}
    <Was visit={visit} name="clear" stored={tickText(isClear(design))} />
  </>
);

/** The design in an address, for its fields. */
export function designOf(visit: Pick<Visit, "c">): Design {
  const asked = Object.fromEntries(new URL(visit.c.req.url).searchParams);
  return isCleared(fromQuery(visit)) ? { ...asked, background_color: null } : asked;
}

export const DesignFields: Part<{ readonly design: Design }> = ({ visit, design }) => {
  const { code } = visit.words;
  const at = (name: string): string => typed(visit, name, textOf(design[name]));
  const choose = chooser(code, at);
  const isColorKept = keepsTyped(visit, "background_color") && !isCleared(fromForm(visit));
  const clear = !isColorKept && isTicked(visit, "clear", isClear(design));
  return (
    <>
      <div class="fields">
        {COLORS.map((name) => {
          const stored = toShown(design, name);
          const isHidden = clear && name === "background_color";
          return (
            <Field
              name={name}
              label={code.colors[name]}
              type="color"
              value={isHidden ? stored : typed(visit, name, stored)}
            />
          );
        })}
      </div>
      <Tick name="clear" label={code.clear} checked={clear} />
      <div class="fields">
        {choose("pattern")}
        {choose("eye_style")}
        {choose("frame", code.noFrame)}
        <Field name="text" label={code.frameText} value={at("text")} maxlength={200} />
        {choose("error_correction", code.usual)}
      </div>
      {design["has_logo"] === true ? (
        <Tick name="no_logo" label={code.noLogo} checked={isTicked(visit, "no_logo", false)} />
      ) : null}
    </>
  );
};

/** A drawing as a data address: an image runs no scripts. */
export const toPicture = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

export const Drawn: Part<{
  readonly drawn: ShownDrawing;
  readonly alt: string;
  readonly children?: Child;
}> = ({ visit, drawn, alt, children }) => (
  <div>
    <div class="picture">
      <img id="drawn" src={toPicture(drawn.svg)} alt={alt} width={220} height={220} />
    </div>
    <p id="said" class="said" role="status" aria-label={visit.words.code.says}>
      {drawn.scan_warnings?.map((line, at) => (
        <>
          {at === 0 ? "" : "\n"}
          <Warned words={visit.words} line={line} />
        </>
      ))}
    </p>
    {children}
  </div>
);

/** For the page's script: the drawing, or the reason why there is none. */
export async function replyDrawing(
  visit: Visit,
  draw: () => Promise<ShownDrawing>,
): Promise<Response> {
  try {
    const { svg, scan_warnings: says = [] } = await draw();
    return visit.c.json({ svg, says: says.map((line) => visit.words.warning(line) ?? line) });
  } catch (error) {
    const refused = visit.service.toRefused(error);
    if (refused === undefined) throw error;
    return visit.c.json({ says: refused.lines.map((line) => sayRefused(visit.words, line)) });
  }
}
