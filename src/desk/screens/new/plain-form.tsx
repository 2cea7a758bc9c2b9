import type { Part } from "../../view/part.ts";
import { plainKinds } from "./plain.ts";
import { Questions } from "./questions.tsx";

/** Title and questions of a single form. */
const FormTexts: Part = ({ words }) => {
  const said = words.wizard;
  return (
    <div class="texts">
      <div class="field">
        <label for="form-title">{said.formTitle}</label>
        <input id="form-title" name="title" maxlength={100} aria-describedby="form-title-hint" />
        <p class="hint" id="form-title-hint">
          {said.formTitleHint}
        </p>
      </div>
      <Questions asked={said.questions} isOfSpreadsheet={false} words={words} />
    </div>
  );
};

/** Kinds of jobs that read no rows, each with the fields that it needs. */
export const PlainJobs: Part<{ readonly folders: readonly string[] }> = ({ words, folders }) => {
  const said = words.wizard;
  const first = folders.length === 0 ? plainKinds.find((kind) => kind !== "pdfs") : plainKinds[0];
  return (
    <form method="post" action="/new/plain">
      <fieldset>
        <legend>{said.noRows}</legend>
        <p class="soft">{said.noRowsHint}</p>
        {plainKinds.map((kind) => (
          <div class="choice">
            <label class="tick">
              <input
                type="radio"
                name="kind"
                value={kind}
                checked={kind === first}
                disabled={kind === "pdfs" && folders.length === 0}
              />
              {said.plainKinds[kind]}
            </label>
            {kind === "pdfs" ? (
              <div class={folders.length === 0 ? undefined : "texts"}>
                {folders.length === 0 ? (
                  <p class="hint">{said.noFolder}</p>
                ) : (
                  <>
                    <label for="pdf-folder">{said.folder}</label>
                    <select id="pdf-folder" name="folder">
                      {folders.map((folder) => (
                        <option value={folder}>{folder}</option>
                      ))}
                    </select>
                  </>
                )}
              </div>
            ) : null}
            {kind === "forms" ? <FormTexts words={words} /> : null}
          </div>
        ))}
        <div class="field">
          <label for="plain-name">{said.name}</label>
          <input id="plain-name" name="name" maxlength={60} aria-describedby="plain-name-hint" />
          <p class="hint" id="plain-name-hint">
            {said.plainNameHint}
          </p>
        </div>
        <button>{said.begin}</button>
      </fieldset>
    </form>
  );
};
