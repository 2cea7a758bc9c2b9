/** What a code led to and looked like, who changed it and when, with one click back. */
import type { Past, PastDesign } from "../../../service/owner/history.ts";
import { Address, Moment, Table } from "../../view/parts.tsx";
import { PostForm } from "../../view/page.tsx";
import type { Visit } from "../../visit.ts";
import type { Words } from "../../words/words.ts";

interface Now {
  readonly design?: unknown;
}

const say = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? `${value}` || "–"
    : "–";

/** `pattern Circles -> Original`, for what differs between a design and the one after it. */
function describeDesign(before: PastDesign["design"], after: unknown): string {
  const next = (after ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(before)
    .filter(([name, value]) => say(value) !== say(next[name]))
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${say(value)}`)
    .join(", ");
}

/** The design after the change: that before the next one, else today's. */
function designAfter(past: readonly Past[], n: number, now: Now): unknown {
  const later = past.filter((one) => one.what === "design" && one.n > n);
  const next = later.at(-1);
  return next?.what === "design" ? next.design : now.design;
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
  /** Of the code, below the console. */
  readonly path: string;
  readonly now: Now;
}

export function History({ visit, past, path, now }: HistoryProps) {
  const { words } = visit;
  const { history } = words;
  return (
    <>
      <h2>{history.title}</h2>
      {past.length === 0 ? (
        <p class="soft">{history.none}</p>
      ) : (
        <Table
          label={history.title}
          heads={[history.until, history.what, history.before, history.who, history.back]}
        >
          {past.map((one) => (
            <tr>
              <td class="word">
                <Moment words={words} at={one.timeMs} />
              </td>
              <td class="word">{history.kinds[one.what]}</td>
              <td>
                {one.what === "design" ? (
                  describeDesign(one.design, designAfter(past, one.n, now)) || history.logo
                ) : (
                  <Address url={one.before} />
                )}
              </td>
              <td>{toWho(words, one)}</td>
              <td>
                <PostForm visit={visit} action={`${path}/back`}>
                  <button class="small" name="n" value={String(one.n)}>
                    {history.bring}
                  </button>
                </PostForm>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
