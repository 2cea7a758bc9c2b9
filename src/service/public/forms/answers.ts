/** What was sent, checked field by field against the published form. */
import type { FormContent, FormField } from "../../resources/forms/rows.ts";
import type { AnswerValue, FieldAnswer } from "../../resources/forms/rows/responses.ts";
import { clean, fieldRules, type AnswerFault, type FieldRule } from "./field-rules.ts";

/** The content of a body: all texts of a name in order, and files that aren't empty. */
export interface Sent {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface Checked {
  /** In the order of the form; images are null until they are stored. */
  readonly answers: readonly FieldAnswer[];
  /** Field id -> what is wrong. */
  readonly faults: ReadonlyMap<string, AnswerFault>;
}

const isSeveral = (field: FormField): boolean => field.field_type === "checkbox";

/** Allowed white space around an answer. */
const MAX_AROUND = 1000;
/** A line break is sent as two characters and stored as one. */
export const toMostSent = (maxLength: number): number => 2 * maxLength + MAX_AROUND;

const findTextFault = ({ findFault, invalid }: FieldRule, text: string): AnswerFault =>
  findFault === undefined ? invalid : findFault(text);

/** The value of one field, or its fault. */
function readAnswer(
  field: FormField,
  texts: readonly string[],
): { readonly value: AnswerValue } | { readonly fault: AnswerFault } {
  const rule = fieldRules[field.field_type];
  const { maxLength, invalid, missing, read } = rule;
  if (texts.some((text) => text.length > toMostSent(maxLength))) return { fault: invalid };
  const given = texts.map(clean).filter((text) => text !== "");
  if (given.length === 0) return field.required ? { fault: missing } : { value: null };
  // One value, or as many as there are options.
  const most = isSeveral(field) ? (field.options ?? []).length : 1;
  const several = isSeveral(field) ? [...new Set(given)] : given;
  if (several.length > most) return { fault: invalid };
  if (several.some((text) => text.length > maxLength)) return { fault: invalid };
  const values = several.map(read(field));
  const unread = several[values.indexOf(undefined)];
  if (unread !== undefined) return { fault: findTextFault(rule, unread) };
  return { value: isSeveral(field) ? (values as string[]) : (values[0] ?? null) };
}

function readFile(field: FormField, { files }: Sent): ReturnType<typeof readAnswer> {
  const isMissing = field.required && !files.has(field.id);
  return isMissing ? { fault: fieldRules.image.missing } : { value: null };
}

/**
 * Names that are no field of the form are ignored: they may have been one when the page was opened.
 */
export function checkAnswers({ fields }: FormContent, sent: Sent): Checked {
  const faults = new Map<string, AnswerFault>();
  const answers = fields.map((field): FieldAnswer => {
    const answer =
      field.field_type === "image"
        ? readFile(field, sent)
        : readAnswer(field, sent.texts.get(field.id) ?? []);
    if ("fault" in answer) faults.set(field.id, answer.fault);
    return {
      field_id: field.id,
      field_label: field.label,
      field_type: field.field_type,
      value: "value" in answer ? answer.value : null,
    };
  });
  return { answers, faults };
}
