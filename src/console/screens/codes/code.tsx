/** One code: its picture, its destination and design, their history, its tags and scans. */
import type { ResponseOf } from "../../../api/endpoints.ts";
import type { Past } from "../../../service/owner/history.ts";
import { changedFields, type ShownField, tickText, Was } from "../../as-shown.tsx";
import { LastScans } from "../../view/list.tsx";
import { Delete, PostForm, reply, Typed } from "../../view/page.tsx";
import {
  Address,
  Choice,
  Command,
  countIn,
  type Fact,
  Facts,
  Field,
  Moment,
  Tick,
  toOwnPath,
  Go,
  Submit,
  Warned,
} from "../../view/parts.tsx";
import {
  asCall,
  field,
  isTicked,
  leadTo,
  orNull,
  param,
  type Part,
  type Screen,
  typed,
  type Visit,
} from "../../visit.ts";
import type { Words } from "../../words/words.ts";
import { listFolders, nameOf, toFolderOptions } from "./codes.tsx";
import { History } from "./history.tsx";

type Code = ResponseOf<"getCode">;

const SCANS_SHOWN = 10;

const pathOf = (visit: Visit): string => `/codes/${encodeURIComponent(param(visit, "id"))}`;
const idOf = (visit: Visit) => ({ qr_code_id: param(visit, "id") });

function toFacts(words: Words, code: Code): Fact[] {
  const { code: said, codes } = words;
  const { total_scans: total, unique_scans: unique } = code;
  const count = countIn(words);
  const isCounted = typeof total === "number" && typeof unique === "number";
  const link = code.shortlink_url ?? null;
  return [
    [code.qr_type === "Link" ? said.destination : said.content, <Address url={code.qr_data} />],
    [said.shortLink, link === null ? codes.static : <Address url={link} />],
    [codes.scans, isCounted ? said.scans(count(total), count(unique)) : said.notCounted],
    [codes.folder, code.folder?.path ?? codes.unfiled],
    [codes.made, <Moment words={words} at={code.created} />],
    [words.common.id, <code>{code.id}</code>],
  ];
}

const Downloads: Part<{ readonly code: Code }> = ({ visit, code }) => {
  const { words, base } = visit;
  const to = `${base}${pathOf(visit)}`;
  return (
    <div class="actions">
      <Go href={`${to}/download/png`} text={words.code.png} />
      <Go href={`${to}/download/svg`} text={words.code.svg} />
      {visit.session.caller.isReadOnly ? null : (
        <Go href={`${to}/design`} text={words.code.design} />
      )}
      {code.dynamic ? <Go href={`${to}/analytics`} text={words.code.analytics} /> : null}
    </div>
  );
};

async function Edit({ visit, code }: { readonly visit: Visit; readonly code: Code }) {
  const { words, service, arrival, home } = visit;
  const { code: said, codes } = words;
  const folders = await listFolders(visit);
  const command = `curl -X PATCH -H "Authorization: Token $MAKEREADY_TOKEN" -H "Content-Type: application/json" ${service.apiUrl(arrival.request)}/qrcode/${code.id}/update/ -d '{"qr_data":"https://example.com/new"}'`;
  const leads = code.dynamic && code.qr_type !== "vCard";
  if (visit.session.caller.isReadOnly) return null;
  return (
    <>
      <h2>{said.change}</h2>
      <PostForm visit={visit} action={pathOf(visit)}>
        <div class="fields">
          {leads ? (
            <Typed
              visit={visit}
              name="qr_data"
              label={said.newDestination}
              stored={code.qr_data}
              required
            />
          ) : null}
          <Typed
            visit={visit}
            name="display_name"
            label={codes.name}
            stored={code.display_name}
            maxlength={500}
          />
          <Was visit={visit} name="folder" stored={code.folder?.id} />
          <Choice
            name="folder"
            label={codes.folder}
            value={typed(visit, "folder", code.folder?.id ?? "")}
            options={toFolderOptions(visit, folders, [["", codes.unfiled]], code.folder)}
          />
        </div>
        {code.dynamic ? (
          <>
            <Was visit={visit} name="gps" stored={tickText(code.gps_tracking === true)} />
            <Tick
              name="gps"
              label={said.gps}
              checked={isTicked(visit, "gps", code.gps_tracking === true)}
            />
          </>
        ) : (
          <p class="soft">{said.staticHint}</p>
        )}
        <Submit text={words.common.save} />
      </PostForm>
      {home === undefined ? <Command words={words} text={command} /> : null}
    </>
  );
}

const Tags: Part<{ readonly code: Code }> = ({ visit, code }) => {
  const { words, base } = visit;
  const tags = code.tags ?? [];
  const path = pathOf(visit);
  return (
    <>
      <h2>{words.codes.tags}</h2>
      {tags.length === 0 ? <p class="soft">{words.common.none}</p> : null}
      <ul class="tags">
        {tags.map(({ id, title }) => (
          <li>
            <a href={`${base}/codes?q=${encodeURIComponent(title)}`}>{title}</a>
            <PostForm visit={visit} action={`${path}/tags/remove`}>
              <button name="tag" value={id} aria-label={words.code.untag(title)}>
                ×
              </button>
            </PostForm>
          </li>
        ))}
      </ul>
      <PostForm visit={visit} action={`${path}/tags`} class="inline">
        <Field name="tag" label={words.code.newTag} required maxlength={255} />
        <button>{words.code.tag}</button>
      </PostForm>
    </>
  );
};

async function Scans({ visit, code }: { readonly visit: Visit; readonly code: Code }) {
  const { words, api } = visit;
  if (!code.dynamic) return null;
  const { results } = await api("listActivity", {
    params: idOf(visit),
    query: { page_size: String(SCANS_SHOWN) },
  });
  const { code: said } = words;
  return (
    <>
      <h2>{said.lastScans}</h2>
      {results.length === 0 ? (
        <p>{said.noScans}</p>
      ) : (
        <LastScans visit={visit} title={said.lastScans} scans={results} />
      )}
    </>
  );
}

async function showCode(visit: Visit): Promise<Response> {
  const { words, api, base, owner } = visit;
  const code = await api("getCode", { params: idOf(visit) });
  const past = await owner.history(code.id);
  const isVoid = await owner.isVoid(code.id);
  const edit = await Edit({ visit, code });
  const scans = await Scans({ visit, code });
  const name = nameOf(words, code);
  const path = pathOf(visit);
  const warnings = code.scan_warnings ?? [];
  const children = (
    <>
      {isVoid ? <p class="banner warn">{words.code.isVoid}</p> : null}
      <div class="split">
        <div>
          <div class="picture">
            <img
              src={`${base}${path}/picture.svg`}
              alt={words.code.pictureOf(name)}
              width={220}
              height={220}
            />
          </div>
          {warnings.map((line) => (
            <p class="banner warn">
              <Warned words={words} line={line} />
            </p>
          ))}
        </div>
        <div>
          <Facts facts={toFacts(words, code)} />
          <Downloads visit={visit} code={code} />
        </div>
      </div>
      {edit}
      <History visit={visit} past={past} path={path} />
      <Tags visit={visit} code={code} />
      {scans}
      <Delete
        visit={visit}
        path={path}
        title={words.code.delete}
        hint={code.dynamic ? words.code.deleteDynamic : words.code.deleteStatic}
      />
    </>
  );
  return reply(visit, { at: "codes", title: name, children });
}

/** The fields that the page of a code can change, as they are now. */
function toFields({ words, form }: Visit, code: Code): readonly ShownField[] {
  const { code: said, codes, common } = words;
  const data = code.qr_data ?? "";
  return [
    {
      name: "qr_data",
      label: said.newDestination,
      stored: data,
      said: said.changedMeanwhile(data),
    },
    { name: "display_name", label: codes.name, stored: code.display_name ?? "" },
    {
      name: "folder",
      label: codes.folder,
      stored: code.folder?.id ?? "",
      now: code.folder?.path ?? codes.unfiled,
    },
    ...(code.dynamic
      ? [
          {
            name: "gps",
            label: said.gps,
            stored: tickText(code.gps_tracking === true),
            sent: tickText(form.has("gps")),
            now: code.gps_tracking === true ? common.yes : common.no,
          },
        ]
      : []),
  ];
}

async function saveCode(visit: Visit): Promise<Response> {
  const before = await visit.api("getCode", { params: idOf(visit) });
  const changed = changedFields(visit, toFields(visit, before));
  const body = {
    ...(changed.has("display_name") && { display_name: field(visit, "display_name") }),
    ...(changed.has("folder") && { folder: orNull(field(visit, "folder")) }),
    ...(changed.has("gps") && { gps_tracking: visit.form.has("gps") }),
    ...(changed.has("qr_data") && { qr_data: field(visit, "qr_data") }),
  };
  if (changed.size > 0) await visit.api("updateCode", { params: idOf(visit), body });
  return leadTo(visit, pathOf(visit), "saved");
}

/** Restores the destination or the design before the nth change. */
async function goBack(visit: Visit): Promise<Response> {
  const { api, owner } = visit;
  const n = Number(field(visit, "n"));
  const past = (await owner.history(param(visit, "id"))).find((one): one is Past => one.n === n);
  if (past === undefined) return leadTo(visit, pathOf(visit), "gone");
  if (past.what === "design") {
    const body = await owner.pastDesign(param(visit, "id"), n);
    await api("updateDesign", { params: idOf(visit), body });
  } else {
    const body =
      past.vcard === undefined ? { qr_data: past.before } : { vcard: past.vcard as never };
    await api("updateCode", { params: idOf(visit), body });
  }
  return leadTo(visit, pathOf(visit), "back");
}

const addTag = asCall(
  (visit) => visit.api("addTags", { params: idOf(visit), body: [{ title: field(visit, "tag") }] }),
  pathOf,
  "saved",
);

const removeTag = asCall(
  (visit) => visit.api("removeTag", { params: { ...idOf(visit), tag: field(visit, "tag") } }),
  pathOf,
  "saved",
);

async function showPicture(visit: Visit): Promise<Response> {
  const { service, session } = visit;
  const wish = { codeId: param(visit, "id"), workspaceId: session.workspaceId, patch: {} };
  const { svg } = await service.draw(session, wish);
  return visit.c.body(svg, 200, { "content-type": "image/svg+xml" });
}

/** The file of the code; made when missing. */
async function download(visit: Visit): Promise<Response> {
  const files = await visit.api("downloadCode", { params: idOf(visit) });
  const url = param(visit, "as") === "svg" ? files.svg_url : files.png_url;
  return visit.c.redirect(toOwnPath(url), 303);
}

export const code: Screen = {
  get: {
    "/codes/:id": showCode,
    "/codes/:id/picture.svg": showPicture,
    "/codes/:id/download/:as{png|svg}": download,
  },
  post: {
    "/codes/:id": { take: saveCode, again: showCode },
    "/codes/:id/back": { take: goBack, again: showCode },
    "/codes/:id/tags": { take: addTag, again: showCode },
    "/codes/:id/tags/remove": { take: removeTag, again: showCode },
    "/codes/:id/delete": {
      take: asCall(
        (visit) => visit.api("deleteCode", { params: idOf(visit) }),
        () => "/codes",
        "deleted",
      ),
      again: showCode,
    },
  },
};
