import { z } from "zod";

import { filledText, reference, timestamp, workspaceId } from "./fields.ts";
import { limits } from "./limits.ts";

/** A folder as codes carry it. */
export const FolderRef = z.looseObject({
  id: z.string(),
  name: z.string(),
  slug: z.string().nullish(),
  path: z.string().nullish(),
});
export type FolderRef = z.infer<typeof FolderRef>;

/**
 * docs/spec/api.md section 2.4. `path` is the full breadcrumb, `parent` a folder id or null at top
 * level.
 */
export const Folder = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  slug: z.string().nullish(),
  path: z.string().nullish(),
  parent: z.string().nullish(),
  code_count: z.number().int().nullish(),
  created: timestamp.nullish(),
});
export type Folder = z.infer<typeof Folder>;

const name = filledText(limits.maxFolderName);

export const FolderCreate = z.object({
  workspace: workspaceId,
  name,
  parent: reference.nullish(),
});
export type FolderCreate = z.input<typeof FolderCreate>;

/** At least one property. `parent: null` moves to top level. */
export const FolderPatch = z
  .object({ name: name.optional(), parent: reference.nullable().optional() })
  .refine((patch) => patch.name !== undefined || patch.parent !== undefined, {
    error: "At least one of name and parent must be given",
  });
export type FolderPatch = z.input<typeof FolderPatch>;
