/** The designs that rows ask for, for drawing a code without a server. */
import { readFile } from "node:fs/promises";

import { DesignFields } from "../../api/design.ts";
import { limits } from "../../api/limits.ts";
import { AppError, toMessage, type Problem } from "../../base/errors.ts";
import type { QrLevel } from "../../qr/encode/tables.ts";
import { type Design, type DesignInput, resolveDesign } from "../../qr/draw/design.ts";
import type { QrEngine } from "../../qr/engine.ts";
import { readLogoFile } from "../../qr/png/logo-file.ts";
import { fetchBytes } from "../http/guarded-fetch.ts";
import { readBuiltInTemplates, type Template } from "./built-in.ts";
import { overlayTemplate } from "./design-fields.ts";
import type { StoredDesign } from "./stored-design.ts";

export interface NamedDesign {
  readonly title: string;
  /** Without its logo. */
  readonly design: Omit<DesignInput, "logo">;
}

/**
 * Fields with the API's names -> a design, over that of its template, without the logo. Throws
 * `design-invalid`.
 */
export function toDesignInput(
  fields: unknown,
  { file, template }: { readonly file?: string; readonly template?: StoredDesign | undefined } = {},
): DesignInput {
  const parsed = DesignFields.strict().safeParse(fields);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue): Problem => {
      const field = issue.path.join(".");
      return { message: `${field} ${issue.message}`.trim(), where: { file, field } };
    });
    throw new AppError("design-invalid", "the design must have valid fields", { problems });
  }
  const { logo: _hash, ...design } = overlayTemplate(template ?? {}, parsed.data);
  return design;
}

const isNamed = ({ id, title }: Template, name: string): boolean =>
  id === name || title.toLowerCase() === name.toLowerCase();

/** A built-in design, by its title or the name of its file. */
export async function findBuiltIn(name: string): Promise<NamedDesign | undefined> {
  const found = (await readBuiltInTemplates()).find((template) => isNamed(template, name));
  if (found === undefined) return undefined;
  const { logo: _hash, ...design } = found.design;
  return { title: found.title, design };
}

const toName = (template: unknown): string => (typeof template === "string" ? template : "");

async function readLogo(
  engine: QrEngine,
  url: unknown,
  file: string | undefined,
): Promise<{ logo: Uint8Array | null; warnings: string[] }> {
  if (file !== undefined) return { logo: await readLogoFile(await readFile(file)), warnings: [] };
  if (typeof url !== "string" || url === "") return { logo: null, warnings: [] };
  try {
    const image = await fetchBytes(url, {
      maxBytes: limits.maxLogoBytes,
      allowPrivate: false,
      privateUnless: "",
    });
    return { logo: await engine.normalizeLogo(image), warnings: [] };
  } catch (error) {
    return { logo: null, warnings: [`logo_url can't be shown: ${toMessage(error)}`] };
  }
}

/**
 * The look of one code, and which parts of it only its server knows. `logos`: files by the marks
 * that rows have as `logo_file`. Throws `design-invalid`.
 */
export async function readRowDesign(
  engine: QrEngine,
  wished: Readonly<Record<string, unknown>>,
  level: QrLevel,
  logos: ReadonlyMap<string, string>,
): Promise<{ design: Design; warnings: string[] }> {
  const { template, logo_file: mark, ...fields } = wished;
  const builtIn = template === undefined ? undefined : await findBuiltIn(toName(template));
  const { logo, warnings } = await readLogo(engine, fields["logo_url"], logos.get(String(mark)));
  const input = { ...toDesignInput(fields, { template: builtIn?.design }), logo };
  const errorCorrection = input.errorCorrection ?? level;
  const isUnknown = template !== undefined && builtIn === undefined;
  return {
    design: resolveDesign({ ...input, errorCorrection }),
    warnings: isUnknown
      ? [
          ...warnings,
          `the template "${toName(template)}" is known to the server only: its look is missing`,
        ]
      : warnings,
  };
}
