import { z } from "zod";

import { named, ofAnyServer } from "./announce.ts";
import { created, filledText, idOf, reference, workspaceId } from "./fields.ts";
import { limits } from "./limits.ts";

const folderFields = {
  id: idOf("folder"),
  name: z.string().meta({ description: "What people call it.", examples: ["North hall"] }),
  slug: z.string().meta({ description: "The name for addresses.", examples: ["north-hall"] }),
  path: z.string().meta({
    description: "The names of all folders down to this one.",
    examples: ["Tables/North hall"],
  }),
};

export const FolderRefSent = named(
  "FolderRef",
  z.object(folderFields).describe("The folder in which a code lies."),
);
/** A folder as codes carry it. */
export const FolderRef = ofAnyServer(FolderRefSent, { needed: ["id", "name"], other: {} });
export type FolderRef = z.infer<typeof FolderRef>;

/** docs/spec/api.md section 2.4. */
const FolderSent = named(
  "Folder",
  z.object({
    ...folderFields,
    parent: z.string().nullable().describe("Id of the folder above; null at top level."),
    code_count: z.int().describe("How many codes lie in it, not counting its subfolders."),
    created,
  }),
);
export const Folder = ofAnyServer(FolderSent, { needed: ["id", "name"], other: {} });
export type Folder = z.infer<typeof Folder>;

const name = filledText(limits.maxFolderName).meta({
  description: "What people call it.",
  examples: ["North hall"],
});

export const FolderCreate = named(
  "FolderCreate",
  z.object({
    workspace: workspaceId,
    name,
    parent: reference
      .nullish()
      .describe("Id or slug of the folder above; left out, it lies at top level."),
  }),
);
export type FolderCreate = z.input<typeof FolderCreate>;

/** At least one property. `parent: null` moves to top level. */
export const FolderPatch = named(
  "FolderUpdate",
  z
    .object({
      name: name.optional().describe("Its new name; the slug follows."),
      parent: reference
        .nullable()
        .optional()
        .describe("Id or slug of the folder above; null moves it to top level."),
    })
    .refine((patch) => patch.name !== undefined || patch.parent !== undefined, {
      error: "At least one of name and parent must be given",
    }),
);
export type FolderPatch = z.input<typeof FolderPatch>;
