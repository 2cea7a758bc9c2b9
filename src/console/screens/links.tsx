/** Short links: search, make, change the destination, delete. */
import type { ResponseOf } from "../../api/endpoints.ts";
import { changedFields, tickText, Was } from "../as-shown.tsx";
import { toPicture } from "../view/design-form.tsx";
import { LastScans, TableList, pageQuery } from "../view/list.tsx";
import { Delete, Name, PostForm, reply, Typed } from "../view/page.tsx";
import { Address, countIn, Facts, Field, Moment, Tick, toSearch, Submit } from "../view/parts.tsx";
import {
  asCall,
  field,
  isTicked,
  leadTo,
  param,
  type Part,
  query,
  type Screen,
  type Visit,
} from "../visit.ts";
import { nameOf } from "./codes/codes.tsx";
import { History } from "./codes/history.tsx";

type Link = ResponseOf<"getLink">;

const VISITS_SHOWN = 10;
const pathOf = (visit: Visit): string => `/links/${encodeURIComponent(param(visit, "id"))}`;
const idOf = (visit: Visit) => ({ link_id: param(visit, "id") });

const Make: Part = ({ visit }) => {
  const { words } = visit;
  const { links: said, codes } = words;
  return (
    <PostForm visit={visit} action="/links">
      <h2>{said.add}</h2>
      <div class="fields">
        <Typed visit={visit} name="link" type="url" label={codes.destination} required />
        <Typed visit={visit} name="display_name" label={codes.name} />
        <Typed visit={visit} name="slug" label={said.slug} hint={said.slugHint} />
      </div>
      <button>{said.make}</button>
    </PostForm>
  );
};

async function showLinks(visit: Visit): Promise<Response> {
  const { words, api, session, base } = visit;
  const { links: said, codes } = words;
  const q = query(visit, "q");
  const found = await api("listLinks", {
    params: { workspace_id: session.workspaceId },
    query: { q, ...pageQuery(visit) },
  });
  const children = (
    <>
      <form class="search" method="get" action={`${base}/links`} role="search">
        <Field name="q" type="search" label={said.search} value={q} maxlength={500} />
        <button class="main">{codes.find}</button>
      </form>
      <TableList
        visit={visit}
        path={`/links${toSearch({ q })}`}
        found={found}
        none={said.none}
        label={said.title}
        columns={[
          [
            codes.name,
            (link) => <Name visit={visit} to={`/links/${link.id}`} text={nameOf(words, link)} />,
          ],
          [said.address, ({ shortlink_url: url }) => url],
          [codes.destination, ({ link }) => <Address url={link} />],
          [said.visits, (link) => countIn(words)(Number(link.total_scans ?? 0)), "number"],
        ]}
      />
      <Make visit={visit} />
    </>
  );
  return reply(visit, { at: "links", title: said.title, children });
}

const Edit: Part<{ readonly link: Link }> = ({ visit, link }) => {
  const { words } = visit;
  const { codes, code } = words;
  return (
    <PostForm visit={visit} action={pathOf(visit)}>
      <div class="fields">
        <Typed
          visit={visit}
          name="link"
          type="url"
          label={codes.destination}
          stored={link.link}
          required
        />
        <Typed visit={visit} name="display_name" label={codes.name} stored={link.display_name} />
      </div>
      <Was visit={visit} name="gps" stored={tickText(link.gps === true)} />
      <Tick name="gps" label={code.gps} checked={isTicked(visit, "gps", link.gps === true)} />
      <Submit text={words.common.save} />
    </PostForm>
  );
};

async function Visits({ visit }: { readonly visit: Visit }) {
  const { words, api } = visit;
  const { results } = await api("listLinkActivity", {
    params: idOf(visit),
    query: { page_size: String(VISITS_SHOWN) },
  });
  const title = words.links.lastVisits;
  return results.length === 0 ? null : (
    <>
      <h2>{title}</h2>
      <LastScans visit={visit} title={title} scans={results} />
    </>
  );
}

async function showLink(visit: Visit): Promise<Response> {
  const { words, api, owner } = visit;
  const link = await api("getLink", { params: idOf(visit) });
  const name = nameOf(words, link);
  const past = await owner.history(link.id);
  const visits = await Visits({ visit });
  const count = (n: unknown): string => countIn(words)(Number(n ?? 0));
  const children = (
    <>
      <div class="split">
        <div class="picture">
          <img
            src={toPicture(link.svg ?? "")}
            alt={words.code.pictureOf(name)}
            width={220}
            height={220}
          />
        </div>
        <Facts
          facts={[
            [words.links.address, <Address url={link.shortlink_url} />],
            [words.codes.destination, <Address url={link.link} />],
            [
              words.links.visits,
              words.code.scans(count(link.total_scans), count(link.unique_scans)),
            ],
            [words.codes.made, <Moment words={words} at={link.created} />],
          ]}
        />
      </div>
      <Edit visit={visit} link={link} />
      <History visit={visit} past={past} path={pathOf(visit)} />
      {visits}
      <Delete
        visit={visit}
        path={pathOf(visit)}
        title={words.links.delete}
        hint={words.links.deleteHint}
      />
    </>
  );
  return reply(visit, { at: "links", title: name, children });
}

async function makeLink(visit: Visit): Promise<Response> {
  const { api, session } = visit;
  const slug = field(visit, "slug");
  const made = await api("createLink", {
    params: {},
    body: {
      workspace: session.workspaceId,
      link: field(visit, "link"),
      display_name: field(visit, "display_name"),
      ...(slug !== "" && { slug }),
    },
  });
  return leadTo(visit, `/links/${encodeURIComponent(made.id)}`, "made");
}

async function saveLink(visit: Visit): Promise<Response> {
  const { api, words, form } = visit;
  const { links: said, codes, code, common } = words;
  const now = await api("getLink", { params: idOf(visit) });
  const to = now.link ?? "";
  const changed = changedFields(visit, [
    { name: "link", label: codes.destination, stored: to, said: said.changedMeanwhile(to) },
    { name: "display_name", label: codes.name, stored: now.display_name ?? "" },
    {
      name: "gps",
      label: code.gps,
      stored: tickText(now.gps === true),
      sent: tickText(form.has("gps")),
      now: now.gps === true ? common.yes : common.no,
    },
  ]);
  const body = {
    ...(changed.has("link") && { link: field(visit, "link") }),
    ...(changed.has("display_name") && { display_name: field(visit, "display_name") }),
    ...(changed.has("gps") && { gps: form.has("gps") }),
  };
  if (changed.size > 0) await api("updateLink", { params: idOf(visit), body });
  return leadTo(visit, pathOf(visit), "saved");
}

async function goBack(visit: Visit): Promise<Response> {
  const n = Number(field(visit, "n"));
  const past = (await visit.owner.history(param(visit, "id"))).find((one) => one.n === n);
  if (past?.what !== "destination") return leadTo(visit, pathOf(visit), "gone");
  await visit.api("updateLink", { params: idOf(visit), body: { link: past.before } });
  return leadTo(visit, pathOf(visit), "back");
}

const deleteLink = asCall(
  (visit) => visit.api("deleteLink", { params: idOf(visit) }),
  () => "/links",
  "deleted",
);

export const links: Screen = {
  get: { "/links": showLinks, "/links/:id": showLink },
  post: {
    "/links": { take: makeLink, again: showLinks },
    "/links/:id": { take: saveLink, again: showLink },
    "/links/:id/back": { take: goBack, again: showLink },
    "/links/:id/delete": { take: deleteLink, again: showLink },
  },
};
