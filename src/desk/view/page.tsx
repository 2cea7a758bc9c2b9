/** The frame of every screen, and small parts that screens share. */
import { readFileSync } from "node:fs";
import path from "node:path";

import type { Context } from "hono";
import { createContext, useContext, type Child, type FC } from "hono/jsx";

import { Inks } from "../../console/view/page.tsx";
import { readYamlField } from "../../job/yaml/edit-yaml.ts";
import { showCommands, toProgramLine } from "../../base/text/program-words.ts";
import type { DeskContext } from "../context.ts";
import type { JobPart, Part } from "./part.ts";
import { wordsFor, type Words } from "../words/words.ts";

export interface PageProps {
  readonly desk: DeskContext;
  readonly words: Words;
  readonly title: string;
  readonly children?: Child;
  /** Islands on the page, by name. */
  readonly islands?: readonly string[];
}

/** What starts this program where the desk was begun. */
export const programOf = (desk: DeskContext): string =>
  toProgramLine({ ...desk, cwd: desk.folder });

const ProgramContext = createContext("makeready");
const FolderContext = createContext("");

export const Sentence: FC<{ readonly text: string }> = ({ text }) => (
  <>{showCommands(text, useContext(ProgramContext))}</>
);

export function Page({ desk, words, title, children, islands = [] }: PageProps) {
  const { common } = words;
  return (
    <html lang={words.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${common.desk}`}</title>
        <link rel="stylesheet" href={desk.assets.style} />
        <link rel="icon" href="data:," />
        {islands.map((name) => (
          <script type="module" src={desk.assets.island(name)} />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          {common.skip}
        </a>
        <Inks />
        <div class="top" role="banner">
          <a class="name" href="/">
            {common.desk}
          </a>
          <span class="folder">{path.basename(desk.folder)}</span>
          <nav aria-label={common.desk}>
            <a href="/">{common.home}</a>
            <a href="/new">{common.newJob}</a>
            <a href="/console/codes">{words.codes.title}</a>
            <form method="post" action="/language">
              <button class="plain" name="to" value={common.switchTo} lang={common.switchTo}>
                {common.switchLanguage}
              </button>
            </form>
          </nav>
        </div>
        <main class="desk" id="content">
          <FolderContext.Provider value={desk.folder}>
            <ProgramContext.Provider value={programOf(desk)}>{children}</ProgramContext.Provider>
          </FolderContext.Provider>
        </main>
      </body>
    </html>
  );
}

/** Kinds of jobs that draw nothing. */
const WITHOUT_LABELS: readonly unknown[] = ["report", "retarget"];

/** A job as its manifest says; of one that can't be read, the name of the file. */
function describe(file: string): { readonly name: string; readonly hasLabel: boolean } {
  const stem = path.basename(file).replace(/\.ya?ml$/iu, "");
  try {
    const text = readFileSync(file, "utf8");
    const name = readYamlField(text, ["name"])?.value;
    const kind = readYamlField(text, ["kind"])?.value;
    return {
      name: typeof name === "string" && name !== "" ? name : stem,
      hasLabel: !WITHOUT_LABELS.includes(kind),
    };
  } catch {
    return { name: stem, hasLabel: true };
  }
}

export const Steps: JobPart<{ readonly at: keyof Words["steps"] }> = ({ words, manifest, at }) => {
  const base = jobPath(manifest);
  const { name: job, hasLabel } = describe(path.join(useContext(FolderContext), manifest));
  const steps = Object.entries(words.steps).filter(([step]) => hasLabel || step !== "label");
  return (
    <nav aria-label={words.common.steps}>
      <p class="job-name">
        {job} <span class="soft">{manifest}</span>
      </p>
      <ol class="steps">
        {steps.map(([step, name]) => (
          <li>
            <a href={`${base}/${step}`} aria-current={step === at ? "step" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
};

/** The command that would do the same, or each of several: people learn from it, and it can be copied. */
export const Command: Part<{
  readonly text: string | readonly string[];
  /** What the commands do otherwise than the page. */
  readonly note?: string;
}> = ({ words, text, note = "" }) => {
  const program = useContext(ProgramContext);
  return (
    <details class="shell">
      <summary>{words.common.command}</summary>
      {[text].flat().map((one) => (
        <code class="command" data-command>
          {one.replace(/^makeready(?= )/u, () => program)}
        </code>
      ))}
      {note.trim() === "" ? null : <p class="soft">{note}</p>}
    </details>
  );
};

/**
 * An island: the browser's code takes over the element, whose content is what a page without script
 * shows. Props are JSON.
 */
export const Island: FC<{
  readonly name: string;
  readonly props: unknown;
  readonly children?: Child;
}> = ({ name, props, children }) => (
  <div data-island={name} data-props={JSON.stringify(props)}>
    {children}
  </div>
);

/** First in a form of several actions: Enter in one of its fields does none of them. */
export const NoEnter = () => <button disabled hidden />;

/** `/job/NAME`, the manifest as one segment. */
export const jobPath = (manifest: string): string => `/job/${encodeURIComponent(manifest)}`;

/** A whole page as an answer. */
export function replyPage(
  c: Context,
  page: Omit<PageProps, "words">,
  status: 200 | 400 | 403 | 404 | 409 | 413 | 500 = 200,
): Response | Promise<Response> {
  const words = wordsFor(c);
  const html: { toString(): string } = <Page {...page} words={words} />;
  return c.html(`<!doctype html>${html.toString()}`, status);
}

/** Without script, the page loads again by itself. The library would lift a `meta` out of here. */
export const NoScriptReload = ({ words }: { readonly words: Words }) => (
  <noscript
    dangerouslySetInnerHTML={{
      __html: `<meta http-equiv="refresh" content="2"><p>${words.run.reload}</p>`,
    }}
  />
);
