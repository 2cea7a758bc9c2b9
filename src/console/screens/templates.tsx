/** Templates: viewed, tried with a live drawing, copied into a manifest. And tags. */
import { recoloredParts } from "../../api/design.ts";
import { limits } from "../../api/limits.ts";
import { findEntry } from "../api.ts";
import {
  designOf,
  DesignFields,
  fromQuery,
  Drawn,
  readDesign,
  replyDrawing,
  WasDesign,
  type Design,
} from "../view/design-form.tsx";
import { List, pageQuery } from "../view/list.tsx";
import { reply } from "../view/page.tsx";
import { Pager, toOwnPath, Submit } from "../view/parts.tsx";
import { page as pageOf, query, type Screen, type Visit } from "../visit.ts";

/** A built-in one in the language of the page. */
const nameOf = (
  template: { readonly id: string; readonly title: string },
  { words }: Visit,
): string => {
  const named = words.code.lookOf("template", template.id);
  return named === template.id ? template.title : named;
};

async function showTemplates(visit: Visit): Promise<Response> {
  const { words, api, session, base } = visit;
  const { templates: said } = words;
  const page = pageOf(visit);
  const found = await api("listTemplates", {
    params: { workspace_id: session.workspaceId },
    query: { page: String(page) },
  });
  const children = (
    <>
      <p>{said.text}</p>
      <ul class="cards">
        {found.results.map((template) => (
          <li class="card">
            <img
              src={toOwnPath(template.preview ?? "http://localhost/")}
              alt=""
              loading="lazy"
              width={180}
              height={180}
            />
            <h2>
              <a href={`${base}/templates/try?template=${encodeURIComponent(template.id)}`}>
                {nameOf(template, visit)}
              </a>
            </h2>
            <span class="soft">{template.is_default === true ? said.builtIn : said.own}</span>
          </li>
        ))}
      </ul>
      <Pager
        visit={visit}
        path="/templates"
        page={page}
        pageSize={limits.pageSize}
        count={found.count}
      />
    </>
  );
  return reply(visit, { at: "templates", title: said.title, children });
}

const findTemplate = ({ api, session }: Visit, id: string) =>
  findEntry(id, (page, isFurther) => {
    const query = { page, page_size: String(limits.maxPageSize) };
    return api("listTemplates", {
      params: { workspace_id: session.workspaceId },
      query,
      isFurther,
    });
  });

const drawWith = (visit: Visit) =>
  visit.service.draw(visit.session, {
    templateId: query(visit, "template"),
    workspaceId: visit.session.workspaceId,
    patch: query(visit, "pattern") === "" ? {} : readDesign(fromQuery(visit)),
  });

/**
 * Changes to the template are listed beside its name, with colours that would follow one of these
 * changes, and are not to.
 */
function toLines(template: string, design: Design, visit: Visit): string {
  const given = query(visit, "pattern") === "" ? {} : readDesign(fromQuery(visit));
  const changed = Object.entries(given).filter(
    ([name, value]) => name !== "remove_logo" && (value ?? "") !== (design[name] ?? ""),
  );
  const following = recoloredParts(design, Object.fromEntries(changed));
  const kept = Object.entries(given).filter(
    ([name, value]) => following.some((part) => part === name) && value !== null,
  );
  const fields = [["template", template], ...changed, ...kept].map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  return `code:\n  design: { ${fields.join(", ")} }`;
}

async function tryOut(visit: Visit): Promise<Response> {
  const { words, base } = visit;
  const { templates: said, code } = words;
  const id = query(visit, "template");
  const template = await findTemplate(visit, id);
  if (template === undefined) return visit.c.redirect(`${base}/templates`, 303);
  const drawn = await drawWith(visit);
  const design: Design =
    query(visit, "pattern") === "" ? template : { ...template, ...designOf(visit) };
  const children = (
    <>
      <div class="split">
        <Drawn visit={visit} drawn={drawn} alt={nameOf(template, visit)} />
        <form
          method="get"
          action={`${base}/templates/try`}
          data-draws={`${base}/templates/draw`}
          data-picture="#drawn"
          data-said="#said"
        >
          <input type="hidden" name="template" value={id} />
          <p class="soft">{code.designHint}</p>
          <WasDesign visit={visit} design={design} names={["background_color"]} />
          <DesignFields visit={visit} design={design} />
          <Submit text={words.many.show} />
        </form>
      </div>
      <h2>{said.lines}</h2>
      <code class="command" tabindex={0}>
        {toLines(id, template, visit)}
      </code>
      <p class="soft">{said.linesHint}</p>
    </>
  );
  return reply(visit, { at: "templates", title: said.tryTitle(nameOf(template, visit)), children });
}

async function showTags(visit: Visit): Promise<Response> {
  const { words, api, session, base } = visit;
  const { tags: said } = words;
  const found = await api("listTags", {
    params: { workspace_id: session.workspaceId },
    query: { ...pageQuery(visit), page_size: String(limits.maxPageSize) },
  });
  const children = (
    <>
      <p>{said.text}</p>
      <List visit={visit} path="/tags" found={found} pageSize={limits.maxPageSize} none={said.none}>
        <ul class="tags">
          {found.results.map(({ title }) => (
            <li>
              <a href={`${base}/codes?q=${encodeURIComponent(title)}`}>{title}</a>
            </li>
          ))}
        </ul>
      </List>
    </>
  );
  return reply(visit, { at: "tags", title: said.title, children });
}

export const templates: Screen = {
  get: {
    "/templates": showTemplates,
    "/templates/try": tryOut,
    "/templates/draw": (visit) => replyDrawing(visit, () => drawWith(visit)),
    "/tags": showTags,
  },
};
