/** The logo that all codes of a job are to have: looked at once, before any row. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { AppError, type Problem } from "../../base/errors.ts";
import { HAS_TEMPLATE } from "../../job/shapes/fields.ts";
import { placeAt } from "../../job/yaml/tree.ts";
import { parseYaml } from "../../job/yaml/yaml.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { LogoFiles } from "../../kinds/codes/logo-files.ts";
import type { LabelPlan } from "../paper/label-census.ts";
import type { PlanNote } from "../paper/plan-notes.ts";

const PATH = ["code", "design", "logo_file"];
const FIELD = PATH.join(".");

/** What is wrong with the logo of all codes, at its line. */
export function findLogoFault({ file, code }: Pick<RowJob, "file" | "code">): Problem | undefined {
  const { logo_file: logo } = code.design;
  if (logo === undefined || HAS_TEMPLATE.test(logo)) return undefined;
  const fact = new LogoFiles(path.dirname(file)).of(logo);
  if (!("problem" in fact)) return undefined;
  const { root } = parseYaml(readFileSync(file, "utf8"), file);
  return {
    message: `${FIELD} ${fact.problem}`,
    hint: "the path is relative to the manifest",
    where: { file, ...(root && placeAt(root, PATH)), field: FIELD },
  };
}

/** Looks at the logos of rows. Throws `manifest-invalid` when the job's own logo is no picture. */
export function openLogos(job: Pick<RowJob, "file" | "code">): LogoFiles {
  const fault = findLogoFault(job);
  if (fault !== undefined) {
    const message = "manifest must be free of mistakes, got 1 mistake";
    throw new AppError("manifest-invalid", message, {
      where: { file: job.file },
      problems: [fault],
    });
  }
  return new LogoFiles(path.dirname(job.file));
}

/** Logos that the API doesn't take as they are. */
export function noteLogos({ svgLogos = [] }: LabelPlan): PlanNote[] {
  const files = svgLogos.map((file) => path.basename(file));
  return files.length === 0 ? [] : [{ code: "svg-sent", files }];
}
