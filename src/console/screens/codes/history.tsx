/** What a code led to and looked like, who changed it and when, with one click back. */
import type { Past, PastDesign } from "../../../service/owner/history.ts";
import { Address, Moment, Table } from "../../view/parts.tsx";
import { PostForm } from "../../view/page.tsx";
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
  /** Of the code, below the console. */
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
                {one.what === "design" ? describeDesign(words, one) : <Address url={one.before} />}
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
