import { AppError, type Problem } from "../../base/errors.ts";
import { showKey } from "../../base/shapes/row-key.ts";

/** `rule` heads several problems; a single one speaks for itself. */
export function refuseRow(key: string, rule: string, problems: readonly Problem[]): never {
  const [first, ...more] = problems;
  const says = first === undefined || more.length > 0 ? rule : first.message;
  throw new AppError("layout-impossible", `row ${showKey(key)}: ${says}`, { problems });
}
