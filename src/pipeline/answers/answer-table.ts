/** Responses of many forms as one table: a column per question, as respondents saw it. */
import type { FormResponse } from "../../api/form.ts";

export interface SentResponse {
  /** Of the form's row. */
  readonly key: string;
  readonly form: string;
  readonly response: FormResponse;
}

/** Cell of a table: images by the names of their files. */
export type AnswerCell = string | number | undefined;

interface Answer {
  readonly question: string;
  readonly type: string;
  readonly value: unknown;
}

const LIST_SEPARATOR = " | ";

/** Answers with their questions; a second question of the same words gets ` (2)`. */
export function toAnswers({ field_responses: fields }: FormResponse): Answer[] {
  const times = new Map<string, number>();
  return (fields ?? []).map(({ field_label: label, field_id: id, field_type: type, value }) => {
    const text = (label ?? "").trim() || id;
    const nth = (times.get(text) ?? 0) + 1;
    times.set(text, nth);
    return { question: nth === 1 ? text : `${text} (${nth})`, type: type ?? "", value };
  });
}

export const isImage = ({ type, value }: Answer): boolean =>
  type === "image" && typeof value === "string" && value !== "";

/** Texts and numbers as they are, `yes` and `no`, chosen values in one cell. */
export function toCell(value: unknown): AnswerCell {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "number" || typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(String).join(LIST_SEPARATOR);
  return JSON.stringify(value);
}

/** Beside the questions. */
const FIXED = ["form", "key", "submitted_at", "seconds", "response_id"] as const;

/** The columns of the table, in the order in which their questions were first seen. */
export class AnswerColumns {
  readonly #questions = new Map<string, number>();

  add(response: FormResponse): void {
    for (const { question } of toAnswers(response)) {
      if (!this.#questions.has(question)) this.#questions.set(question, this.#questions.size);
    }
  }

  get questions(): readonly string[] {
    return [...this.#questions.keys()];
  }

  /** A question that is called like a column of ours keeps its words, with a mark. */
  get header(): readonly string[] {
    const taken = new Set<string>(FIXED);
    return [...FIXED, ...this.questions.map((one) => (taken.has(one) ? `${one} (answer)` : one))];
  }

  toRow({ key, form, response }: SentResponse, images: ReadonlyMap<string, string>): AnswerCell[] {
    const cells: AnswerCell[] = this.questions.map(() => undefined);
    for (const { question, type, value } of toAnswers(response)) {
      const at = this.#questions.get(question);
      if (at === undefined) continue;
      const file = type === "image" ? images.get(String(value)) : undefined;
      cells[at] = file ?? toCell(value);
    }
    const seconds = response.completion_time_seconds ?? undefined;
    return [form, key, response.submitted_at ?? undefined, seconds, response.id, ...cells];
  }
}
