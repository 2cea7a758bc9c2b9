import type { Problem } from "../../base/errors.ts";
import type { TaskFault } from "../tasks/task.ts";
import type { Words } from "../words/words.ts";

const SHOWN = 200;

/** Faults with their place and what to do, as a table. */
export function Problems({
  words,
  problems,
  label = words.common.problem,
}: {
  readonly words: Words;
  /** Of the table, where a page has several. */
  readonly label?: string;
  readonly problems: readonly Problem[];
}) {
  if (problems.length === 0) return null;
  const { common } = words;
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{common.place}</th>
            <th scope="col">{common.problem}</th>
            <th scope="col">{common.fix}</th>
          </tr>
        </thead>
        <tbody>
          {problems.slice(0, SHOWN).map(({ message, where, hint }) => (
            <tr>
              <td class="word">{where?.line ?? where?.row ?? where?.field ?? ""}</td>
              <td>{message}</td>
              <td>{hint ?? ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What stopped a step, in a banner. */
export const Fault = ({ words, fault }: { readonly words: Words; readonly fault: TaskFault }) => (
  <div class="banner bad" role="alert">
    <strong>{fault.message}</strong>
    {fault.hint === undefined ? null : <p>{fault.hint}</p>}
    <Problems words={words} problems={fault.problems} />
  </div>
);
