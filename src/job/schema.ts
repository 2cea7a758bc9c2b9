import { z } from "zod";

import { ManifestShape } from "./manifest-shape.ts";

/** JSON Schema (draft-7) of what people write, for editors. Checked in as `schema/job.v1.json`. */
export function jobSchema(): unknown {
  const schema = z.toJSONSchema(ManifestShape, { target: "draft-7", io: "input" });
  return { ...schema, title: "makeready job, version 1" };
}
