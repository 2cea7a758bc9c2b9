/**
 * Changes of many codes. They are not made by this page but by a job, which plans first, waits for
 * the limits and can be undone. This page writes its manifest.
 */
import type { CodeItem } from "../../../api/code.ts";
import { limits } from "../../../api/limits.ts";
import { isHexColor } from "../../../base/color/color.ts";
import { DEFAULT_INK, designScanWarnings } from "../../../base/color/contrast.ts";
import { makeCsv } from "../../../pack/csv.ts";
import type { ShownDrawing } from "../../../service/owner/port.ts";
import { ApiRefusal, eachEntry } from "../../api.ts";
import {
  ChangeFields,
  designOf,
  Drawn,
  fromQuery,
  readChanges,
  replyDrawing,
} from "../../view/design-form.tsx";
import { PostForm, reply } from "../../view/page.tsx";
import { Choice, countIn, toSearch, Submit, Go } from "../../view/parts.tsx";
import { replyCsv } from "../../view/stream.ts";
import { query, type Screen, type Visit } from "../../visit.ts";
import { listFolders, readSought, toApiQuery, type Sought } from "./codes.tsx";

const KINDS = ["redesign", "retarget", "export"] as const;
type Kind = (typeof KINDS)[number];

interface Wanted extends Sought {
  readonly kind: Kind;
}

const readWanted = (visit: Visit): Wanted => ({
  kind: KINDS.find((one) => one === query(visit, "kind")) ?? "redesign",
  ...readSought(visit),
});

/** JSON is YAML; a dollar sign would begin a variable. */
const quote = (text: string): string => JSON.stringify(text.replaceAll("$", "$$$$"));

const toFlow = (fields: readonly string[]): string =>
  fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;

/** Folders are given by id: a name may be ambiguous, or be `none`. */
async function toSelect(visit: Visit, { q, folder, subfolders }: Wanted): Promise<string> {
  const isOne = folder !== "" && folder !== "none";
  const path = isOne ? (await listFolders(visit)).find(({ id }) => id === folder)?.path : undefined;
  const select = toFlow([
    ...(folder === "" ? [] : [`folder: ${quote(folder)}`]),
    ...(isOne && subfolders !== "" ? ["subfolders: true"] : []),
    ...(q === "" ? [] : [`q: ${quote(q)}`]),
  ]);
  return `select: ${select}${path === undefined ? "" : ` # ${JSON.stringify(path)}`}`;
}

const toDesign = (visit: Visit): string =>
  `design: ${toFlow(
    Object.entries(readChanges(fromQuery(visit))).map(
      ([name, value]) => `${name}: ${quote(value)}`,
    ),
  )}`;

/** Names that the texts of a redesign may use (docs/existing-codes.md, "redesign"). */
const NAMED =
  /\{\{\s*(?:id|display_name|qr_data|qr_type|shortlink_url|folder|created|date|month)\s*\}\}/gu;

/** Colours that a plan refuses: no scanner tells them apart. */
function areUnreadable(changes: Readonly<Record<string, string>>): boolean {
  const {
    primary_color: primaryColor = DEFAULT_INK,
    eye_color: eyeColor = primaryColor,
    background_color: backgroundColor = null,
  } = changes;
  const inks = { primaryColor, eyeColor, backgroundColor };
  const areColors = Object.values(inks).every((one) => one === null || isHexColor(one));
  return areColors && designScanWarnings(inks).length > 0;
}

/** Why no manifest can be written yet. */
function findProblem(visit: Visit, { kind }: Wanted): string | undefined {
  const { many } = visit.words;
  if (kind !== "redesign") return undefined;
  const changes = readChanges(fromQuery(visit));
  if (Object.keys(changes).length === 0) return many.nothingChosen;
  if (areUnreadable(changes)) return many.unreadable;
  return (changes["text"] ?? "").replaceAll(NAMED, "").includes("{{")
    ? many.unknownName
    : undefined;
}

/** The name of a job without a name. */
const toStem = ({ kind }: Wanted): string => `console-${kind}`;

interface Named {
  readonly name: string;
  readonly list: string;
}

/** Within another program, jobs use its service: so they don't name one. */
async function toManifest(visit: Visit, wanted: Wanted, { name, list }: Named): Promise<string> {
  const { service, arrival, session, home } = visit;
  const { kind } = wanted;
  const rest: Readonly<Record<Kind, () => Promise<readonly string[]>>> = {
    redesign: async () => [
      await toSelect(visit, wanted),
      toDesign(visit),
      "safety: { keep_previous: true, skip_unchanged: true, max_codes: 100000, confirm_over: 100 }",
    ],
    retarget: async () => [
      `source: { file: ${list}, key: [id], columns: { id: { required: true }, old_url: {}, new_url: { type: url } } }`,
      'match: { by: [id], value: "{{ id }}" }',
      'expect: "{{ old_url }}"',
      'set: { qr_data: "{{ new_url }}" }',
      "safety: { keep_previous: true, confirm_over: 100 }",
    ],
    export: async () => [await toSelect(visit, wanted)],
  };
  const lines = [
    "version: 1",
    `name: ${name}`,
    `kind: ${kind}`,
    ...(home === undefined
      ? [
          `api: { base_url: ${quote(service.apiUrl(arrival.request))}, workspace: ${quote(session.workspaceId)} }`,
        ]
      : []),
    ...(await rest[kind]()),
    `output: { dir: out/${home === undefined ? kind : name} }`,
  ];
  return `${lines.join("\n")}\n`;
}

const LIST = "codes.csv";

async function countCodes(visit: Visit, wanted: Wanted): Promise<number> {
  const { api, session } = visit;
  const { count } = await api("listCodes", {
    params: { workspace_id: session.workspaceId },
    query: { ...toApiQuery(wanted), page_size: "1" },
  });
  return count;
}

/** How many codes, and that the list of a retarget leaves some out. */
async function sayWhich(visit: Visit, wanted: Wanted): Promise<string> {
  const { words, api, session } = visit;
  const count = await countCodes(visit, wanted);
  const which = words.many.which(countIn(words)(count));
  if (wanted.kind !== "retarget") return which;
  if (count > limits.maxPageSize) return `${which}. ${words.many.someFixed}`;
  const { results } = await api("listCodes", {
    params: { workspace_id: session.workspaceId },
    query: { ...toApiQuery(wanted), page_size: String(limits.maxPageSize) },
    isFurther: true,
  });
  const fixed = results.filter((one) => !leadsSomewhere(one)).length;
  return fixed === 0 ? which : `${which}. ${words.many.fixed(fixed)}`;
}

/** The manifest, and how to use it. */
async function Written({ visit, wanted }: { readonly visit: Visit; readonly wanted: Wanted }) {
  const { many } = visit.words;
  const manifest = await toManifest(visit, wanted, { name: toStem(wanted), list: LIST });
  const { search } = new URL(visit.c.req.url);
  return (
    <>
      <h2>{many.manifest}</h2>
      <code class="command" tabindex={0}>
        {manifest}
      </code>
      {visit.home === undefined ? null : (
        <PostForm visit={visit} action={`/codes/many/job${search}`}>
          <Submit text={many.save} />
          <p class="soft">
            {wanted.kind === "retarget" ? `${many.saveListHint} ${many.saveHint}` : many.saveHint}
          </p>
        </PostForm>
      )}
      {visit.home !== undefined ? null : <Download visit={visit} wanted={wanted} />}
    </>
  );
}

/** For people who use the command line. */
function Download({ visit, wanted }: { readonly visit: Visit; readonly wanted: Wanted }) {
  const { base } = visit;
  const { many } = visit.words;
  const { search } = new URL(visit.c.req.url);
  const list = toSearch({ q: wanted.q, folder: wanted.folder, subfolders: wanted.subfolders });
  const file = `${toStem(wanted)}.yaml`;
  const commands = `export MAKEREADY_TOKEN=…\nmakeready plan ${file}\nmakeready run ${file}${wanted.kind === "export" ? "" : `\nmakeready undo ${file}`}`;
  return (
    <>
      <div class="actions">
        <Go href={`${base}/codes/many/${file}${search}`} text={many.download} />
        {wanted.kind === "retarget" ? (
          <Go href={`${base}/codes/many/codes.csv${list}`} text={many.list} />
        ) : null}
      </div>
      {wanted.kind === "retarget" ? <p>{many.listHint}</p> : null}
      <h2>{many.run}</h2>
      <code class="command" tabindex={0}>
        {commands}
      </code>
      <p class="soft">{wanted.kind === "export" ? many.planOnly : many.planFirst}</p>
    </>
  );
}

/** The changes, drawn on a plain code. */
const drawSample = (visit: Visit): Promise<ShownDrawing> =>
  visit.service.draw(visit.session, {
    workspaceId: visit.session.workspaceId,
    patch: readChanges(fromQuery(visit)),
  });

async function showMany(visit: Visit): Promise<Response> {
  const { words, base } = visit;
  const { many } = words;
  const wanted = readWanted(visit);
  const problem = findProblem(visit, wanted);
  const written = problem === undefined ? await Written({ visit, wanted }) : null;
  const isAsked = Object.keys(visit.c.req.query()).length > 0;
  const isRestyled = wanted.kind === "redesign";
  const drawn = isRestyled ? await drawSample(visit) : undefined;
  const children = (
    <>
      <p>{many.text}</p>
      <p>
        <strong>{await sayWhich(visit, wanted)}</strong>
      </p>
      <div class={isRestyled ? "split" : undefined}>
        {drawn === undefined ? null : <Drawn visit={visit} drawn={drawn} alt={many.sample} />}
        <form
          method="get"
          action={`${base}/codes/many`}
          data-draws={isRestyled ? `${base}/codes/many/draw` : undefined}
          data-picture="#drawn"
          data-said="#said"
        >
          {(["q", "folder", "subfolders"] as const).map((name) =>
            wanted[name] === "" ? null : <input type="hidden" name={name} value={wanted[name]} />,
          )}
          <Choice
            name="kind"
            label={many.kind}
            value={wanted.kind}
            options={KINDS.map((one) => [one, many.kinds[one]] as const)}
          />
          {isRestyled ? <ChangeFields visit={visit} design={designOf(visit)} /> : null}
          <Submit text={many.show} />
        </form>
      </div>
      {problem === undefined ? null : (
        <p class="banner warn" role={isAsked ? "alert" : undefined}>
          {problem}
        </p>
      )}
      {written}
    </>
  );
  return reply(visit, { at: "codes", title: many.title, children });
}

async function downloadManifest(visit: Visit): Promise<Response> {
  const wanted = readWanted(visit);
  const problem = findProblem(visit, wanted);
  if (problem !== undefined) return showMany({ ...visit, problems: [{ said: problem }] });
  const name = toStem(wanted);
  return visit.c.body(await toManifest(visit, wanted, { name, list: LIST }), 200, {
    "content-type": "application/yaml; charset=utf-8",
    "content-disposition": `attachment; filename="${name}.yaml"`,
  });
}

/** Stores the job in the folder of the program that shows the console. */
async function saveJob(visit: Visit): Promise<Response> {
  const { home } = visit;
  const wanted = readWanted(visit);
  const problem = findProblem(visit, wanted);
  if (home === undefined) throw new ApiRefusal(404, []);
  if (problem !== undefined) return showMany({ ...visit, problems: [{ said: problem }] });
  const to = await home.saveJob(toStem(wanted), async (name) => ({
    manifest: await toManifest(visit, wanted, { name, list: `${name}.csv` }),
    list: wanted.kind === "retarget" ? await readList(visit, wanted) : undefined,
  }));
  return visit.c.redirect(to, 303);
}

/** False for static codes and contacts: they have no destination. */
const leadsSomewhere = ({ dynamic, qr_type: type }: CodeItem): boolean =>
  dynamic && type !== "vCard";

async function* listRows(visit: Visit, wanted: Wanted): AsyncGenerator<readonly string[]> {
  const { api, session } = visit;
  const items = eachEntry<CodeItem>((page, isFurther) =>
    api("listCodes", {
      params: { workspace_id: session.workspaceId },
      query: { ...toApiQuery(wanted), page, page_size: String(limits.maxPageSize) },
      isFurther,
    }),
  );
  for await (const item of items) {
    const { id, display_name: name, shortlink_url: link, qr_data: data } = item;
    if (leadsSomewhere(item)) yield [id, name ?? "", link ?? "", data ?? "", ""];
  }
}

const LIST_HEADER = ["id", "display_name", "shortlink_url", "old_url", "new_url"];

const downloadList = (visit: Visit): Promise<Response> =>
  replyCsv(visit, LIST, { header: LIST_HEADER, rows: listRows(visit, readWanted(visit)) });

async function readList(visit: Visit, wanted: Wanted): Promise<string> {
  let text = "";
  for await (const piece of makeCsv(LIST_HEADER, listRows(visit, wanted))) text += piece;
  return text;
}

export const many: Screen = {
  get: {
    "/codes/many": showMany,
    "/codes/many/draw": (visit) => replyDrawing(visit, () => drawSample(visit)),
    "/codes/many/codes.csv": downloadList,
    "/codes/many/:file{console-[a-z]+\\.yaml}": downloadManifest,
  },
  post: { "/codes/many/job": { take: saveJob, again: showMany } },
};
