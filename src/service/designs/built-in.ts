/** The designs that every workspace has: `templates/designs/*.json`, one file each. */
import { readdir, readFile } from "node:fs/promises";

import { z } from "zod";

import { packageUrl } from "../../base/files/package-files.ts";
import { DesignFields } from "../../api/design.ts";
import { filledText } from "../../api/fields.ts";

import { resolveDesign } from "../../qr/draw/design.ts";
import { overlayDesign, toDesignAnswer } from "./design-fields.ts";
import type { StoredDesign } from "./stored-design.ts";

export interface Template {
  /** The file's name without extension. */
  readonly id: string;
  readonly title: string;
  readonly design: StoredDesign;
}

const FOLDER = packageUrl("templates/designs/");

export const TemplateFile = z.strictObject({
  title: filledText(100),
  design: DesignFields.strict(),
});

/** All templates of a folder, by file name. A file that doesn't fit the shape throws. */
export async function readTemplates(folder: URL): Promise<readonly Template[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), "utf8");
      const { title, design } = TemplateFile.parse(JSON.parse(text));
      return { id: name.replace(/\.json$/u, ""), title, design: overlayDesign({}, design) };
    }),
  );
}

let builtIn: Promise<readonly Template[]> | undefined;

/** All built-in templates, by file name. They are read once; after a failure, again. */
export async function readBuiltInTemplates(): Promise<readonly Template[]> {
  builtIn ??= readTemplates(FOLDER);
  try {
    return await builtIn;
  } catch (error) {
    builtIn = undefined;
    throw error;
  }
}

/** The same, with the field names of the API. */
export async function listBuiltInTemplates(): Promise<
  { readonly id: string; readonly title: string; readonly [field: string]: unknown }[]
> {
  const templates = await readBuiltInTemplates();
  return templates.map(({ id, title, design: { logo: _none, ...design } }) => ({
    id,
    title,
    ...toDesignAnswer(resolveDesign(design)),
  }));
}
