/** Landing pages and PDFs: what is hosted here, each with its code. */
import { limits } from "../../api/limits.ts";
import { Address, Field, Moment, Pager, Table } from "../view/parts.tsx";
import { PostForm, reply } from "../view/page.tsx";
import { field, leadTo, page as pageOf, typed, type Screen, type Visit } from "../visit.ts";
import { nameOf } from "./codes/codes.tsx";

const CodeOf = ({ visit, id }: { readonly visit: Visit; readonly id: string | null | undefined }) =>
  (id ?? null) === null ? (
    <span class="soft">{visit.words.pages.noCode}</span>
  ) : (
    <a href={`${visit.base}/codes/${encodeURIComponent(id ?? "")}`}>{visit.words.pages.code}</a>
  );

const MakePage = ({ visit }: { readonly visit: Visit }) => {
  const { pages: said } = visit.words;
  return (
    <PostForm visit={visit} action="/pages">
      <h2>{said.add}</h2>
      <div class="fields">
        <Field
          name="title"
          label={said.heading}
          value={typed(visit, "title", "")}
          required
          maxlength={500}
        />
        <Field
          name="slug"
          label={visit.words.links.slug}
          value={typed(visit, "slug", "")}
          hint={visit.words.links.slugHint}
        />
      </div>
      <div class="field">
        <label for="f-description">{said.description}</label>
        <textarea id="f-description" name="description" rows={2} maxlength={5000}>
          {typed(visit, "description", "")}
        </textarea>
      </div>
      <div class="field">
        <label for="f-links">{said.buttons}</label>
        <textarea id="f-links" name="links" rows={4} aria-describedby="f-links-hint">
          {typed(visit, "links", "")}
        </textarea>
        <p class="hint" id="f-links-hint">
          {said.buttonsHint}
        </p>
      </div>
      <div class="fields">
        <Field
          name="bg_color"
          type="color"
          label={said.background}
          value={typed(visit, "bg_color", "#ffffff")}
        />
        <Field
          name="text_color"
          type="color"
          label={said.ink}
          value={typed(visit, "text_color", "#111111")}
        />
      </div>
      <button>{said.make}</button>
      <p class="soft">{said.hint}</p>
    </PostForm>
  );
};

async function showPages(visit: Visit): Promise<Response> {
  const { words, api, session } = visit;
  const { pages: said } = words;
  const page = pageOf(visit);
  const found = await api("listPages", {
    params: { workspace_id: session.workspaceId },
    query: { page: String(page) },
  });
  const children = (
    <>
      {found.results.length === 0 ? (
        <p>{said.none}</p>
      ) : (
        <>
          <Table
            label={said.title}
            heads={[said.heading, said.address, said.buttons, said.code, words.codes.made]}
          >
            {found.results.map((one) => (
              <tr>
                <td>{one.title}</td>
                <td>
                  <Address url={one.share_url} />
                </td>
                <td>{(one.links ?? []).map(({ title, url }) => title || url).join(", ")}</td>
                <td>
                  <CodeOf visit={visit} id={one.qr_id} />
                </td>
                <td class="word">
                  <Moment words={words} at={one.created} />
                </td>
              </tr>
            ))}
          </Table>
          <Pager
            visit={visit}
            path="/pages"
            page={page}
            pageSize={limits.pageSize}
            count={found.count}
          />
        </>
      )}
      <MakePage visit={visit} />
    </>
  );
  return reply(visit, { at: "pages", title: said.title, children });
}

/** `https://example.com/shop Our shop`: the address up to the first space, then the text. */
function readButtons(text: string): { url: string; title: string }[] {
  return text
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const at = line.search(/\s/u);
      return at < 0
        ? { url: line, title: "" }
        : { url: line.slice(0, at), title: line.slice(at).trim() };
    });
}

async function makePage(visit: Visit): Promise<Response> {
  const { api, session } = visit;
  const slug = field(visit, "slug");
  await api("createPage", {
    params: {},
    body: {
      workspace: session.workspaceId,
      title: field(visit, "title"),
      description: field(visit, "description"),
      links: readButtons(field(visit, "links")),
      bg_color: field(visit, "bg_color"),
      text_color: field(visit, "text_color"),
      ...(slug !== "" && { slug }),
    },
  });
  return leadTo(visit, "/pages", "made");
}

const PDF_PAGE = 50;

async function showPdfs(visit: Visit): Promise<Response> {
  const { words, owner, session, base } = visit;
  const { pdfs: said } = words;
  const page = pageOf(visit);
  const found = await owner.pdfCodes(session.workspaceId, page);
  const shown = found.slice(0, PDF_PAGE);
  const children = (
    <>
      {shown.length === 0 ? (
        <p>{said.none}</p>
      ) : (
        <Table
          label={said.title}
          heads={[said.name, said.hosted, words.code.shortLink, words.codes.made]}
        >
          {shown.map((one) => (
            <tr>
              <td>
                <a class="name" href={`${base}/codes/${encodeURIComponent(one.id)}`}>
                  {nameOf(words, { display_name: one.name })}
                </a>
                {one.leadsElsewhere ? <div class="soft">{said.elsewhere}</div> : null}
              </td>
              <td>
                <a href={one.url}>{one.fileName === "" ? one.url : one.fileName}</a>
              </td>
              <td>{one.shortLink}</td>
              <td class="word">
                <Moment words={words} at={one.createdMs} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Pager
        visit={visit}
        path="/pdfs"
        page={page}
        pageSize={PDF_PAGE}
        count={(page - 1) * PDF_PAGE + found.length}
      />
      <PostForm visit={visit} action="/pdfs" hasFile>
        <h2>{said.add}</h2>
        <div class="fields">
          <div class="field">
            <label for="f-file">{said.file}</label>
            <input id="f-file" type="file" name="file" accept="application/pdf" />
          </div>
          <Field name="pdf_url" type="url" label={said.url} value={typed(visit, "pdf_url", "")} />
          <Field name="display_name" label={said.name} value={typed(visit, "display_name", "")} />
        </div>
        <button>{said.make}</button>
      </PostForm>
    </>
  );
  return reply(visit, { at: "pdfs", title: said.title, children });
}

async function makePdf(visit: Visit): Promise<Response> {
  const { api, session, form } = visit;
  const file = form.get("file");
  const url = field(visit, "pdf_url");
  const given =
    file instanceof File && file.size > 0
      ? {
          pdf_base64: Buffer.from(await file.arrayBuffer()).toString("base64"),
          filename: file.name,
        }
      : {};
  const made = await api("createPdf", {
    params: {},
    body: {
      workspace: session.workspaceId,
      display_name: field(visit, "display_name"),
      ...given,
      ...(url !== "" && { pdf_url: url }),
    },
  });
  return leadTo(visit, `/codes/${encodeURIComponent(made.id)}`, "made");
}

export const pages: Screen = {
  get: { "/pages": showPages, "/pdfs": showPdfs },
  post: {
    "/pages": { take: makePage, again: showPages },
    "/pdfs": { take: makePdf, again: showPdfs },
  },
};
