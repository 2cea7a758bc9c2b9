/**
 * Pictures of codes in answers of tools. For a model, a drawing is thousands of useless words:
 * answers have one only on request.
 */
import type { EndpointName } from "../../api/endpoints.ts";

import type { Context } from "../context.ts";
import { readCodesById, toDrawing } from "../resources/codes/rows.ts";

type Json = Record<string, unknown>;

export const PICTURE = "picture";
const pictures = ["png", "svg"] as const;
export type Picture = (typeof pictures)[number];

export const pictureSchema: Json = {
  type: "string",
  enum: [...pictures],
  description: "Shows the code: png as an image, svg as text. Left out, there is no picture.",
};

export const readPicture = (value: unknown): Picture | undefined =>
  pictures.find((known) => known === value);

/** Endpoint -> the field of its answer, or its path parameter, with the id of the code to show. */
const codeFields: Partial<Record<EndpointName, "id" | "qr_id" | "qr_code_id" | "link_id">> = {
  createCode: "id",
  getCode: "id",
  updateCode: "id",
  updateDesign: "id",
  downloadCode: "qr_code_id",
  createPdf: "id",
  createLink: "id",
  getLink: "id",
  updateLink: "id",
  getLinkQr: "link_id",
  createPage: "qr_id",
  getPage: "qr_id",
  publishForm: "qr_id",
};

export const isPictured = (name: EndpointName): boolean => name in codeFields;

/** Fields that hold drawings. */
const DRAWN = ["svg", "qr_code_svg"] as const;

/** The fields of a schema or an answer without the drawings. */
export const withoutDrawings = <Fields extends Json>(fields: Fields): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !DRAWN.some((one) => one === name)));

/** An answer without drawings, also within lists. */
export function toPlain(answer: Json): Json {
  const { results } = answer;
  const plain = withoutDrawings(answer);
  return Array.isArray(results) ? { ...plain, results: results.map(withoutDrawings) } : plain;
}

/** Large enough to look at, small enough for a model. */
const WIDTH_PX = 440;

/** A call that succeeded. */
export interface Answered {
  readonly name: EndpointName;
  readonly answer: Json;
  readonly params: Readonly<Record<string, string>>;
}

/** The code of an answer, drawn as requested; undefined when the answer has no code. */
export async function drawCode(
  context: Context,
  { name, answer, params }: Answered,
  picture: Picture,
): Promise<{ readonly svg: string } | { readonly png: Uint8Array } | undefined> {
  const field = codeFields[name] ?? "";
  const id = answer[field] ?? params[field];
  // The API has answered the owner of the code: it may be shown.
  const [row] = typeof id === "string" ? await readCodesById(context.store.db, [id]) : [];
  if (row === undefined) return undefined;
  const drawing = toDrawing(context, row);
  return picture === "svg"
    ? { svg: await context.drawings.svg(drawing) }
    : { png: await context.drawings.lookPng(drawing, WIDTH_PX) };
}
