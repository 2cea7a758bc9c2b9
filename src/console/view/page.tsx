/** The frame of every screen. */
import type { Child } from "hono/jsx";

import { Was } from "../as-shown.tsx";
import type { Problem } from "../refusal.ts";
import { type Part, SHOWN_IN, type Visit, query, typed } from "../visit.ts";
import { Careful, Field, type FieldProps } from "./parts.tsx";
import { adviseUrl } from "./url-advice.ts";
import { languages, type Words } from "../words/words.ts";

export const Inks = () => (
  <div class="inks" aria-hidden="true">
    <i />
    <i />
    <i />
    <i />
  </div>
);

interface FrameProps {
  readonly words: Words;
  readonly title: string;
  readonly style: string;
  readonly script: string;
  readonly top?: Child;
  readonly children?: Child;
}

export const Frame = ({ words, title, style, script, top, children }: FrameProps) => (
  <html lang={words.language}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{`${title} · ${words.common.console}`}</title>
      <link rel="stylesheet" href={style} />
      <link rel="icon" href="data:," />
      <script type="module" src={script} />
    </head>
    <body>
      <a class="skip" href="#content">
        {words.common.skip}
      </a>
      <Inks />
      {top}
      <main class="console" id="content">
        {children}
      </main>
    </body>
  </html>
);

export const toHtml = (page: { toString(): string }): string => `<!doctype html>${page.toString()}`;

const sections = [
  "codes",
  "folders",
  "links",
  "products",
  "pages",
  "forms",
  "pdfs",
  "templates",
  "tags",
  "analytics",
  "settings",
] as const;
export type Section = (typeof sections)[number];

/** Protects the form against other sites, and keeps the workspace that its page shows. */
export const FormKey: Part = ({ visit }) => (
  <>
    <input type="hidden" name="csrf" value={visit.session.formKey} />
    <input type="hidden" name={SHOWN_IN} value={visit.session.workspaceId} />
  </>
);

interface PostFormProps {
  readonly visit: Visit;
  /** Path below the console. */
  readonly action: string;
  readonly class?: string;
  readonly hasFile?: boolean;
  readonly children?: Child;
}

/** A form that changes something; left out for read-only tokens. */
export const PostForm = ({
  visit,
  action,
  class: name,
  hasFile = false,
  children,
}: PostFormProps) =>
  visit.session.caller.isReadOnly ? null : (
    <form
      method="post"
      action={`${visit.base}${action}`}
      class={name}
      enctype={hasFile ? "multipart/form-data" : undefined}
    >
      <FormKey visit={visit} />
      {children}
    </form>
  );

/**
 * The name of an entry, as a link to its screen. `to` = path below the console that ends in the id.
 */
export const Name: Part<{ readonly to: string; readonly text: string }> = ({ visit, to, text }) => (
  <a class="name" href={`${visit.base}${to}`}>
    {text}
  </a>
);

/** A field that keeps its text after a refusal. */
export const Typed = ({
  visit,
  stored,
  ...field
}: Omit<FieldProps, "value"> & {
  readonly visit: Visit;
  readonly stored?: string | null | undefined;
}) => (
  <>
    {stored === undefined ? null : <Was visit={visit} name={field.name} stored={stored} />}
    <Field {...field} value={typed(visit, field.name, stored)} />
  </>
);

/** Something that can't be undone: behind a click, with its consequences. */
export const Delete: Part<{
  /** Path of the thing, below the console. */
  readonly path: string;
  readonly title: string;
  readonly hint: string;
}> = ({ visit, path, title, hint }) =>
  visit.session.caller.isReadOnly ? null : (
    <Careful title={title}>
      <p>{hint}</p>
      <PostForm visit={visit} action={`${path}/delete`}>
        <button class="danger">{visit.words.code.deleteNow}</button>
      </PostForm>
    </Careful>
  );

/** Forms about the session: read-only tokens may use them too. */
const SessionForm: Part<{ readonly action: string; readonly children?: Child }> = ({
  visit,
  action,
  children,
}) => (
  <form method="post" action={`${visit.base}${action}`}>
    <FormKey visit={visit} />
    {children}
  </form>
);

interface TopProps {
  readonly visit: Visit;
  readonly at: Section;
  readonly workspaces: readonly { readonly id: string; readonly name: string }[];
}

function Workspaces({ visit, workspaces }: Omit<TopProps, "at">) {
  if (workspaces.length < 2) return null;
  const { words, session, base } = visit;
  return (
    <form method="post" action={`${base}/workspace`} data-submits="">
      <FormKey visit={visit} />
      <select name="workspace" aria-label={words.common.workspace}>
        {workspaces.map(({ id, name }) => (
          <option value={id} selected={id === session.workspaceId}>
            {name}
          </option>
        ))}
      </select>{" "}
      <button class="plain" data-by-hand="">
        {words.common.choose}
      </button>
    </form>
  );
}

const Top = ({ visit, at, workspaces }: TopProps) => {
  const { words, base, home } = visit;
  const other = Object.values(languages).find(({ language }) => language !== words.language);
  return (
    <div class="top" role="banner">
      <a class="name" href={`${base}/codes`}>
        {words.common.console}
      </a>
      <nav aria-label={words.common.console}>
        {sections.map((section) => (
          <a href={`${base}/${section}`} aria-current={section === at ? "page" : undefined}>
            {words.sections[section]}
          </a>
        ))}
      </nav>
      <div class="who">
        <Workspaces visit={visit} workspaces={workspaces} />
        {other === undefined || home !== undefined ? null : (
          <SessionForm visit={visit} action="/language">
            <button class="plain" name="to" value={other.language} lang={other.language}>
              {other.common.thisLanguage}
            </button>
          </SessionForm>
        )}
        {home === undefined ? (
          <SessionForm visit={visit} action="/sign-out">
            <button class="plain">{words.signIn.out}</button>
          </SessionForm>
        ) : (
          <a href={home.href}>{home.name(words.language)}</a>
        )}
      </div>
    </div>
  );
};

/** Fields of a design as its form calls them. */
export const designLabels = ({ code }: Words): Readonly<Record<string, string>> => ({
  ...code.colors,
  pattern: code.pattern,
  eye_style: code.eyes,
  frame: code.frame,
  text: code.frameText,
  error_correction: code.correction,
});

/** `qr_data` of a text code. */
export const TEXT_FIELD = "text_content";

/** Names of API fields on the pages. */
function fieldNames(words: Words): Readonly<Record<string, string>> {
  const { code, codes, folders, links, pages, pdfs, products } = words;
  return {
    ...designLabels(words),
    bg_color: pages.background,
    text_color: pages.ink,
    title: products.linkTitle,
    qr_data: code.destination,
    [TEXT_FIELD]: codes.text,
    display_name: codes.name,
    folder: codes.folder,
    logo_base64: code.logo,
    link: codes.destination,
    slug: links.slug,
    name: folders.name,
    parent: folders.parent,
    pdf_url: pdfs.url,
    pdf_base64: pdfs.file,
    links: pages.buttons,
    description: pages.description,
    identifier_value: products.value,
    destination_url: products.destination,
    batch_lot: products.batch,
    serial_number: products.serial,
    expiry_date: products.expiry,
    language: products.language,
    link_type: products.linkType,
  };
}

/** `links.1.url` is a line of a page's buttons. */
function toFieldName(words: Words, field: string): string {
  const [, button] = /^links\.(\d+)(?:\.\w+)?$/u.exec(field) ?? [];
  if (button !== undefined) return words.pages.buttonLine(Number(button) + 1);
  const names = fieldNames(words);
  return Object.hasOwn(names, field) ? (names[field] ?? field) : field;
}

/**
 * `qr_data: Must be a URL.` as the field's name on the page, and the sentence; `isForeign` when it
 * isn't translated into the reader's language.
 */
function readRefusal(words: Words, line: string) {
  const [, field = "", rest = ""] = /^([a-z_0-9.]+): (.*)$/su.exec(line) ?? [];
  const name = toFieldName(words, field);
  const sentence = field === "" ? line : rest;
  const said = words.refusal(sentence);
  const advice = adviseUrl(sentence, words);
  return {
    before: name === "" ? "" : `${name}: `,
    after: advice === undefined ? "" : ` ${advice}`,
    sentence: said ?? sentence,
    isForeign: said === undefined,
  };
}

/** The refusals, in the reader's language. */
export function Refused({ words, line }: { readonly words: Words; readonly line: string }) {
  const { before, sentence, after, isForeign } = readRefusal(words, line);
  return (
    <>
      {before}
      {isForeign ? <span lang="en">{sentence}</span> : sentence}
      {after}
    </>
  );
}

/** A sentence of the API, or the console's own with a link to where to go on. */
const Line = ({ words, problem }: { readonly words: Words; readonly problem: Problem }) =>
  typeof problem === "string" ? (
    <Refused words={words} line={problem} />
  ) : (
    <>
      {problem.said}
      {problem.to === undefined ? null : (
        <>
          {" "}
          <a href={problem.to.href}>{problem.to.text}</a>
        </>
      )}
    </>
  );

/** The same as plain text. */
export function sayRefused(words: Words, line: string): string {
  const { before, sentence, after } = readRefusal(words, line);
  return `${before}${sentence}${after}`;
}

/** The result of the form before, or the reasons of a refusal. */
function Said({ visit }: { readonly visit: Visit }) {
  const { words, problems, session } = visit;
  const done: Readonly<Record<string, string>> = words.done;
  const name = query(visit, "done");
  return (
    <>
      {session.caller.isReadOnly ? <p class="banner warn">{words.common.readOnly}</p> : null}
      {problems.length === 0 && Object.hasOwn(done, name) ? (
        <p class="banner good" role="status">
          {done[name]}
        </p>
      ) : null}
      {problems.length === 0 ? null : (
        <div class="banner bad" role="alert">
          <strong>{words.common.refused}</strong>
          <ul>
            {problems.map((problem) => (
              <li>
                <Line words={words} problem={problem} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

interface ShownPage {
  readonly at: Section;
  readonly title: string;
  readonly children: Child;
}

const REFUSED = [403, 404, 409, 429, 503] as const;

/** The status of a refusal: 400, or one of those that programs distinguish. */
export const toStatus = (status: number | undefined): 400 | (typeof REFUSED)[number] =>
  REFUSED.find((one) => one === status) ?? 400;

/** A whole page as an answer; for a refused visit, with the refusal's status or 400. */
export async function reply(visit: Visit, { at, title, children }: ShownPage): Promise<Response> {
  const { words, base, assets, problems, refusedWith } = visit;
  const workspaces = await visit.owner.workspaces();
  const html = (
    <Frame
      words={words}
      title={problems.length > 0 ? `${words.common.refused} · ${title}` : title}
      style={`${base}${assets.style}`}
      script={`${base}${assets.script}`}
      top={<Top visit={visit} at={at} workspaces={workspaces} />}
    >
      <h1>{title}</h1>
      <Said visit={visit} />
      {children}
    </Frame>
  );
  return visit.c.html(toHtml(html), problems.length > 0 ? toStatus(refusedWith) : 200);
}
