/** A finished PDF in the page, page by page. */
import path from "node:path";

import type { Hono } from "hono";

import type { DeskContext } from "../../context.ts";
import { fileHref, outputDirOf, showHref } from "../../job-files.ts";
import { manifestOf, openDeskJob } from "../../jobs.ts";
import { countIn } from "../../view/figures.tsx";
import { jobPath, replyPage, Steps } from "../../view/page.tsx";
import type { Part } from "../../view/part.ts";
import { wordsFor } from "../../words/words.ts";
import { findFile, nameBehind } from "./files.ts";
import { drawPage } from "./page-picture.ts";
import { Go, Download } from "../../../console/view/parts.tsx";

/** Address of a page's picture. */
export const pictureHref = (show: string, page: number): string => `${show}?page=${page}&picture`;

export const Pager: Part<{
  readonly page: number;
  readonly pages: number;
  readonly href: (page: number) => string;
  /** How another page is reached. Default: a link. */
  readonly To?: typeof Go;
}> = ({ page, pages, href, To = Go, words }) => {
  const count = countIn(words.language);
  const said = words.result;
  return (
    <nav class="actions pager" aria-label={said.pages}>
      {page > 1 ? <To href={href(page - 1)} text={said.sheetBefore} /> : null}
      <span>{said.sheetOf(count(page), count(pages))}</span>
      {page < pages ? <To href={href(page + 1)} text={said.sheetAfter} /> : null}
    </nav>
  );
};

export function routeShow(app: Hono, desk: DeskContext): void {
  app.get("/job/:manifest/show/*", async (c) => {
    const manifest = await manifestOf(c, desk);
    const { job } = await openDeskJob(desk, manifest);
    const dir = outputDirOf(job);
    const name = nameBehind(c, `${jobPath(manifest)}/show/`);
    const file = /\.pdf$/iu.test(name) ? await findFile(desk, { manifest, job, name }) : undefined;
    const page = Number(c.req.query("page") ?? 1);
    const drawn = file === undefined ? undefined : await drawPage(file, page);
    if (file === undefined || drawn === undefined) return c.notFound();
    if (c.req.query("picture") !== undefined) {
      return c.body(Buffer.from(drawn.png), 200, { "content-type": "image/png" });
    }
    const words = wordsFor(c);
    const show = showHref(manifest, dir, file);
    const title = path.basename(file);
    const children = (
      <>
        <Steps words={words} manifest={manifest} at="result" />
        <h1>{title}</h1>
        <p class="actions">
          <Download href={fileHref(manifest, dir, file)} text={words.result.download} isMain />
          <a href={`${jobPath(manifest)}/result`}>{words.common.back}</a>
        </p>
        <Pager page={page} pages={drawn.pages} href={(to) => `${show}?page=${to}`} words={words} />
        <img
          class="page-picture"
          src={pictureHref(show, page)}
          alt={words.result.pageOf(countIn(words.language)(page), title)}
        />
      </>
    );
    return replyPage(c, { desk, title, children });
  });
}
