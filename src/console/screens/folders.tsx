/** Folders as a tree: made, renamed, moved, deleted. */
import type { Folder } from "../../api/folder.ts";
import { limits } from "../../api/limits.ts";
import { ApiRefusal, findEntry } from "../api.ts";
import { changedFields, Was } from "../as-shown.tsx";
import { OwnRefusal } from "../refusal.ts";
import { PostForm, reply } from "../view/page.tsx";
import { Choice, countIn, Field, Pager } from "../view/parts.tsx";
import {
  field,
  asCall,
  leadTo,
  orNull,
  page as pageOf,
  param,
  query,
  type Screen,
  typed,
  type Part,
  type Visit,
} from "../visit.ts";
import { listFolders, mostFolders, toFolderOptions } from "./codes/codes.tsx";

/** The status of a refusal because of what is there already. */
const CONFLICT = 409;

const toParent = ({ parent, path, name }: Folder) =>
  (parent ?? null) === null
    ? undefined
    : { id: parent ?? "", name: (path ?? name).slice(0, -name.length - 1) };

interface TreeProps {
  readonly visit: Visit;
  readonly folders: readonly Folder[];
  readonly parent: string | null;
}

/** Deeper folders are reached through the shown ones, so that the page stays short. */
const MAX_DEPTH = 20;

const Change: Part<{ readonly folder: Folder; readonly folders: readonly Folder[] }> = ({
  visit,
  folder,
  folders,
}) => {
  const { folders: said, common } = visit.words;
  if (visit.session.caller.isReadOnly) return null;
  const path = `/folders/${encodeURIComponent(folder.id)}`;
  const others = folders.filter(({ id }) => id !== folder.id);
  const parent = toParent(folder);
  return (
    <>
      <PostForm visit={visit} action={path} class="inline">
        <Was visit={visit} name="name" stored={folder.name} />
        <Was visit={visit} name="parent" stored={folder.parent} />
        <div class="field">
          <label for={`name-${folder.id}`}>{said.name}</label>
          <input
            id={`name-${folder.id}`}
            name="name"
            value={typed(visit, "name", folder.name)}
            required
            maxlength={150}
          />
        </div>
        <Choice
          id={`parent-${folder.id}`}
          name="parent"
          label={said.parent}
          value={typed(visit, "parent", folder.parent)}
          options={toFolderOptions(visit, others, [["", said.top]], parent)}
        />
        <button class="small">{common.save}</button>
      </PostForm>
      <PostForm visit={visit} action={`${path}/delete`} class="inline">
        <button class="small danger">{said.delete}</button>
        <span class="soft">{said.deleteHint}</span>
      </PostForm>
    </>
  );
};

function Tree({ visit, folders, parent, depth = 0 }: TreeProps & { readonly depth?: number }) {
  const { words, base } = visit;
  const here = folders.filter((folder) => (folder.parent ?? null) === parent);
  if (here.length === 0 || depth > MAX_DEPTH) return null;
  return (
    <ul class="tree">
      {here.map((folder) => (
        <li>
          <div class="row">
            <a class="name" href={`${base}/codes?folder=${encodeURIComponent(folder.id)}`}>
              {folder.name}
            </a>
            <span class="soft">{words.folders.codes(countIn(words)(folder.code_count ?? 0))}</span>
          </div>
          <Tree visit={visit} folders={folders} parent={folder.id} depth={depth + 1} />
        </li>
      ))}
    </ul>
  );
}

/** For more folders than a tree can show: page by page, by name. */
async function Pages({ visit }: { readonly visit: Visit }) {
  const { words, base, api, session } = visit;
  const { folders: said } = words;
  const page = pageOf(visit);
  const found = await api("listFolders", {
    params: { workspace_id: session.workspaceId },
    query: { page: String(page), page_size: String(limits.maxPageSize) },
  });
  const chosen = found.results.find(({ id }) => id === toChosen(visit));
  const html = (
    <>
      <p class="soft">{said.tooMany}</p>
      <ul class="tree">
        {found.results.map((folder) => (
          <li class="row">
            <a class="name" href={`${base}/codes?folder=${encodeURIComponent(folder.id)}`}>
              {folder.path ?? folder.name}
            </a>
            <span class="soft">{words.folders.codes(countIn(words)(folder.code_count ?? 0))}</span>
            <a href={`${base}/folders?page=${page}&change=${encodeURIComponent(folder.id)}`}>
              {said.change}
            </a>
          </li>
        ))}
      </ul>
      <Pager
        visit={visit}
        path="/folders"
        page={page}
        pageSize={limits.maxPageSize}
        count={found.count}
      />
    </>
  );
  return { html, chosen };
}

/** The folder that is being changed, or whose change was refused. */
const toChosen = (visit: Visit): string => param(visit, "id") || query(visit, "change");

const Make: Part<{ readonly folders: readonly Folder[] }> = ({ visit, folders }) => {
  const { folders: said } = visit.words;
  // With an id in the path, the typed name belongs to the form that changes that folder.
  const at = (name: string): string => (param(visit, "id") === "" ? typed(visit, name, "") : "");
  return (
    <PostForm visit={visit} action="/folders" class="inline">
      <Field name="name" label={said.name} value={at("name")} required maxlength={150} />
      <Choice
        name="parent"
        label={said.parent}
        value={at("parent")}
        options={toFolderOptions(visit, folders, [["", said.top]])}
      />
      <button>{said.make}</button>
    </PostForm>
  );
};

async function showFolders(visit: Visit): Promise<Response> {
  const { words, base } = visit;
  const { folders: said } = words;
  const folders = await listFolders(visit);
  const pages = folders.length < mostFolders() ? undefined : await Pages({ visit });
  const chosen = pages?.chosen ?? folders.find(({ id }) => id === toChosen(visit));
  const children = (
    <>
      {folders.length === 0 ? <p>{said.none}</p> : null}
      {pages?.html ?? <Tree visit={visit} folders={folders} parent={null} />}
      <p>
        <a href={`${base}/codes?folder=none`}>{said.unfiled}</a>
      </p>
      {visit.session.caller.isReadOnly ? null : (
        <>
          {folders.length === 0 ? null : (
            <>
              <h2>{said.change}</h2>
              <form method="get" action={`${base}/folders`} class="inline">
                <Choice
                  name="change"
                  label={said.name}
                  value={chosen?.id ?? ""}
                  options={toFolderOptions(visit, folders, [])}
                />
                <button class="small">{words.common.choose}</button>
              </form>
            </>
          )}
          {chosen === undefined ? null : <Change visit={visit} folder={chosen} folders={folders} />}
          <h2>{said.add}</h2>
          <Make visit={visit} folders={folders} />
        </>
      )}
    </>
  );
  return reply(visit, { at: "folders", title: said.title, children });
}

const readFolder = (visit: Visit) => ({
  name: field(visit, "name"),
  parent: orNull(field(visit, "parent")),
});

async function makeFolder(visit: Visit): Promise<Response> {
  const { session, make, words, base } = visit;
  const body = { workspace: session.workspaceId, ...readFolder(visit) };
  const { one, isNew } = await make("createFolder", { params: {}, body });
  if (!isNew) {
    const href = `${base}/codes?folder=${encodeURIComponent(one.id)}`;
    const to = { href, text: one.path ?? one.name };
    throw new OwnRefusal(CONFLICT, [{ said: words.folders.isThere, to }]);
  }
  return leadTo(visit, "/folders", "made");
}

const ofFolder = (visit: Visit) => ({ folder_id: param(visit, "id") });
const toList = (): string => "/folders";

const findFolder = ({ api, session }: Visit, id: string): Promise<Folder | undefined> =>
  findEntry<Folder>(id, (page, isFurther) =>
    api("listFolders", {
      params: { workspace_id: session.workspaceId },
      query: { page, page_size: String(limits.maxPageSize) },
      isFurther,
    }),
  );

async function saveFolder(visit: Visit): Promise<Response> {
  const { folders: said } = visit.words;
  const now = await findFolder(visit, param(visit, "id"));
  if (now === undefined) throw new ApiRefusal(404, []);
  const changed = changedFields(visit, [
    { name: "name", label: said.name, stored: now.name },
    {
      name: "parent",
      label: said.parent,
      stored: now.parent ?? "",
      now: toParent(now)?.name ?? said.top,
    },
  ]);
  const body = Object.fromEntries(
    Object.entries(readFolder(visit)).filter(([name]) => changed.has(name)),
  );
  if (changed.size > 0) await visit.api("updateFolder", { params: ofFolder(visit), body });
  return leadTo(visit, "/folders", "saved");
}

const deleteFolder = asCall(
  (visit) => visit.api("deleteFolder", { params: ofFolder(visit) }),
  toList,
  "deleted",
);

export const folders: Screen = {
  get: { "/folders": showFolders },
  post: {
    "/folders": { take: makeFolder, again: showFolders },
    "/folders/:id": { take: saveFolder, again: showFolders },
    "/folders/:id/delete": { take: deleteFolder, again: showFolders },
  },
};
