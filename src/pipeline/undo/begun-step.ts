/** A step that changes codes after their run: the report of that run says so until the step ends. */
import path from "node:path";

import { tellBegun, type BegunStep } from "../../pack/tell-begun.ts";
import type { Ports } from "../ports.ts";

/** Before the first code is changed. */
export function tellStepBegun(
  folder: string,
  step: BegunStep["step"],
  { commandOf }: Pick<Ports, "commandOf">,
): void {
  tellBegun(path.join(folder, "report.html"), { step, command: commandOf(step) });
}
