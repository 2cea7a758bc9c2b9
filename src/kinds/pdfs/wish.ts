import path from "node:path";

import type { FindFixed, FindKept, PdfFacts, Render, Thing } from "../../plan/thing.ts";
import type { Wanted } from "../../state/row.ts";
import { isWebUrl } from "../../api/fields.ts";
import { got, orNull } from "../wish-parts.ts";
import type { PdfsJob } from "./job.ts";

export function toPdfThing(job: PdfsJob, render: Render, facts: PdfFacts): Thing {
  const url = orNull(render(job.pdf.url ?? "").trim());
  const fileName = orNull(render(job.pdf.fileName ?? "").trim());
  const problems = [...facts.problems];
  if (facts.file !== null && url !== null) {
    problems.push("a row must name a file or a pdf_url, got both");
  } else if (facts.file === null && url === null && problems.length === 0) {
    problems.push("a row must name a file or a pdf_url, got neither");
  }
  if (url !== null && !isWebUrl(url)) {
    problems.push(`pdf_url must be an http or https URL, ${got(url)}`);
  }
  const { file, sha256, empty } = facts;
  const fields = { pdf: { file, sha256, url, fileName } };
  if (empty === undefined) return { fields, problems };
  const message = `the PDF ${empty} has no page; people who scan the code will see an error`;
  return { fields, problems, warnings: [{ message, hint: "open it, and save it again as PDF" }] };
}

/** A file that was moved or renamed without change is the same PDF. */
const toContent = (pdf: Wanted["pdf"]): string =>
  JSON.stringify([pdf?.sha256 ?? null, pdf?.url ?? null]);

export const findFixedPdf: FindFixed = ({ pdf: made }, { pdf }) =>
  toContent(pdf) === toContent(made)
    ? undefined
    : "the hosted PDF of a made code can't be swapped through this API";

/** The server's name of the file, where the row names a file here. */
const toName = (pdf: Wanted["pdf"]): string | null =>
  pdf?.fileName ?? (pdf?.file == null ? null : path.basename(pdf.file));

export const findKeptPdf: FindKept = ({ pdf: made }, { pdf }) => {
  if ((made?.fileName ?? null) === (pdf?.fileName ?? null)) return undefined;
  const [was, is] = [toName(made), toName(pdf)];
  if (was === is) return undefined;
  const old = was === null ? "its name" : `the name "${was}"`;
  const wished = is === null ? "another name" : `"${is}"`;
  return {
    message: `the hosted PDF keeps ${old}, and doesn't get ${wished}: this API can't rename the PDF of a made code`,
    hint: "put the old pdf.filename back; a row with a new key makes a second code",
  };
};
