/** Small parts that screens share. */
import type { Child, FC } from "hono/jsx";

import { numberFormat } from "../../base/text/number-format.ts";
import type { Visit } from "../visit.ts";
import type { Words } from "../words/words.ts";

interface TableProps {
  readonly label: string;
  readonly heads: readonly (string | { readonly number: string })[];
  /** More columns than a phone can show: the table scrolls. */
  readonly wide?: boolean;
  readonly children?: Child;
}

export const Table = ({ label, heads, wide = true, children }: TableProps) => (
  <div class={wide ? "scroll wide" : "scroll"} tabindex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          {heads.map((head) =>
            typeof head === "string" ? (
              <th scope="col">{head}</th>
            ) : (
              <th scope="col" class="number">
                {head.number}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

/** What the API warns of in a drawing, in the reader's language where it is translated. */
export const Warned = ({ words, line }: { readonly words: Words; readonly line: string }) => {
  const said = words.warning(line);
  return said === undefined ? <span lang="en">{line}</span> : <>{said}</>;
};

interface LinkProps {
  readonly href: string;
  readonly text: Child;
  /** The main action of the page. */
  readonly isMain?: boolean;
}

/** A link that looks like a button. */
export const Go = ({ href, text, isMain = false }: LinkProps) => (
  <a class={isMain ? "button main" : "button"} href={href}>
    {text}
  </a>
);

/** A link to a file to save. */
export const Download = ({ href, text, isMain = false }: LinkProps) => (
  <a class={isMain ? "button main" : undefined} href={`${href}?download`} download>
    {text}
  </a>
);

/** The button that sends a form. */
export const Submit = ({ text }: { readonly text: string }) => (
  <div class="actions">
    <button class="main">{text}</button>
  </div>
);

export type Fact = readonly [name: string, value: Child];

/** Facts of a thing, one below the other. */
export const Facts: FC<{ readonly facts: readonly Fact[] }> = ({ facts }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
);

interface PagerProps {
  readonly visit: Visit;
  /** Path below the console, with its query except `page`. */
  readonly path: string;
  readonly page: number;
  readonly pageSize: number;
  readonly count: number;
}

const toLast = ({ count, pageSize }: PagerProps): number =>
  Math.max(1, Math.ceil(count / pageSize));

const toPage = ({ visit, path }: PagerProps, n: number): string =>
  `${visit.base}${path}${path.includes("?") ? "&" : "?"}page=${n}`;

/** Says that the list has fewer pages. */
export function PastEnd(props: PagerProps) {
  const { common } = props.visit.words;
  const last = toLast(props);
  return (
    <p>
      {common.noPage(props.page)} <a href={toPage(props, last)}>{common.toLastPage(last)}</a>
    </p>
  );
}

/** Page number, and links to the next and the previous one. */
export function Pager(props: PagerProps) {
  const { visit, page, count } = props;
  const { words } = visit;
  const last = toLast(props);
  if (page > last) return <PastEnd {...props} />;
  const to = (n: number): string => toPage(props, n);
  return (
    <nav class="pages" aria-label={words.common.pages}>
      <span>{words.common.ofPages(page, last, countIn(words)(count))}</span>
      {page > 1 ? (
        <a rel="prev" href={to(page - 1)}>
          {words.common.previous}
        </a>
      ) : null}
      {page < last ? (
        <a rel="next" href={to(page + 1)}>
          {words.common.next}
        </a>
      ) : null}
    </nav>
  );
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: "text" | "url" | "number" | "date" | "color" | "search" | "datetime-local";
  readonly hint?: string;
  readonly required?: boolean;
  readonly maxlength?: number;
  readonly class?: string;
  readonly autocomplete?: string;
}

export const Field = (props: FieldProps) => {
  const { name, label, value, type = "text", hint, required = false, maxlength } = props;
  const id = `f-${name}`;
  return (
    <div class={`field ${props.class ?? ""}`.trim()}>
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        value={value}
        required={required}
        maxlength={maxlength}
        autocomplete={props.autocomplete ?? "off"}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};

/** Value, name, and whether it is disabled. */
export type Option = readonly [value: string, text: string, disabled?: "disabled"];

interface ChoiceProps {
  readonly name: string;
  /** Default: after the name. */
  readonly id?: string;
  readonly label: string;
  readonly value?: string;
  readonly options: readonly Option[];
  readonly class?: string;
}

export const Choice = ({
  name,
  id = `f-${name}`,
  label,
  value = "",
  options,
  class: more = "",
}: ChoiceProps) => (
  <div class={`field ${more}`.trim()}>
    <label for={id}>{label}</label>
    <select id={id} name={name}>
      {options.map(([one, text, disabled]) => (
        <option
          value={one}
          selected={one === value && disabled === undefined}
          disabled={disabled !== undefined}
        >
          {text}
        </option>
      ))}
    </select>
  </div>
);

export const Tick: FC<{
  readonly name: string;
  readonly label: string;
  readonly checked?: boolean;
}> = ({ name, label, checked = false }) => (
  <label class="field tick">
    <input type="checkbox" name={name} value="yes" checked={checked} />
    {label}
  </label>
);

/** A dangerous action: must be opened first, and shows its consequences. */
export const Careful: FC<{ readonly title: string; readonly children?: Child }> = ({
  title,
  children,
}) => (
  <details class="change">
    <summary>{title}</summary>
    {children}
  </details>
);

/** The equivalent command, to learn from and to copy. */
export const Command = ({ words, text }: { readonly words: Words; readonly text: string }) => (
  <details class="shell">
    <summary>{words.common.command}</summary>
    <code class="command" tabindex={0}>
      {text}
    </code>
  </details>
);

/** Numbers in the reader's language. */
export const countIn =
  ({ language }: Words) =>
  (n: number): string =>
    numberFormat(language).format(n);

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** The same for bytes, in steps of a thousand. */
export const bytesIn =
  ({ language }: Words) =>
  (n: number): string => {
    const step = Math.min(Math.floor(Math.log10(Math.max(1, n)) / 3), UNITS.length - 1);
    const unit = UNITS[step] ?? "byte";
    return numberFormat(language, {
      style: "unit",
      unit,
      maximumSignificantDigits: 3,
    }).format(n / 1000 ** step);
  };

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(language: string): Intl.DateTimeFormat {
  const known = formats.get(language);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  formats.set(language, made);
  return made;
}

/** A time, in UTC. */
export const Moment: FC<{
  readonly words: Words;
  readonly at: string | number | null | undefined;
}> = ({ words, at }) => {
  if (at === null || at === undefined) return <>{words.common.never}</>;
  const date = new Date(at);
  return (
    <time datetime={date.toISOString()}>{`${formatOf(words.language).format(date)} UTC`}</time>
  );
};

/** `2026-10-30` as the reader writes it. */
export function dayIn({ language }: Words): (date: string) => string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  return (date) => format.format(new Date(date));
}

/** A web address as a link; anything else as text. */
export const Address = ({ url = "" }: { readonly url?: string | null | undefined }) =>
  url !== null && /^https?:\/\//iu.test(url) ? (
    <a href={url} rel="noopener noreferrer">
      {url}
    </a>
  ) : (
    <>{url}</>
  );

/** The path of a file of this service, so that pages can show it under any host name. */
export const toOwnPath = (url: string): string => {
  const { pathname } = new URL(url);
  return pathname;
};

/** A list's query without empty values. */
export function toSearch(values: Readonly<Record<string, string>>): string {
  const filled = Object.entries(values).filter(([, value]) => value !== "");
  return filled.length === 0 ? "" : `?${new URLSearchParams(filled).toString()}`;
}
