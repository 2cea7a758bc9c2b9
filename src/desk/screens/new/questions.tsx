/** The two questions of a form whose spreadsheet has none: prefilled in the language of the page. */
import { badUsage, type Problem } from "../../../base/errors.ts";
import { checkColumnUses } from "../../../job/template/column-uses.ts";
import { placeholdersOf, readTemplate } from "../../../job/template/template.ts";
import type { Asked } from "../../../pipeline/draft/things.ts";
import type { Part } from "../../view/part.ts";
import type { Words } from "../../words/words.ts";

const fields = { rating: "ask_rating", text: "ask_text" } as const;
const MOST_LETTERS = 200;

/** As a form has sent them; those that it did not show are the words of the page. */
export function readQuestions(
  form: Readonly<Record<string, unknown>>,
  { wizard: { questions } }: Words,
): Asked {
  const read = (name: keyof Asked): string => {
    const [sent = questions[name]] = [form[fields[name]]].flat();
    return typeof sent === "string" ? sent.trim() : questions[name];
  };
  return { rating: read("rating"), text: read("text") };
}

/** Why a text can't be a template, or names no column; undefined for a good one. */
function findFault(
  text: string,
  columns: readonly string[],
): Pick<Problem, "message" | "hint"> | undefined {
  const { template, faults } = readTemplate(text);
  const uses = placeholdersOf(template).map(({ column }) => ({ column, field: "", where: {} }));
  const [unknown] = checkColumnUses(uses, columns);
  if (faults.length > 0 || unknown === undefined) return faults[0];
  return {
    message: `between {{ and }} a form must name a column of its spreadsheet, got ${JSON.stringify(text)}`,
    hint: columns.length === 0 ? "go back and write the text without {{ and }}" : unknown.hint,
  };
}

/**
 * Throws `bad-usage` for a form that would ask nothing, and for texts that are no templates or name
 * no column.
 */
export function checkAsked(
  { rating, text }: Asked,
  { title = "", columns = [] }: { readonly title?: string; readonly columns?: readonly string[] },
): void {
  if (rating === "" && text === "") {
    throw badUsage("a form must ask a question, got none", "go back and write one of the two");
  }
  for (const one of [title, rating, text]) {
    const fault = findFault(one, columns);
    if (fault !== undefined) throw badUsage(fault.message, fault.hint);
  }
}

export const Questions: Part<{ readonly asked: Asked; readonly isOfSpreadsheet: boolean }> = ({
  asked,
  isOfSpreadsheet,
  words,
}) => {
  const said = words.wizard;
  const prefix = isOfSpreadsheet ? "of-rows" : "single";
  return (
    <>
      {isOfSpreadsheet ? <p class="hint">{said.questionsHint}</p> : null}
      {(["rating", "text"] as const).map((name) => (
        <div class="field">
          <label for={`${prefix}-${name}`}>{said.questionNames[name]}</label>
          <input
            id={`${prefix}-${name}`}
            name={fields[name]}
            value={asked[name]}
            maxlength={MOST_LETTERS}
          />
        </div>
      ))}
    </>
  );
};
