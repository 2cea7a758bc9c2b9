/** One field of a public form as HTML; works without a script. */
import type { FormField } from "../../resources/forms/rows.ts";
import { escapeHtml } from "../html.ts";
import type { Words } from "../words/en.ts";
import { fill } from "../words/words.ts";
import { toMostSent } from "./answers.ts";
import { fieldRules, MAX_IMAGE_MB, PHONE_PATTERN, RATING_MAX, SCALE_MAX } from "./field-rules.ts";
import { headOf } from "../../../base/text/words.ts";

/** What is shown in a field in addition to the form's own content. */
export interface FieldState {
  readonly texts: readonly string[];
  /** Empty = no fault. */
  readonly fault: string;
  readonly words: Words;
}

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const toAttributes = (attributes: Attributes): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) =>
      value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`,
    )
    .join("");

/** Id of the element for the field's answer; in a group, of the first one. */
export const toElementId = ({ id }: FormField): string => `q-${id}`;
const toErrorId = ({ id }: FormField): string => `e-${id}`;
const toHintId = ({ id }: FormField): string => `h-${id}`;

const STAR =
  '<svg viewBox="0 0 24 24" width="36" height="36" aria-hidden="true" focusable="false"><path d="M12 2.5l2.9 6.2 6.8.9-5 4.7 1.3 6.7L12 17.7 6 21l1.3-6.7-5-4.7 6.8-.9z"/></svg>';

const toMark = ({ required }: FormField): string =>
  required ? ' <span class="mark" aria-hidden="true">*</span>' : "";

const hasHint = ({ placeholder, field_type: type }: FormField): boolean =>
  (placeholder ?? "") !== "" &&
  !["text", "email", "phone", "number", "textarea", "url", "select"].includes(type);

const toHint = (field: FormField): string =>
  hasHint(field)
    ? `<p class="hint" id="${toHintId(field)}" dir="auto">${escapeHtml(field.placeholder ?? "")}</p>`
    : "";

const toError = (field: FormField, { fault }: FieldState): string =>
  `<p class="error" id="${toErrorId(field)}"${fault === "" ? " hidden" : ""}>${escapeHtml(fault)}</p>`;

const toDescribedBy = (field: FormField): string =>
  [...(hasHint(field) ? [toHintId(field)] : []), toErrorId(field)].join(" ");

/** Attributes of every single control. */
const toShared = (field: FormField, { fault }: FieldState): Attributes => ({
  id: toElementId(field),
  name: field.id,
  required: field.required,
  "aria-describedby": toDescribedBy(field),
  "aria-invalid": fault === "" ? undefined : "true",
});

const inputs: Partial<Record<FormField["field_type"], Attributes>> = {
  text: { type: "text", dir: "auto" },
  email: { type: "email", autocomplete: "email" },
  phone: { type: "tel", autocomplete: "tel", pattern: PHONE_PATTERN },
  number: { type: "number", step: "any", inputmode: "decimal" },
  date: { type: "date", min: "0001-01-01", max: "9999-12-31" },
  time: { type: "time" },
  url: { type: "url", autocomplete: "url", pattern: "[hH][tT][tT][pP][sS]?://.+" },
  image: {
    type: "file",
    accept: "image/jpeg,image/png,image/webp,image/gif",
    "data-max-bytes": MAX_IMAGE_MB * 1024 * 1024,
  },
};

/** Types whose inputs take any text: their length is limited in browsers. */
const isTyped: ReadonlySet<FormField["field_type"]> = new Set([
  "text",
  "textarea",
  "email",
  "phone",
  "url",
]);

const toPlaceholder = (field: FormField): string | undefined =>
  hasHint(field) || (field.placeholder ?? "") === "" ? undefined : (field.placeholder ?? "");

function drawSelect(field: FormField, state: FieldState): string {
  const options = (field.options ?? []).map(
    ({ value, label }) =>
      `<option${toAttributes({ value, selected: state.texts.includes(value) })}>${escapeHtml(label)}</option>`,
  );
  const none = `<option value="">${escapeHtml(toPlaceholder(field) ?? state.words.form.choose)}</option>`;
  return `<select${toAttributes(toShared(field, state))}>${none}${options.join("")}</select>`;
}

function drawControl(field: FormField, state: FieldState): string {
  const { field_type: type } = field;
  if (type === "select") return drawSelect(field, state);
  const maxlength = isTyped.has(type) ? fieldRules[type].maxLength : undefined;
  const [sent = ""] = state.texts;
  // No person writes so much text: only as much is shown again as would be read.
  const text = headOf(sent, toMostSent(fieldRules[type].maxLength));
  const written = { ...toShared(field, state), maxlength, placeholder: toPlaceholder(field) };
  if (type === "textarea") {
    const attributes = toAttributes({ ...written, rows: 5, dir: "auto" });
    // HTML parsers drop the first line break after the tag.
    return `<textarea${attributes}>\n${escapeHtml(text)}</textarea>`;
  }
  const value = type === "image" || text === "" ? undefined : text;
  return `<input${toAttributes({ ...inputs[type], ...written, value })}>`;
}

interface Choice {
  readonly value: string;
  /** Finished HTML. */
  readonly label: string;
}

const numbers = (max: number): string[] => Array.from({ length: max }, (_, n) => String(n + 1));

const toChoice = ({ options = [], field_type: type }: FormField, { form }: Words): Choice[] => {
  if (type === "rating") {
    return numbers(RATING_MAX).map((value) => ({
      value,
      label: `${STAR}<span class="vh">${fill(form.stars, { n: value })}</span>`,
    }));
  }
  if (type === "scale")
    return numbers(SCALE_MAX).map((value) => ({ value, label: `<span>${value}</span>` }));
  if (type === "yes_no") {
    return [
      { value: "yes", label: `<span>${form.yes}</span>` },
      { value: "no", label: `<span>${form.no}</span>` },
    ];
  }
  return options.map(({ value, label }) => ({
    value,
    label: `<span dir="auto">${escapeHtml(label)}</span>`,
  }));
};

function drawGroup(field: FormField, state: FieldState): string {
  const isBox = field.field_type === "checkbox";
  const choices = toChoice(field, state.words).map(({ value, label }, index) => {
    const attributes = toAttributes({
      type: isBox ? "checkbox" : "radio",
      id: index === 0 ? toElementId(field) : undefined,
      name: field.id,
      value,
      required: field.required && !isBox,
      checked: state.texts.includes(value),
      "aria-invalid": state.fault === "" ? undefined : "true",
    });
    return `<label class="choice"><input${attributes}>${label}</label>`;
  });
  const described = toAttributes({
    "aria-describedby": toDescribedBy(field),
    // A group of boxes can't be marked as required: its label says so to screen readers.
    role: isBox ? undefined : "radiogroup",
    "aria-required": field.required && !isBox ? "true" : undefined,
  });
  const most =
    isBox && field.required ? `<span class="vh"> (${state.words.form.atLeastOne})</span>` : "";
  return `<fieldset${described}>
<legend dir="auto">${escapeHtml(field.label)}${toMark(field)}${most}</legend>
${toHint(field)}<div class="choices ${field.field_type}">${choices.join("")}</div>
${toError(field, state)}</fieldset>`;
}

const groups: ReadonlySet<string> = new Set(["radio", "checkbox", "rating", "scale", "yes_no"]);

/** The whole field: label, hint, control, what is wrong. */
export function drawField(field: FormField, state: FieldState): string {
  const { missing, invalid } = fieldRules[field.field_type];
  const box = toAttributes({
    class: state.fault === "" ? "field" : "field wrong",
    "data-field": toElementId(field),
    "data-missing": state.words.answer[missing],
    "data-invalid": state.words.answer[invalid],
    "data-one": field.required && field.field_type === "checkbox",
  });
  const inner = groups.has(field.field_type)
    ? drawGroup(field, state)
    : `<label for="${toElementId(field)}" dir="auto">${escapeHtml(field.label)}${toMark(field)}</label>
${toHint(field)}${drawControl(field, state)}
${toError(field, state)}`;
  return `<div${box}>\n${inner}\n</div>`;
}
