/** Codes: searched by folder and text, page by page; and a new one. */
import type { CodeItem } from "../../../api/code.ts";
import type { Folder } from "../../../api/folder.ts";
import { limits } from "../../../api/limits.ts";
import { ApiRefusal } from "../../api.ts";
import { type Column, TableList, pageQuery } from "../../view/list.tsx";
import { Name, PostForm, reply, TEXT_FIELD, Typed } from "../../view/page.tsx";
import {
  Address,
  Choice,
  Command,
  countIn,
  Field,
  Moment,
  type Option,
  Tick,
  toSearch,
  Go,
  Submit,
} from "../../view/parts.tsx";
import { field, leadTo, query, type Screen, typed, type Part, type Visit } from "../../visit.ts";
import { headOf } from "../../../base/text/words.ts";

/** Most pages of folders in a list to pick from; a longer list would be of no use. Tests lower it. */
export const folderLists = { pages: 5 };

export const mostFolders = (): number => folderLists.pages * limits.maxPageSize;

/** The workspace's folders by path, if they are few enough to pick from. */
export async function listFolders({ api, session }: Visit): Promise<Folder[]> {
  const all: Folder[] = [];
  for (let page = 1; page <= folderLists.pages; page += 1) {
    const found = await api("listFolders", {
      params: { workspace_id: session.workspaceId },
      query: { page: String(page), page_size: String(limits.maxPageSize) },
      isFurther: page > 1,
    });
    all.push(...found.results);
    if (found.next === null) break;
  }
  return all.toSorted((a, b) => (a.path ?? a.name).localeCompare(b.path ?? b.name));
}

type Named = Pick<Folder, "id" | "name" | "path">;

/**
 * Folders to pick from, below what is picked without one. `now` is picked already: it stands there also when
 * the list is too long, or nobody could leave it as it is.
 */
export function toFolderOptions(
  { words }: Pick<Visit, "words">,
  folders: readonly Folder[],
  first: readonly Option[],
  now?: Named | null,
): Option[] {
  const isMissing = (now ?? null) !== null && !folders.some(({ id }) => id === now?.id);
  const listed: readonly Named[] = isMissing && now ? [now, ...folders] : folders;
  const isCut = folders.length >= mostFolders();
  return [
    ...first,
    ...listed.map(({ id, path, name }) => [id, path ?? name] as const),
    ...(isCut
      ? [["", words.codes.moreFolders(countIn(words)(folders.length)), "disabled"] as const]
      : []),
  ];
}

export const nameOf = (
  words: Visit["words"],
  { display_name: name }: { readonly display_name?: string | null | undefined },
): string => ((name ?? "") === "" ? words.common.noName : (name ?? ""));

const listColumns = (visit: Visit): readonly Column<CodeItem>[] => {
  const { words } = visit;
  const { codes } = words;
  return [
    [
      codes.name,
      (item) => (
        <>
          <Name visit={visit} to={`/codes/${item.id}`} text={nameOf(words, item)} />
          <div class="soft word">{item.shortlink_url ?? codes.static}</div>
        </>
      ),
    ],
    [
      codes.destination,
      ({ qr_type: type, qr_data: data }) =>
        type === "Link" ? <Address url={data} /> : `${type}: ${headOf(data ?? "", 200)}`,
    ],
    [codes.folder, ({ folder }) => folder?.path ?? ""],
    [codes.tags, ({ tags }) => (tags ?? []).map(({ title }) => title).join(", ")],
    [
      codes.scans,
      ({ total_scans: n }) => ((n ?? null) === null ? "" : countIn(words)(n ?? 0)),
      "number",
    ],
    [codes.made, ({ created }) => <Moment words={words} at={created} />, "word"],
  ];
};

/** Which codes are looked for. */
export interface Sought {
  readonly q: string;
  /** Id or slug, or `none`. */
  readonly folder: string;
  readonly subfolders: string;
}

export const readSought = (visit: Visit): Sought => ({
  q: query(visit, "q"),
  folder: query(visit, "folder"),
  subfolders: query(visit, "subfolders"),
});

const Search: Part<{
  readonly wanted: Sought;
  readonly folders: readonly Folder[];
  readonly found: readonly CodeItem[];
}> = ({ visit, wanted, folders, found }) => {
  const { words, base } = visit;
  const { codes } = words;
  return (
    <form class="search" method="get" action={`${base}/codes`} role="search">
      <Field name="q" type="search" label={codes.search} value={wanted.q} maxlength={500} />
      <Choice
        name="folder"
        label={codes.folder}
        value={wanted.folder}
        options={toFolderOptions(
          visit,
          folders,
          [
            ["", codes.anyFolder],
            ["none", codes.unfiled],
          ],
          toNow(folders, wanted.folder, found),
        )}
      />
      <Tick name="subfolders" label={codes.subfolders} checked={wanted.subfolders !== ""} />
      <button class="main">{codes.find}</button>
    </form>
  );
};

/** The folder that is asked for by id or slug, as its codes tell it where the list is too long. */
function toNow(folders: readonly Folder[], folder: string, found: readonly CodeItem[]) {
  if (folder === "" || folder === "none") return undefined;
  const known = folders.find(({ id, slug }) => id === folder || slug === folder);
  const of = found.find((code) => code.folder?.id === folder || code.folder?.slug === folder);
  return { ...(known ?? of?.folder ?? { name: folder }), id: folder };
}

export const toApiQuery = ({ q, folder, subfolders }: Sought) => ({
  q,
  folder,
  subfolders: folder !== "" && folder !== "none" && subfolders !== "" ? "true" : undefined,
});

async function showCodes(visit: Visit): Promise<Response> {
  const { words, api, session, base } = visit;
  const { codes } = words;
  const wanted = readSought(visit);
  const folders = await listFolders(visit);
  const found = await api("listCodes", {
    params: { workspace_id: session.workspaceId },
    query: { ...toApiQuery(wanted), include: "scans,tags", ...pageQuery(visit) },
  });
  const search = toSearch({ ...wanted });
  const children = (
    <>
      <Search visit={visit} wanted={wanted} folders={folders} found={found.results} />
      <div class="actions">
        {session.caller.isReadOnly ? null : (
          <Go href={`${base}/codes/new`} text={codes.add} isMain />
        )}
        <Go href={`${base}/codes/many${search}`} text={codes.many} />
      </div>
      <TableList
        visit={visit}
        path={`/codes${search}`}
        found={found}
        none={codes.none}
        label={codes.title}
        columns={listColumns(visit)}
      />
    </>
  );
  return reply(visit, { at: "codes", title: codes.title, children });
}

async function showNew(visit: Visit): Promise<Response> {
  const { words, service, arrival, session, home } = visit;
  const { codes, code } = words;
  const folders = await listFolders(visit);
  const command = `curl -H "Authorization: Token $MAKEREADY_TOKEN" -H "Content-Type: application/json" ${service.apiUrl(arrival.request)}/qrcode/create/ -d '{"workspace":"${session.workspaceId}","qr_data":"https://example.com/","dynamic":true}'`;
  const children = (
    <>
      <PostForm visit={visit} action="/codes/new">
        <div class="fields">
          <Typed
            visit={visit}
            name="qr_data"
            label={code.destination}
            required
            hint={codes.destinationHint}
          />
          <Typed visit={visit} name="display_name" label={codes.name} maxlength={500} />
          <Choice
            name="folder"
            label={codes.folder}
            value={typed(visit, "folder", query(visit, "folder"))}
            options={toFolderOptions(visit, folders, [["", codes.unfiled]])}
          />
        </div>
        <Choice
          name="kind"
          label={codes.kind}
          value={typed(visit, "kind", "dynamic")}
          options={[
            ["dynamic", codes.dynamic],
            ["static", codes.staticLong],
            ["text", codes.text],
          ]}
        />
        <Submit text={codes.make} />
      </PostForm>
      <p class="soft">{codes.manyHint}</p>
      {home === undefined ? <Command words={words} text={command} /> : null}
    </>
  );
  return reply(visit, { at: "codes", title: codes.add, children });
}

/** One field takes addresses and texts: what is wrong with a text is not said of an address. */
async function naming<Made>(isText: boolean, make: () => Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    if (!isText || !(error instanceof ApiRefusal)) throw error;
    const lines = error.lines.map((line) => line.replace(/^qr_data:/u, `${TEXT_FIELD}:`));
    throw new ApiRefusal(error.status, lines);
  }
}

async function makeCode(visit: Visit): Promise<Response> {
  const { api, session } = visit;
  const kind = field(visit, "kind");
  const folder = field(visit, "folder");
  const isText = kind === "text";
  const made = await naming(isText, () =>
    api("createCode", {
      params: {},
      body: {
        workspace: session.workspaceId,
        qr_type: isText ? "Text" : "Link",
        qr_data: field(visit, "qr_data"),
        dynamic: kind === "dynamic",
        display_name: field(visit, "display_name"),
        ...(folder !== "" && { folder }),
      },
    }),
  );
  return leadTo(visit, `/codes/${encodeURIComponent(made.id)}`, "made");
}

export const codes: Screen = {
  get: { "/codes": showCodes, "/codes/new": showNew },
  post: { "/codes/new": { take: makeCode, again: showNew } },
};
