/** PDF codes: docs/spec/api.md sections 2.9 and 4.4. */
import { randomBytes } from "node:crypto";

import { limits } from "../../../api/limits.ts";
import { toMessage } from "../../../base/errors.ts";
import { toFileName } from "../../../base/files/file-name.ts";
import { toBase32 } from "../../../base/ids/ids.ts";
import { hasPdfHeader } from "../../../base/shapes/pdf-outline.ts";
import { sayMostBytes } from "../../../base/text/words.ts";

import { requireWorkspace } from "../../auth/accounts.ts";
import type { Call, Context, Handlers } from "../../context.ts";
import { decodeBase64 } from "../../http/base64.ts";
import { refuse, type Reply } from "../../http/reply.ts";
import { toDrawing, toNewCodeAnswer } from "../codes/rows.ts";
import { requireRoom } from "../codes/rows/counts.ts";
import { checkDomain, insertCode, makeCodeRow, makeLinkFields } from "../codes/rows/new-code.ts";
import { FolderTree } from "../folders/rows/folder-tree.ts";

type Body = Call<"createPdf">["body"];

const EXTENSION = ".pdf";
const NAME_CHARACTERS = 32;

async function readSource({ fetch }: Context, body: Body): Promise<Uint8Array> {
  const [field, bytes] =
    typeof body.pdf_url === "string"
      ? (["pdf_url", await fetchPdf(fetch, body.pdf_url)] as const)
      : (["pdf_base64", decodeBase64(body.pdf_base64 ?? "")] as const);
  if (bytes === undefined) throw refuse.field(field, "Must be base64.");
  if (bytes.length > limits.maxPdfBytes) {
    throw refuse.field(field, `Must be a PDF of ${sayMostBytes(limits.maxPdfBytes)}.`);
  }
  if (!hasPdfHeader(bytes)) throw refuse.field(field, "Must be a PDF: no %PDF- header was found.");
  return bytes;
}

async function fetchPdf(fetch: Context["fetch"], url: string): Promise<Uint8Array> {
  try {
    return await fetch(url, limits.maxPdfBytes);
  } catch (error) {
    throw refuse.field("pdf_url", `Must lead to a PDF, but ${toMessage(error)}.`);
  }
}

/** The sender's file name, else the last part of the address. */
function toPdfName({ filename, pdf_url: url }: Body): string | null {
  const last = typeof url === "string" ? new URL(url).pathname.split("/").at(-1) : undefined;
  const name = (filename ?? last ?? "").trim();
  return name === "" ? null : toFileName(name.replace(/\.pdf$/iu, ""), EXTENSION);
}

async function createPdf(context: Context, { body, caller, commit }: Call<"createPdf">) {
  const { store, addresses, media, drawings } = context;
  checkDomain(addresses, body.domain);
  const workspaceId = await requireWorkspace(store.db, caller, body.workspace);
  const bytes = await readSource(context, body);
  const row = makeCodeRow(context, {
    workspace_id: workspaceId,
    dynamic: 1,
    ...(await makeLinkFields(context, true)),
    display_name: body.display_name ?? "",
    pdf_file: `${toBase32(randomBytes(NAME_CHARACTERS)).slice(0, NAME_CHARACTERS)}${EXTENSION}`,
    pdf_name: toPdfName(body),
  });
  const drawing = toDrawing(context, row);
  const svg = await drawings.svg(drawing);
  const file = row.pdf_file ?? "";
  await media.save(file, bytes, true);
  const creating = commit(async (tx): Promise<Reply> => {
    await requireRoom(tx, context.plan, caller);
    const inserted = await insertCode(tx, row);
    const answer = toNewCodeAnswer(context, inserted, { tree: new FolderTree([]), tags: [] });
    return { status: 200, body: { ...answer, svg }, drawing };
  });
  return creating.catch(async (error: unknown) => {
    // No code leads to it.
    await media.remove(file).catch(() => {});
    throw error;
  });
}

export function makePdfHandlers(context: Context): Pick<Handlers, "createPdf"> {
  return { createPdf: (call) => createPdf(context, call) };
}
