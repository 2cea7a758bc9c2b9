/** The form of the wizard: the rows as they were read, what they become, and the text on labels. */
import path from "node:path";

import type { FC } from "hono/jsx";

import type { Guesses } from "../../../pipeline/draft/guess.ts";
import { headersOf, type Look } from "../../../pipeline/draft/look.ts";
import type { OneRole, Role } from "../../../pipeline/draft/roles.ts";
import { factsOf, rolesOf, type Asked, type Thing } from "../../../pipeline/draft/things.ts";
import { toCommandLine } from "../../../base/text/shell-words.ts";
import { countIn } from "../../view/figures.tsx";
import { Command, jobPath } from "../../view/page.tsx";
import { Problems } from "../../view/problems.tsx";
import type { Words } from "../../words/words.ts";
import { toColumnsHref } from "./begun.tsx";
import { HeaderLine } from "./header-line.tsx";
import { Questions } from "./questions.tsx";
import { nameFor } from "./save.ts";
import { isUpload } from "./uploads.ts";
import { Submit } from "../../../console/view/parts.tsx";

/** Where the choices are sent while they are made. */
export const KEEP_PATH = "/new/columns/keep";

interface FormProps {
  readonly words: Words;
  readonly source: string;
  readonly name: string;
  readonly looked: Look;
  readonly guesses: Guesses;
  readonly thing: Thing;
  /** The spreadsheet's own name, without its ending. */
  readonly shownName: string;
  /** The line that is said to hold the names of the columns. */
  readonly headerRow: number | undefined;
  /** Columns that tell rows apart. */
  readonly tells: readonly string[];
  /** Columns that stand below the code. */
  readonly caption: readonly string[];
  /** The page shows choices that were kept from before. */
  readonly isKept: boolean;
  /** Questions of a form where no column has them. */
  readonly asked: Asked;
  /** Manifests of the jobs that read this spreadsheet already. */
  readonly jobs: readonly string[];
  /** What was missing when it was to be saved; all that was chosen is still there. */
  readonly missing?: Missing | undefined;
}

/** A column that the chosen thing needs, or the name of the job. */
export type Missing = Role | "name";

/** The words at the field that is missing. */
const Fault: FC<{ readonly id: string; readonly text: string }> = ({ id, text }) => (
  <p class="fault" role="alert" id={`${id}-fault`}>
    {text}
  </p>
);

/** What marks a field that is missing; the browser goes there. */
const toMissing = (id: string) =>
  ({ "aria-invalid": "true", "aria-describedby": `${id}-fault`, autofocus: true }) as const;

function Grid({ looked, words }: Pick<FormProps, "looked" | "words">) {
  const said = words.wizard;
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={said.firstRows}>
      <table>
        <caption class="visually-hidden">{said.firstRows}</caption>
        <thead>
          <tr>
            {looked.columns.map(({ column, type, oddCount }) => (
              <th scope="col">
                {column}
                <br />
                <span class="soft">{said.types[type] ?? type}</span>
                {oddCount === 0 ? null : (
                  <span class="state warn">{said.odd(String(oddCount))}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {looked.rows.map((cells) => (
            <tr>
              {headersOf(looked).map((header) => (
                <td>{cells[header] ?? ""}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Choice: FC<{
  readonly id: string;
  readonly label: string;
  readonly headers: readonly string[];
  readonly chosen: string | undefined;
  /** The words for no column; undefined where one is needed. */
  readonly none: string | undefined;
  /** Why it was refused. */
  readonly fault: string | undefined;
}> = ({ id, label, headers, chosen, none, fault }) => {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={id} {...(fault === undefined ? {} : toMissing(id))}>
        {none === undefined && chosen !== undefined ? null : (
          <option value="">{none ?? "…"}</option>
        )}
        {headers.map((header) => (
          <option value={header} selected={header === chosen}>
            {header}
          </option>
        ))}
      </select>
      {fault === undefined ? null : <Fault id={id} text={fault} />}
    </div>
  );
};

const thingGroups = {
  codes: ["dynamic-link", "static-link", "text", "wifi", "contact", "product", "link"],
  hosted: ["pdf", "page", "form"],
  existing: ["retarget"],
} as const satisfies Record<string, readonly Thing[]>;

function roleName(role: Role, thing: Thing, { roles }: Words["wizard"]): string {
  const [, many, number = ""] = /^(button|question)_(\d+)$/u.exec(role) ?? [];
  if (many !== undefined) return roles[many as "button" | "question"](number);
  if (role === "payload" && thing === "text") return roles.text;
  if (role === "title" && thing !== "product") return roles.pageTitle;
  return roles[role as OneRole];
}

/** As many buttons or questions are offered as the spreadsheet has, and no fewer than these. */
const FEWEST = 4;

const rolesFor = (thing: Thing, guesses: Guesses): Role[] =>
  rolesOf(thing).filter(
    (role) => guesses[thing][role] !== undefined || !(Number(/_(\d+)$/u.exec(role)?.[1]) > FEWEST),
  );

/** One thing that a row may become, and its columns. */
function ThingChoice(props: FormProps & { readonly one: Thing }) {
  const { one, words, thing, looked, guesses, missing, asked } = props;
  const said = words.wizard;
  const { needed } = factsOf[one];
  const isMissing = (role: Role): boolean => one === thing && role === missing;
  return (
    <div class="choice">
      <label class="tick">
        <input type="radio" name="thing" value={one} checked={one === thing} />
        {said.things[one]}
      </label>
      <div class="texts fields">
        {rolesFor(one, guesses).map((role) => (
          <Choice
            id={`${one}.${role}`}
            label={roleName(role, one, said)}
            headers={headersOf(looked)}
            chosen={guesses[one][role]}
            none={needed.includes(role) ? undefined : words.common.none}
            fault={isMissing(role) ? said.needsColumn(roleName(role, one, said)) : undefined}
          />
        ))}
        {one === "form" ? <Questions asked={asked} isOfSpreadsheet words={words} /> : null}
      </div>
    </div>
  );
}

function Becomes(props: FormProps) {
  const said = props.words.wizard;
  return (
    <fieldset class="becomes">
      <legend>{said.becomes}</legend>
      {Object.entries(thingGroups).map(([group, ones]) => (
        <>
          <p class="label">{said.thingGroups[group as keyof typeof thingGroups]}</p>
          {ones.map((one) => (
            <ThingChoice {...props} one={one} />
          ))}
        </>
      ))}
    </fieldset>
  );
}

const Ticks: FC<{
  readonly name: string;
  readonly headers: readonly string[];
  readonly ticked: readonly string[];
}> = ({ name, headers, ticked }) => (
  <div class="ticks">
    {headers.map((header) => (
      <label>
        <input type="checkbox" name={name} value={header} checked={ticked.includes(header)} />
        {header}
      </label>
    ))}
  </div>
);

function Printed({ words, looked, caption }: FormProps) {
  const said = words.wizard;
  return (
    <fieldset class="for-labels">
      <legend>{said.caption}</legend>
      <p class="soft">{said.captionHint}</p>
      <Ticks name="caption" headers={headersOf(looked)} ticked={caption} />
    </fieldset>
  );
}

function SheetChoice({ words, looked, source, shownName }: FormProps) {
  if (looked.otherSheets.length === 0) return null;
  const href = (sheet: string): string =>
    `/new/columns?source=${encodeURIComponent(source)}&name=${encodeURIComponent(shownName)}&sheet=${encodeURIComponent(sheet)}`;
  return (
    <p>
      {(looked.isGuessed ? words.wizard.guessedSheet : words.wizard.otherSheets)(
        looked.sheetName ?? "",
      )}{" "}
      {looked.otherSheets.map((sheet) => (
        <>
          <a href={href(sheet)}>{sheet}</a>{" "}
        </>
      ))}
    </p>
  );
}

/** Columns that the offered job ignores. An island follows the choices. */
function Unused({ words, looked, guesses, thing, tells, caption }: FormProps) {
  const { unused, allUsed } = words.wizard;
  const shown = factsOf[thing].hasLabels ? [...tells, ...caption] : [];
  const used = new Set([...Object.values(guesses[thing]), ...shown]);
  const headers = headersOf(looked);
  const names = headers.filter((header) => !used.has(header)).join(", ");
  const props = { headers, some: unused("{names}"), none: allUsed };
  return (
    <p role="status" data-unused={JSON.stringify(props)}>
      {names === "" ? allUsed : unused(names)}
    </p>
  );
}

/** The commands that write the offered job. */
function toCommands({
  source,
  name,
  looked,
  headerRow,
  guesses,
  thing,
  tells,
  caption,
}: Omit<FormProps, "words">): string[] {
  const uses = rolesOf(thing).flatMap((role) => {
    const header = guesses[thing][role];
    return header === undefined ? [] : ["--use", `${role}=${header.trim()}`];
  });
  const ticked = (option: string, headers: readonly string[]): string[] =>
    factsOf[thing].hasLabels ? headers.flatMap((header) => [option, header.trim()]) : [];
  const sheet = looked.otherSheets.length === 0 ? undefined : looked.sheetName;
  const placed = isUpload(source) ? nameFor(source, name) : source;
  return [
    ...(placed === source ? [] : [toCommandLine(["cp", source, placed])]),
    toCommandLine([
      "makeready",
      "init",
      name,
      "--source",
      placed,
      ...(sheet === undefined ? [] : ["--worksheet", sheet]),
      ...(headerRow === undefined ? [] : ["--header-row", String(headerRow)]),
      "--as",
      thing,
      ...uses,
      ...ticked("--key", tells),
      ...ticked("--caption", caption),
    ]),
  ];
}

/** The spreadsheet, under the name that the person knows. */
const toFileName = ({ source, shownName }: Pick<FormProps, "source" | "shownName">): string =>
  isUpload(source) ? `${shownName}${path.extname(source)}` : source;

/** Where the header looks like a row, the page itself says below what to do. */
const toWarnings = ({ warnings, rowAsHeader }: FormProps["looked"]) =>
  warnings.map((one) => (one === rowAsHeader ? { ...one, hint: undefined } : one));

export function ColumnsForm(props: FormProps) {
  const { words, looked, isKept, missing } = props;
  const many = looked.columns.flatMap((one) => (one.holdsMany === true ? [one.column.trim()] : []));
  const said = words.wizard;
  const count = countIn(words.language);
  return (
    <>
      <h1>{said.title}</h1>
      {isKept && missing === undefined ? (
        <p class="banner" role="status">
          {said.keptChoices}
        </p>
      ) : null}
      {looked.warnings.length > 0 ? <h2>{words.plan.warnings}</h2> : null}
      <Problems words={words} problems={toWarnings(looked)} label={words.plan.warnings} />
      <p>
        <strong>{toFileName(props)}</strong>:{" "}
        {said.found(count(looked.count), count(looked.columns.length))}
      </p>
      <SheetChoice {...props} />
      <Grid looked={looked} words={words} />
      {many.length === 0 ? null : <p>{said.firstOfMany(many.join(", "))}</p>}
      <HeaderLine {...props} />
      {looked.lacksHeader === true ? null : <Choices {...props} />}
    </>
  );
}

function Choices(props: FormProps) {
  const { words, source, name, shownName, headerRow, looked, tells, missing, jobs } = props;
  const said = words.wizard;
  return (
    <>
      <form method="post" action={toColumnsHref(source, shownName)} data-keep={KEEP_PATH}>
        <input type="hidden" name="source" value={source} />
        <input type="hidden" name="shownName" value={shownName} />
        <input type="hidden" name="sheetName" value={looked.sheetName ?? ""} />
        {headerRow === undefined ? null : (
          <input type="hidden" name="headerRow" value={headerRow} />
        )}
        <Becomes {...props} />
        <fieldset class="for-labels">
          <legend>{said.key}</legend>
          <p class="soft">{said.keyHint}</p>
          <Ticks name="key" headers={headersOf(looked)} ticked={tells} />
        </fieldset>
        <Printed {...props} />
        <Unused {...props} />
        <div class="field">
          <label for="name">{said.name}</label>
          <input
            id="name"
            name="name"
            value={name}
            required
            maxlength={60}
            {...(missing === "name" ? toMissing("name") : {})}
          />
          {missing === "name" ? <Fault id="name" text={said.needsName} /> : null}
        </div>
        {jobs.length === 0 ? null : (
          <p class="banner warn">
            {jobs.length === 1 ? said.isJobAlready : said.areJobsAlready}{" "}
            {jobs.map((manifest, n) => (
              <>
                {n === 0 ? "" : ", "}
                <a href={`${jobPath(manifest)}/label`}>{manifest}</a>
              </>
            ))}
          </p>
        )}
        <Submit text={jobs.length === 0 ? said.create : said.createAnother} />
      </form>
      <Command
        words={words}
        text={toCommands(props)}
        note={`${said.commandAtFirst} ${said.commandQuestions}`}
      />
    </>
  );
}
