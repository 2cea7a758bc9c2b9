/**
 * Former destinations and designs of a code, with name and time of each change, and a button to
 * restore them.
 */
import type { Past, PastDesign } from "../../../service/owner/history.ts";
import { changing, Rows } from "../../view/list.tsx";
import { designLabels, PostForm } from "../../view/page.tsx";
import { Address, Moment } from "../../view/parts.tsx";
import type { Visit } from "../../visit.ts";
import type { Words } from "../../words/words.ts";

function say({ common, code }: Words, name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? common.yes : common.no;
  return typeof value === "string" || typeof value === "number"
    ? code.lookOf(name, `${value}`) || "–"
    : "–";
}

/** Fields of a design that a change may name. */
export const designNames = (words: Words): Readonly<Record<string, string>> => ({
  ...words.history.fields,
  ...designLabels(words),
});

/** `Pattern: Original, another logo`: what the change replaced. */
function describeDesign(words: Words, past: PastDesign): string {
  const { before, isOtherLogo, hadLogo, hasLogo } = past;
  const { history } = words;
  const names = designNames(words);
  const fields = Object.entries(before).map(
    ([name, value]) => `${names[name] ?? name.replaceAll("_", " ")}: ${say(words, name, value)}`,
  );
  const had = hasLogo ? history.logo : history.withLogo;
  const logo = hadLogo ? had : history.noLogo;
  return [...fields, ...(isOtherLogo ? [logo] : [])].join(", ") || history.nothing;
}

function toWho(words: Words, { who, via }: Past): string {
  const token = who === "" ? words.history.mainToken : who;
  if (via === null) return token;
  const way = via === "console" ? words.history.console : via.replace(/^assistant ?/u, "");
  return `${token} (${way === "" ? words.history.assistant : way})`;
}

interface HistoryProps {
  readonly visit: Visit;
  readonly past: readonly Past[];
  /** Path of the code, below the console. */
  readonly path: string;
}

export function History({ visit, past, path }: HistoryProps) {
  const { words } = visit;
  const { history } = words;
  return (
    <>
      <h2>{history.title}</h2>
      {past.length === 0 ? (
        <p class="soft">{history.none}</p>
      ) : (
        <Rows
          label={history.title}
          items={past}
          columns={[
            [history.until, ({ timeMs }) => <Moment words={words} at={timeMs} />, "word"],
            [history.what, ({ what }) => history.kinds[what], "word"],
            [
              history.before,
              (one) =>
                one.what === "design" ? describeDesign(words, one) : <Address url={one.before} />,
            ],
            [history.who, (one) => toWho(words, one)],
            ...changing<Past>(visit, [
              history.back,
              ({ n }) => (
                <PostForm visit={visit} action={`${path}/back`}>
                  <button class="small" name="n" value={String(n)}>
                    {history.bring}
                  </button>
                </PostForm>
              ),
            ]),
          ]}
        />
      )}
    </>
  );
}
