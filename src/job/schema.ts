import { z } from "zod";

import { type Kind } from "./kinds.ts";
import { ManifestShape, manifestShapes } from "./manifest-shape.ts";

/**
 * JSON Schema (draft-7) of what people write, for editors; of all kinds, or of one. That of all is
 * checked in as `schema/job.v1.json`.
 */
export function jobSchema(kind?: Kind): unknown {
  const shape = kind === undefined ? ManifestShape : manifestShapes[kind];
  const schema = z.toJSONSchema(shape, { target: "draft-7", io: "input" });
  return { ...schema, title: "makeready job, version 1" };
}
