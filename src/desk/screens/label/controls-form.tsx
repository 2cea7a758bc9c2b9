/** The fields of the screen: texts, filling, sizes, look; and the fields that it can't change. */
import type { FC } from "hono/jsx";

import { inEnglish } from "../../view/problems.tsx";
import type { Words } from "../../words/words.ts";
import { controlsOf, groups, type Control, type Group } from "./controls.ts";
import type { Draft } from "./draft.ts";
import { BLANKS, LABEL, labelTextName } from "./label-texts.ts";
import type { Told } from "./label-props.ts";
import type { LeftAlone } from "./form-values.ts";
import type { Texts } from "./stock.ts";

interface ControlProps {
  readonly control: Control;
  readonly text: string;
  readonly words: Words;
  /** Why the field was refused. */
  readonly fault?: Told | undefined;
  /** Names of the designs that come along. */
  readonly designs: readonly { readonly id: string; readonly title: string }[];
}

const Options: FC<{
  readonly values: readonly (readonly [value: string, name: string])[];
  readonly chosen: string;
  readonly none: string | undefined;
}> = ({ values, chosen, none }) => (
  <>
    {none === undefined ? null : <option value="">{none}</option>}
    {values.map(([value, name]) => (
      <option value={value} selected={value === chosen}>
        {name}
      </option>
    ))}
  </>
);

type Described = { readonly "aria-describedby"?: string; readonly "aria-invalid"?: "true" };

function Design({ text, words, designs, described }: ControlProps & { described: Described }) {
  const names = words.label.choices["template"] ?? {};
  const values = designs.map(({ id, title }) => [id, names[id] ?? title] as const);
  return (
    <select id="template" name="template" {...described}>
      <Options values={values} chosen={text} none={words.label.asDefault} />
    </select>
  );
}

function Choice({
  control,
  choices,
  text,
  words,
  described,
}: ControlProps & { readonly choices: readonly string[]; readonly described: Described }) {
  const { id, otherwise } = control;
  const names = words.label.choices[id] ?? {};
  const values = choices.map((value) => [value, names[value] ?? value] as const);
  const none = otherwise === undefined ? words.label.asDefault : undefined;
  return (
    <select id={id} name={id} {...described}>
      <Options values={values} chosen={text} none={none} />
    </select>
  );
}

/** Of codes without a colour of their own. */
const usualColor = (id: string): string =>
  id.endsWith("background_color") ? "#ffffff" : "#000000";

function toDescribed({ control: { id }, words, fault }: ControlProps): Described {
  if (fault !== undefined) return { "aria-describedby": `${id}-fault`, "aria-invalid": "true" };
  const hasHint = words.label.fields[id]?.hint !== undefined;
  return hasHint ? { "aria-describedby": `${id}-hint` } : {};
}

function Input(props: ControlProps) {
  const { control, text, designs } = props;
  const { id } = control;
  const described = toDescribed(props);
  const common = { id, name: id, ...described };
  if (id === "template" && (text === "" || designs.some((design) => design.id === text))) {
    return <Design {...props} described={described} />;
  }
  switch (control.shown) {
    case "choice":
      return <Choice {...props} choices={control.choices} described={described} />;
    case "lines":
      return (
        <textarea rows={3} {...common}>
          {text}
        </textarea>
      );
    case "number":
      return <input type="number" value={text} min={control.min} step={control.step} {...common} />;
    case "color":
      return (
        <input value={text} size={9} placeholder="#" data-color={usualColor(id)} {...common} />
      );
    case "text":
    case "flag":
      return <input value={text} {...common} />;
  }
}

function Field(props: ControlProps) {
  const { control, text, words, fault } = props;
  const { id } = control;
  const { name, hint } = words.label.fields[id] ?? { name: id };
  if (control.shown === "flag") {
    return (
      <div class="field">
        <input type="hidden" name={id} value="false" />
        <label class="tick">
          <input type="checkbox" name={id} value="true" checked={text === "true"} />
          {name}
        </label>
      </div>
    );
  }
  return (
    <div class={`field field-${id}`}>
      <label for={id}>{name}</label>
      <Input {...props} />
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault === undefined ? null : (
        <p class="fault" id={`${id}-fault`} {...(fault.isEnglish ? inEnglish(words) : {})}>
          {fault.text}
        </p>
      )}
    </div>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly words: Words;
  readonly designs: ControlProps["designs"];
  readonly columns: readonly string[];
  /** Fields of the manifest that were refused, each with the reason. */
  readonly faults?: ReadonlyMap<string, Told> | undefined;
}

/** Whether a text of a template names a column that the spreadsheet lacks. */
const isForeign = (text: string, columns: readonly string[]): boolean =>
  columns.length > 0 &&
  [...text.matchAll(/\{\{([^{}|]*)/gu)].some(([, name = ""]) => !columns.includes(name.trim()));

/** Texts of templates that aren't chosen, whose defaults suit no column: they are shown blank. */
const listBlanks = ({ texts, templates }: Draft, columns: readonly string[]): string[] =>
  templates
    .filter(({ name }) => name !== texts[LABEL])
    .flatMap((template) =>
      Object.entries(template.texts).flatMap(([text, otherwise]) => {
        const name = labelTextName(template.name, text);
        const isOffered = (texts[name] ?? "") === otherwise;
        return isOffered && isForeign(otherwise, columns) ? [name] : [];
      }),
    );

/** The code with lines of text, or a label template with its texts. */
function LabelChoice({
  draft,
  words,
  columns,
  caption,
}: FieldsProps & { readonly caption: unknown }) {
  const { texts, templates } = draft;
  const chosen = texts[LABEL] ?? "";
  const blanks = listBlanks(draft, columns);
  return (
    <>
      <input type="hidden" name={BLANKS} value={JSON.stringify(blanks)} />
      <div class="choice">
        <label class="tick">
          <input type="radio" name={LABEL} value="" checked={chosen === ""} />
          {words.label.caption}
        </label>
        <div class="texts">{caption}</div>
      </div>
      {templates.map((template) => (
        <div class="choice">
          <label class="tick">
            <input
              type="radio"
              name={LABEL}
              value={template.name}
              checked={template.name === chosen}
            />
            {words.label.templates[template.name] ?? template.title}
          </label>
          <div class="texts fields">
            {Object.keys(template.texts).map((text) => {
              const name = labelTextName(template.name, text);
              const typed = blanks.includes(name) ? "" : (texts[name] ?? "");
              return (
                <div class="field">
                  <label for={name}>{words.label.texts[text] ?? text}</label>
                  <input id={name} name={name} value={typed} />
                </div>
              );
            })}
          </div>
        </div>
      ))}
    </>
  );
}

const textOf = (texts: Texts, { id }: Control): string => texts[id] ?? "";

function GroupFields({ group, ...props }: FieldsProps & { readonly group: Group }) {
  const { draft, words, designs, columns, faults } = props;
  const { texts, saved, job } = draft;
  const isFree = ({ id }: Control): boolean => !saved.locked.has(id);
  const controls = controlsOf(job).filter((one) => one.group === group && isFree(one));
  if (controls.length === 0) return null;
  const fields = controls.map((control) => (
    <Field
      control={control}
      text={textOf(texts, control)}
      words={words}
      designs={designs}
      fault={faults?.get(control.path.join("."))}
    />
  ));
  const isLabel = group === "label";
  return (
    <fieldset class={`group-${group}`}>
      <legend>{words.label.groups[group]}</legend>
      {!isLabel ? (
        <div class="fields">{fields}</div>
      ) : saved.locked.has(LABEL) ? (
        fields
      ) : (
        <LabelChoice {...props} caption={fields} />
      )}
      {isLabel && columns.length > 0 ? (
        <p class="hint">
          {words.label.columns}{" "}
          {columns.map((column) => (
            <>
              <code>{`{{ ${column} }}`}</code>{" "}
            </>
          ))}
        </p>
      ) : null}
    </fieldset>
  );
}

function LeftAsItIs({ fields, words }: { readonly fields: readonly LeftAlone[]; words: Words }) {
  if (fields.length === 0) return null;
  const said = words.label;
  return (
    <fieldset>
      <legend>{said.leftAlone}</legend>
      <p class="soft">{said.leftAloneHint}</p>
      {fields.map(({ field, yaml }) => (
        <>
          <p class="label">{field}</p>
          <code class="command" tabindex={0}>
            {yaml}
          </code>
        </>
      ))}
    </fieldset>
  );
}

export function ControlFields(props: FieldsProps) {
  const { draft, words } = props;
  return (
    <>
      {groups.map((group) => (
        <GroupFields {...props} group={group} />
      ))}
      <LeftAsItIs fields={draft.saved.leftAlone} words={words} />
    </>
  );
}
