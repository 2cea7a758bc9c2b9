/** Forms and their responses: as a table, as CSV, with images. */
import type { ResponseOf } from "../../api/endpoints.ts";
import type { OptionWords } from "../../service/owner/option-words.ts";
import { choiceTypes } from "../../api/form.ts";
import { limits } from "../../api/limits.ts";
import { eachEntry, findEntry } from "../api.ts";
import { type Column, List, pageQuery, Rows, TableList } from "../view/list.tsx";
import { Name, PostForm, reply } from "../view/page.tsx";
import { Address, countIn, Moment, toOwnPath, Go } from "../view/parts.tsx";
import { replyCsv } from "../view/stream.ts";
import { asCall, param, type Part, type Screen, type Visit } from "../visit.ts";

type Submission = ResponseOf<"listFormResponses">["results"][number];
type FieldAnswer = NonNullable<Submission["field_responses"]>[number];

const pathOf = (visit: Visit): string => `/forms/${encodeURIComponent(param(visit, "id"))}`;
const idOf = (visit: Visit) => ({ form_id: param(visit, "id") });

async function showForms(visit: Visit): Promise<Response> {
  const { words, api, session } = visit;
  const { forms: said } = words;
  const found = await api("listForms", {
    params: {},
    query: { workspace: session.workspaceId, ...pageQuery(visit) },
  });
  const children = (
    <>
      <TableList
        visit={visit}
        path="/forms"
        found={found}
        none={said.none}
        label={said.title}
        columns={[
          [
            said.heading,
            ({ id, title }) => <Name visit={visit} to={`/forms/${id}`} text={title ?? ""} />,
          ],
          [said.status, ({ status }) => said.statuses[status ?? ""] ?? status],
          [said.answers, ({ response_count: n }) => countIn(words)(n ?? 0), "number"],
          [said.address, ({ share_url: url }) => <Address url={url} />],
          [said.changed, ({ modified }) => <Moment words={words} at={modified} />, "word"],
        ]}
      />
      <p class="soft">{said.hint}</p>
    </>
  );
  return reply(visit, { at: "forms", title: said.title, children });
}

/** Found in the lists; no call answers a single form. */
function findForm(visit: Visit) {
  const workspace = visit.session.workspaceId;
  return findEntry(param(visit, "id"), (page, isFurther) => {
    const query = { workspace, page, page_size: String(limits.maxFormPageSize) };
    return visit.api("listForms", { params: {}, query, isFurther });
  });
}

/** Field id -> its question, in the order of appearance: forms change, responses stay. */
function toColumns(responses: readonly Submission[]): Map<string, string> {
  const columns = new Map<string, string>();
  for (const { field_responses: answers } of responses) {
    for (const { field_id: id, field_label: label } of answers ?? []) {
      if (!columns.has(id)) columns.set(id, label ?? id);
    }
  }
  return columns;
}

const answerOf = (response: Submission, id: string): FieldAnswer | undefined =>
  response.field_responses?.find(({ field_id: one }) => one === id);

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? `${value}` : "";
}

/** Chosen answers in the form's present words; what it no longer offers, as it is stored. */
function toChosen(answer: FieldAnswer | undefined, options: OptionWords): unknown {
  const isChosen = choiceTypes.has(answer?.field_type ?? "");
  const words = isChosen ? options.get(answer?.field_id ?? "") : undefined;
  const say = (one: unknown): unknown => (typeof one === "string" ? (words?.get(one) ?? one) : one);
  const value = answer?.value;
  return Array.isArray(value) ? value.map(say) : say(value);
}

const AnswerCell: Part<{
  readonly answer: FieldAnswer | undefined;
  readonly options: OptionWords;
}> = ({ visit, answer, options }) => {
  const { forms: said, common } = visit.words;
  const value = toChosen(answer, options);
  if (typeof value === "boolean") return <>{value ? common.yes : common.no}</>;
  // As it was written: a year has no thousands.
  const number = { maximumFractionDigits: 20, useGrouping: false };
  if (typeof value === "number")
    return <>{new Intl.NumberFormat(visit.words.language, number).format(value)}</>;
  const text = toText(value);
  if (answer?.field_type === "image" && text !== "") {
    const path = toOwnPath(text);
    return (
      <a class="answer-picture" href={path}>
        <img src={path} alt={said.image} loading="lazy" />
      </a>
    );
  }
  return <>{text}</>;
};

type Form = NonNullable<Awaited<ReturnType<typeof findForm>>>;

const Actions: Part<{ readonly form: Form | undefined }> = ({ visit, form }) => {
  const { forms: said } = visit.words;
  const path = `${pathOf(visit)}/${form?.status === "Closed" ? "reopen" : "close"}`;
  const isLive = form?.status === "Published" || form?.status === "Closed";
  return (
    <div class="actions">
      <Go href={`${visit.base}${pathOf(visit)}/answers.csv`} text={said.csv} />
      {isLive ? (
        <PostForm visit={visit} action={path}>
          <button>{form?.status === "Closed" ? said.reopen : said.close}</button>
        </PostForm>
      ) : null}
    </div>
  );
};

const Answers: Part<{
  readonly responses: readonly Submission[];
  readonly options: OptionWords;
}> = ({ visit, responses, options }) => {
  const { words } = visit;
  const { forms: said } = words;
  const questions = [...toColumns(responses)].map(([id, label]): Column<Submission> => [
    label,
    (response) => <AnswerCell visit={visit} answer={answerOf(response, id)} options={options} />,
  ]);
  return (
    <Rows
      label={said.answers}
      items={responses}
      columns={[
        [said.sent, ({ submitted_at: at }) => <Moment words={words} at={at} />, "word"],
        ...questions,
        [
          said.took,
          ({ completion_time_seconds: s }) => said.seconds(countIn(words)(s ?? 0)),
          "number",
        ],
      ]}
    />
  );
};

async function showForm(visit: Visit): Promise<Response> {
  const { words, api } = visit;
  const { forms: said } = words;
  const form = await findForm(visit);
  const query = pageQuery(visit);
  const found = await api("listFormResponses", { params: idOf(visit), query });
  const status = said.statuses[form?.status ?? ""] ?? form?.status;
  const children = (
    <>
      <p>
        {status} · <Address url={form?.share_url} />
      </p>
      <Actions visit={visit} form={form} />
      <List visit={visit} path={pathOf(visit)} found={found} none={said.noAnswers}>
        <Answers
          visit={visit}
          responses={found.results}
          options={await visit.owner.optionWords(param(visit, "id"))}
        />
      </List>
    </>
  );
  return reply(visit, { at: "forms", title: form?.title ?? said.title, children });
}

/** All responses, the newest first. */
const readResponses = (visit: Visit, isFurther: boolean): AsyncGenerator<Submission> =>
  eachEntry<Submission>(
    (page, further) =>
      visit.api("listFormResponses", {
        params: idOf(visit),
        query: { page, page_size: String(limits.maxFormPageSize) },
        isFurther: further,
      }),
    isFurther,
  );

async function* toRows(visit: Visit, ids: readonly string[]): AsyncGenerator<readonly string[]> {
  for await (const response of readResponses(visit, true)) {
    const answers = ids.map((id) => toText(answerOf(response, id)?.value));
    yield [response.id, response.submitted_at ?? "", ...answers];
  }
}

/** The questions of all responses become columns: so these are read first. */
async function downloadAnswers(visit: Visit): Promise<Response> {
  const columns = new Map<string, string>();
  for await (const response of readResponses(visit, false)) {
    for (const [id, label] of toColumns([response])) columns.set(id, columns.get(id) ?? label);
  }
  return replyCsv(visit, "answers.csv", {
    header: ["id", "submitted_at", ...columns.values()],
    rows: toRows(visit, [...columns.keys()]),
  });
}

const close = asCall((visit) => visit.api("closeForm", { params: idOf(visit) }), pathOf, "closed");
const reopen = asCall(
  (visit) => visit.api("reopenForm", { params: idOf(visit) }),
  pathOf,
  "reopened",
);

export const forms: Screen = {
  get: {
    "/forms": showForms,
    "/forms/:id": showForm,
    "/forms/:id/answers.csv": downloadAnswers,
  },
  post: {
    "/forms/:id/close": { take: close, again: showForm },
    "/forms/:id/reopen": { take: reopen, again: showForm },
  },
};
