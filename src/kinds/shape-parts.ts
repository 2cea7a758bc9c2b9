/** Common parts of the shapes of several kinds. */
import { z } from "zod";

import { SafetyShape } from "../job/shapes/common-shapes.ts";
import { DatedOutputShape, OutputShape } from "../job/shapes/output-shape.ts";
import { SelectShape } from "../job/shapes/select-shapes.ts";
import { kinds, type Kind } from "./names.ts";

const WHAT = `What the job does: ${kinds.join(", ")}.`;

export const kindField = <const One extends Kind>(kind: One) => z.literal(kind).describe(WHAT);

export const files = {
  output: OutputShape.prefault({}).describe("What is written, and where."),
  safety: SafetyShape.prefault({}).describe("What is refused, and what wants a yes."),
};

export const datedFiles = DatedOutputShape.prefault({}).describe("What is written, and where.");
export const select = SelectShape.describe("Which codes.");
export const anySelect = SelectShape.prefault({}).describe(
  "Which codes; left out: all of the workspace.",
);
