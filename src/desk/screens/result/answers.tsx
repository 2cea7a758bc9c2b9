/** What respondents have sent to the forms of a job, and the way to it. */
import { existsSync } from "node:fs";
import path from "node:path";

import { quoteWord } from "../../../base/text/shell-words.ts";
import { lookAtState } from "../../../pipeline/standing/look-at-state.ts";
import type { OpenJob } from "../../../pipeline/open.ts";
import { DONE } from "../../../state/which-rows.ts";
import type { DeskContext } from "../../context.ts";
import { fileHref, outputDirOf } from "../../job-files.ts";
import { countIn } from "../../view/figures.tsx";
import { Command } from "../../view/page.tsx";
import { Download, Go } from "../../../console/view/parts.tsx";
import type { Words } from "../../words/words.ts";

const FILES = ["answers.csv", "answers.xlsx"];

interface AnswersProps {
  readonly desk: DeskContext;
  readonly opened: Pick<OpenJob, "job" | "server">;
  readonly manifest: string;
  readonly words: Words;
}

/** Of a job of kind `forms` that has made some. */
export async function Answers({ desk, opened, manifest, words }: AnswersProps) {
  const { job, server } = opened;
  if (job.kind !== "forms") return null;
  const forms = await lookAtState(job, desk, (state) => {
    const rows = state === undefined ? [] : [...state.rows(DONE), ...state.goneRows(DONE)];
    return new Set(rows.flatMap(({ remoteId }) => remoteId ?? []));
  });
  if (forms.size === 0) return null;
  const isHere = server.baseUrl === undefined;
  const answers = isHere ? await desk.countAnswers?.(server.dataDir, forms) : undefined;
  const [said, count, dir] = [words.answers, countIn(words.language), outputDirOf(job)];
  const files = FILES.map((name) => path.join(dir, name)).filter((file) => existsSync(file));
  return (
    <section id="answers">
      <h2>{said.title}</h2>
      {answers === undefined ? null : <p>{said.count(count(answers), count(forms.size))}</p>}
      <p class="soft">{said.hint}</p>
      <div class="actions">
        {answers === undefined ? null : <Go href="/console/forms" text={said.see} />}
        {files.map((file) => (
          <Download href={fileHref(manifest, dir, file)} text={path.basename(file)} />
        ))}
      </div>
      <Command words={words} text={`makeready answers ${quoteWord(manifest)}`} />
    </section>
  );
}
