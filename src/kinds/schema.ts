import { z } from "zod";

import { type Kind } from "./names.ts";
import { kindTable } from "./index.ts";
import { ManifestShape } from "./shapes.ts";

/**
 * JSON Schema (draft-7) of manifests, for editors; of all kinds, or of one. That of all kinds is
 * `schema/job.v1.json`.
 */
export function jobSchema(kind?: Kind): unknown {
  const shape = kind === undefined ? ManifestShape : kindTable[kind].shape;
  const schema = z.toJSONSchema(shape, { target: "draft-7", io: "input" });
  return { ...schema, title: "makeready job, version 1" };
}
