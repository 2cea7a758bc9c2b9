/** Folders as a tree: made, renamed, moved, deleted. */
import type { Folder } from "../../api/folder.ts";
import { Choice, countIn, Field } from "../view/parts.tsx";
import { PostForm, reply } from "../view/page.tsx";
import { field, leadTo, param, typed, type Screen, type Visit } from "../visit.ts";
import { listFolders, toFolderOptions } from "./codes/codes.tsx";

interface TreeProps {
  readonly visit: Visit;
  readonly folders: readonly Folder[];
  readonly parent: string | null;
}

/** Deeper folders are reached through the ones that are shown: a page has an end. */
const MAX_DEPTH = 20;

const Change = ({
  visit,
  folder,
  folders,
}: {
  readonly visit: Visit;
  readonly folder: Folder;
  readonly folders: readonly Folder[];
}) => {
  const { folders: said, common } = visit.words;
  if (visit.session.caller.isReadOnly) return null;
  const path = `/folders/${encodeURIComponent(folder.id)}`;
  const others = folders.filter(({ id }) => id !== folder.id);
  return (
    <>
      <PostForm visit={visit} action={path} class="inline">
        <div class="field">
          <label for={`name-${folder.id}`}>{said.name}</label>
          <input
            id={`name-${folder.id}`}
            name="name"
            value={folder.name}
            required
            maxlength={150}
          />
        </div>
        <div class="field">
          <label for={`parent-${folder.id}`}>{said.parent}</label>
          <select id={`parent-${folder.id}`} name="parent">
            {toFolderOptions(others, [["", said.top]]).map(([id, name]) => (
              <option value={id} selected={id === (folder.parent ?? "")}>
                {name}
              </option>
            ))}
          </select>
        </div>
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

async function showFolders(visit: Visit): Promise<Response> {
  const { words, base } = visit;
  const { folders: said } = words;
  const folders = await listFolders(visit);
  const chosen = folders.find(({ id }) => id === visit.c.req.query("change"));
  const children = (
    <>
      {folders.length === 0 ? (
        <p>{said.none}</p>
      ) : (
        <Tree visit={visit} folders={folders} parent={null} />
      )}
      <p>
        <a href={`${base}/codes?folder=none`}>{said.unfiled}</a>
      </p>
      {folders.length === 0 || visit.session.caller.isReadOnly ? null : (
        <>
          <h2>{said.change}</h2>
          <form method="get" action={`${base}/folders`} class="inline">
            <Choice
              name="change"
              label={said.name}
              value={chosen?.id ?? ""}
              options={toFolderOptions(folders, [])}
            />
            <button class="small">{words.common.choose}</button>
          </form>
          {chosen === undefined ? null : <Change visit={visit} folder={chosen} folders={folders} />}
        </>
      )}
      {visit.session.caller.isReadOnly ? null : <h2>{said.add}</h2>}
      <PostForm visit={visit} action="/folders" class="inline">
        <Field
          name="name"
          label={said.name}
          value={typed(visit, "name", "")}
          required
          maxlength={150}
        />
        <Choice
          name="parent"
          label={said.parent}
          options={toFolderOptions(folders, [["", said.top]])}
        />
        <button>{said.make}</button>
      </PostForm>
    </>
  );
  return reply(visit, { at: "folders", title: said.title, children });
}

const orNull = (text: string): string | null => (text === "" ? null : text);

async function makeFolder(visit: Visit): Promise<Response> {
  const { session, api } = visit;
  const body = {
    workspace: session.workspaceId,
    name: field(visit, "name"),
    parent: orNull(field(visit, "parent")),
  };
  await api("createFolder", { params: {}, body });
  return leadTo(visit, "/folders", "made");
}

async function saveFolder(visit: Visit): Promise<Response> {
  const body = { name: field(visit, "name"), parent: orNull(field(visit, "parent")) };
  await visit.api("updateFolder", { params: { folder_id: param(visit, "id") }, body });
  return leadTo(visit, "/folders", "saved");
}

async function deleteFolder(visit: Visit): Promise<Response> {
  await visit.api("deleteFolder", { params: { folder_id: param(visit, "id") } });
  return leadTo(visit, "/folders", "deleted");
}

export const folders: Screen = {
  get: { "/folders": showFolders },
  post: {
    "/folders": { take: makeFolder, again: showFolders },
    "/folders/:id": { take: saveFolder, again: showFolders },
    "/folders/:id/delete": { take: deleteFolder, again: showFolders },
  },
};
