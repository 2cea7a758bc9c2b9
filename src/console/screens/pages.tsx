/** Landing pages and hosted PDFs, each with its code. */
import { toButtonText } from "../../api/page.ts";
import { ApiRefusal } from "../api.ts";
import { pageQuery, TableList } from "../view/list.tsx";
import { Name, PostForm, reply, Typed } from "../view/page.tsx";
import { Address, Moment, Tick } from "../view/parts.tsx";
import {
  field,
  isTicked,
  leadTo,
  page as pageOf,
  type Screen,
  typed,
  type Part,
  type Visit,
} from "../visit.ts";
import { nameOf } from "./codes/codes.tsx";

const CodeOf: Part<{ readonly id: string | null | undefined }> = ({ visit, id }) =>
  (id ?? null) === null ? (
    <span class="soft">{visit.words.pages.noCode}</span>
  ) : (
    <a href={`${visit.base}/codes/${encodeURIComponent(id ?? "")}`}>{visit.words.pages.code}</a>
  );

const MakePage: Part = ({ visit }) => {
  const { pages: said } = visit.words;
  return (
    <PostForm visit={visit} action="/pages">
      <h2>{said.add}</h2>
      <div class="fields">
        <Typed visit={visit} name="title" label={said.heading} required maxlength={500} />
        <Typed
          visit={visit}
          name="slug"
          label={visit.words.links.slug}
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
        <Typed
          visit={visit}
          name="bg_color"
          type="color"
          label={said.background}
          stored="#ffffff"
        />
        <Typed visit={visit} name="text_color" type="color" label={said.ink} stored="#111111" />
      </div>
      <Tick
        name="device_colors"
        label={said.deviceColors}
        checked={isTicked(visit, "device_colors", false)}
      />
      <button>{said.make}</button>
      <p class="soft">{said.hint}</p>
    </PostForm>
  );
};

async function showPages(visit: Visit): Promise<Response> {
  const { words, api, session } = visit;
  const { pages: said } = words;
  const found = await api("listPages", {
    params: { workspace_id: session.workspaceId },
    query: pageQuery(visit),
  });
  const children = (
    <>
      <TableList
        visit={visit}
        path="/pages"
        found={found}
        none={said.none}
        label={said.title}
        columns={[
          [said.heading, ({ title }) => title],
          [said.address, ({ share_url: url }) => <Address url={url} />],
          [said.buttons, ({ links }) => (links ?? []).map(toButtonText).join(", ")],
          [said.code, ({ qr_id: id }) => <CodeOf visit={visit} id={id} />],
          [words.codes.made, ({ created }) => <Moment words={words} at={created} />, "word"],
        ]}
      />
      <MakePage visit={visit} />
    </>
  );
  return reply(visit, { at: "pages", title: said.title, children });
}

interface ButtonLine {
  readonly url: string;
  readonly title: string;
  /** Where it stands in the field as the page shows it again, from 0: empty lines count. */
  readonly at: number;
}

/** `https://example.com/shop Our shop`: the address up to the first space, then the text. */
function readButtons(visit: Visit): ButtonLine[] {
  return field(visit, "links")
    .split(/\r?\n/u)
    .flatMap((whole, at) => {
      const line = whole.trim();
      const [url = ""] = /^\S+/u.exec(line) ?? [];
      return url === "" ? [] : [{ url, title: line.slice(url.length).trim(), at }];
    });
}

/** The refusal with the buttons' own lines in place of their numbers. */
function atLines(error: unknown, buttons: readonly ButtonLine[]): unknown {
  if (!(error instanceof ApiRefusal)) return error;
  const lines = error.lines.map((line) =>
    line.replace(/^links\.(\d+)/u, (all, n: string) => {
      const button = buttons[Number(n)];
      return button === undefined ? all : `links.${button.at}`;
    }),
  );
  return new ApiRefusal(error.status, lines);
}

async function makePage(visit: Visit): Promise<Response> {
  const { api, session } = visit;
  const slug = field(visit, "slug");
  const buttons = readButtons(visit);
  const colors = {
    bg_color: field(visit, "bg_color"),
    text_color: field(visit, "text_color"),
  };
  const body = {
    workspace: session.workspaceId,
    title: field(visit, "title"),
    description: field(visit, "description"),
    links: buttons.map(({ url, title }) => ({ url, title })),
    ...(field(visit, "device_colors") === "" && colors),
    ...(slug !== "" && { slug }),
  };
  try {
    await api("createPage", { params: {}, body });
  } catch (error) {
    throw atLines(error, buttons);
  }
  return leadTo(visit, "/pages", "made");
}

const PDF_PAGE = 50;

async function showPdfs(visit: Visit): Promise<Response> {
  const { words, owner, session } = visit;
  const { pdfs: said } = words;
  const found = await owner.pdfCodes(session.workspaceId, pageOf(visit));
  const children = (
    <>
      <TableList
        visit={visit}
        path="/pdfs"
        label={said.title}
        found={found}
        pageSize={PDF_PAGE}
        none={said.none}
        columns={[
          [
            said.name,
            ({ id, name, leadsElsewhere }) => (
              <>
                <Name
                  visit={visit}
                  to={`/codes/${id}`}
                  text={nameOf(words, { display_name: name })}
                />
                {leadsElsewhere ? <div class="soft">{said.elsewhere}</div> : null}
              </>
            ),
          ],
          [
            said.hosted,
            ({ url, fileName }) => <a href={url}>{fileName === "" ? url : fileName}</a>,
          ],
          [words.code.shortLink, ({ shortLink }) => shortLink],
          [words.codes.made, ({ createdMs }) => <Moment words={words} at={createdMs} />, "word"],
        ]}
      />
      <PostForm visit={visit} action="/pdfs" hasFile>
        <h2>{said.add}</h2>
        <div class="fields">
          <div class="field">
            <label for="f-file">{said.file}</label>
            <input id="f-file" type="file" name="file" accept="application/pdf" />
          </div>
          <Typed visit={visit} name="pdf_url" type="url" label={said.url} />
          <Typed visit={visit} name="display_name" label={said.name} />
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
