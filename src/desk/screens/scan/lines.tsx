/** Tables of a check of printed sheets. */
import type { Child } from "hono/jsx";

import { countIn } from "../../view/figures.tsx";
import type { Words } from "../../words/words.ts";

/** More lines stand in `spoiled.csv`, and are counted here. */
const SHOWN = 200;
const LOW = 12;

/** A table that scrolls by itself; of more lines than are shown, the rest is counted. */
export function Lines<T>({
  words,
  title,
  head,
  all,
  line,
}: {
  readonly words: Words;
  readonly title: string;
  readonly head: readonly string[];
  readonly all: readonly T[];
  readonly line: (one: T) => Child;
}) {
  if (all.length === 0) return null;
  const count = countIn(words.language);
  return (
    <>
      <h2>{title}</h2>
      <div
        class={all.length > LOW ? "scroll low" : "scroll"}
        tabindex={0}
        role="region"
        aria-label={title}
      >
        <table class="stack">
          <thead>
            <tr>
              {head.map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>{all.slice(0, SHOWN).map(line)}</tbody>
        </table>
      </div>
      {all.length > SHOWN ? <p>{words.scan.more(count(all.length - SHOWN))}</p> : null}
    </>
  );
}
