/**
 * A workspace's own templates: JSON files in the data folder, one template each. `templates/*.json`
 * belong to the default account's workspace, `templates/<workspace id>/*.json` to another one.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

import { z } from "zod";

import { DesignFields } from "../../api/design.ts";
import { listFieldErrors } from "../../api/errors.ts";
import { AppError, toMessage } from "../../base/errors.ts";
import { cutKey } from "../../base/text/words.ts";

import { toFieldErrors } from "../http/problems.ts";
import { Refusal } from "../http/reply.ts";
import { TemplateFile, type Template } from "./built-in.ts";
import { overlayDesign } from "./design-fields.ts";
import { checkStoredDesign } from "./drawing.ts";
import type { Logos } from "./logos.ts";
import type { StoredDesign } from "./stored-design.ts";

/** Workspace id -> its templates by file name. */
export type OwnTemplates = ReadonlyMap<string, readonly Template[]>;

const fileFields = {
  ...TemplateFile.shape,
  /** A picture beside the file. */
  logo: z.string().optional(),
};

/** Names the fields that there are where one is unknown. */
const sayFields = (fields: object) => (issue: z.core.$ZodRawIssue) =>
  issue.code === "unrecognized_keys"
    ? `Must have only the fields ${Object.keys(fields).join(", ")}, got ${issue.keys.map((key) => cutKey(key)).join(", ")}`
    : undefined;

const OwnFile = z.strictObject(
  {
    ...fileFields,
    design: z.strictObject(DesignFields.shape, { error: sayFields(DesignFields.shape) }),
  },
  { error: sayFields(fileFields) },
);

const HINT =
  'such as {"title": "House style", "design": {"primary_color": "#004400", "frame": "card"}, "logo": "logo.png"}';

const refuseFile = (file: string, fault: string): AppError =>
  new AppError("bad-usage", `the template must be a design as the API takes it: ${fault}`, {
    where: { file },
    hint: HINT,
  });

interface OwnParts {
  readonly defaultWorkspaceId: string;
  readonly logos: Logos;
}

/** All templates below `folder`; none when it doesn't exist. A faulty file is "bad-usage". */
export async function readOwnTemplates(folder: string, parts: OwnParts): Promise<OwnTemplates> {
  const own = new Map<string, Template[]>();
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const places: [workspaceId: string, folder: string][] = [
    [parts.defaultWorkspaceId, folder],
    ...entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }): [string, string] => [name.toLowerCase(), path.join(folder, name)]),
  ];
  for (const [workspaceId, place] of places) {
    const read = await readPlace(place, parts.logos);
    own.set(workspaceId, [...(own.get(workspaceId) ?? []), ...read]);
  }
  return own;
}

async function readPlace(folder: string, logos: Logos): Promise<Template[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json"));
  const templates: Template[] = [];
  for (const name of names.toSorted()) {
    templates.push(await readOne(path.join(folder, name), logos));
  }
  return templates;
}

async function readOne(file: string, logos: Logos): Promise<Template> {
  const parsed = OwnFile.safeParse(await readJson(file), { reportInput: true });
  if (!parsed.success) {
    throw refuseFile(file, listFieldErrors(toFieldErrors(parsed.error.issues)).join(" "));
  }
  const { title, design: fields, logo } = parsed.data;
  try {
    const hash = await readLogo({ file, logo, url: fields.logo_url ?? undefined }, logos);
    const design: StoredDesign = {
      ...overlayDesign({}, fields),
      ...(hash === undefined ? {} : { logo: hash }),
    };
    checkStoredDesign(design);
    return { id: path.basename(file, ".json"), title, design };
  } catch (error) {
    throw error instanceof Refusal
      ? refuseFile(file, listFieldErrors(error.fields ?? {}).join(" "))
      : error;
  }
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as unknown;
  } catch (error) {
    throw refuseFile(file, toMessage(error));
  }
}

/** Hash of the picture beside the file, else of the one behind `logo_url`. */
async function readLogo(
  wanted: {
    readonly file: string;
    readonly logo: string | undefined;
    readonly url: string | undefined;
  },
  logos: Logos,
): Promise<string | undefined> {
  const { file, logo, url } = wanted;
  if (logo === undefined) return url === undefined ? undefined : logos.fromUrl(url);
  const picture = path.resolve(path.dirname(file), logo);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(picture);
  } catch (error) {
    throw refuseFile(file, `logo can't be read (${toMessage(error)})`);
  }
  return logos.fromFile(bytes);
}
