/**
 * Former destinations and designs of a code, with name and time of each change, and a button to
 * restore them.
 */
import type { Past, PastDesign } from "../../../service/owner/history.ts";
import { changing, Rows } from "../../view/list.tsx";
import { PostForm } from "../../view/page.tsx";
import { Address, Moment } from "../../view/parts.tsx";
import type { Visit } from "../../visit.ts";
import type { Words } from "../../words/words.ts";

const say = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? `${value}` || "–"
    : "–";

/** `pattern: Original, another logo`: what the change replaced. */
function describeDesign({ history }: Words, { before, isOtherLogo }: PastDesign): string {
  const fields = Object.entries(before).map(
    ([name, value]) => `${name.replaceAll("_", " ")}: ${say(value)}`,
  );
  return [...fields, ...(isOtherLogo ? [history.logo] : [])].join(", ") || history.nothing;
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
