/** A manifest's `design` for codes that exist: template and file become plain fields. */
import { readFile, stat } from "node:fs/promises";

import { limits } from "../../api/limits.ts";
import type { Template } from "../../api/template.ts";
import { AppError } from "../../base/errors.ts";
import { findFrameSwap } from "../../plan/frame-swap.ts";
import { toLogoMark, toTemplateFields, type DesignFields } from "../../plan/restyle.ts";
import { findLogoRule, toLogoImage } from "../../qr/png/logo-file.ts";
import { noTemplate } from "../../run/templates.ts";
import { isSvgFile } from "../../base/files/image-type.ts";

export interface RedesignFields {
  /** Fields of the design update, with templates; `logo_file` stands for the image. */
  readonly fields: DesignFields;
  readonly logoBase64: string | undefined;
  /** The file, where it is an SVG: it is sent as a picture. */
  readonly svgLogo: string | undefined;
  readonly warnings: readonly { readonly message: string; readonly hint?: string | undefined }[];
}

/** Throws `manifest-invalid` for a file that is no logo. */
export async function readLogo(file: string): Promise<Uint8Array> {
  const fail = (rule: string, cause?: unknown): never => {
    throw new AppError("manifest-invalid", `design.logo_file must be ${rule}, got ${file}`, {
      cause,
      hint: "the path is relative to the manifest",
    });
  };
  // A device or a pipe never ends.
  const found = await stat(file).catch((cause: unknown) => fail("a file that can be read", cause));
  if (!found.isFile()) fail("a file that can be read");
  if (found.size >= limits.maxLogoBytes) fail("an image under 2 MB");
  const bytes = await readFile(file).catch((cause: unknown) =>
    fail("a file that can be read", cause),
  );
  if (bytes.length >= limits.maxLogoBytes) fail("an image under 2 MB");
  const rule = findLogoRule(bytes);
  return rule === undefined ? bytes : fail(rule);
}

/** Throws `manifest-invalid` for a template that the workspace doesn't have. */
export async function findTemplate<Known extends Pick<Template, "id" | "title">>(
  client: { templates(): AsyncIterable<Known> | Iterable<Known> },
  wanted: string,
): Promise<Known> {
  const known: Known[] = [];
  let titled: Known | undefined;
  for await (const template of client.templates()) {
    if (template.id === wanted) return template;
    // The workspace's own come first and win over a built-in one of the same title.
    if (template.title === wanted) titled ??= template;
    known.push(template);
  }
  if (titled !== undefined) return titled;
  throw noTemplate("design.template", wanted, known);
}

/** What codes won't have of a design. */
function warnOfDesign(
  template: Template | undefined,
  { logo_file: file, logo_url: url, frame, text }: DesignFields,
): RedesignFields["warnings"] {
  const swap = findFrameSwap({
    frame: frame ?? template?.frame,
    text: text ?? template?.text,
  });
  const swaps = swap === undefined ? [] : [swap];
  if (template?.has_logo !== true || file !== undefined || url !== undefined) return swaps;
  const message = `the logo of the template "${template.title}" is not given to codes: the API doesn't give it out`;
  return [...swaps, { message, hint: "name the image in design.logo_file" }];
}

/**
 * Looks up the template and reads the logo. Throws `manifest-invalid` for a template that the
 * workspace doesn't have and for a file that is no logo.
 */
export async function readRedesignFields(
  client: { templates(): AsyncIterable<Template> },
  design: DesignFields,
): Promise<RedesignFields> {
  const { template: name, logo_file: file, ...own } = design;
  const logo = typeof file === "string" ? await readLogo(file) : undefined;
  const template = typeof name === "string" ? await findTemplate(client, name) : undefined;
  return {
    fields: {
      ...(template !== undefined && toTemplateFields(template, own)),
      ...own,
      ...(logo !== undefined && { logo_file: toLogoMark(logo) }),
    },
    logoBase64: logo && Buffer.from(await toLogoImage(logo)).toString("base64"),
    svgLogo: logo !== undefined && isSvgFile(logo) ? String(file) : undefined,
    warnings: warnOfDesign(template, design),
  };
}
