import { readFlag, type CliContext, type Input } from "./context.ts";
import { makeHumanView } from "./human-view.ts";
import { makeJsonView } from "./json-view.ts";
import type { View } from "./view.ts";

/** The view that a person asked for. */
export function makeView(context: CliContext, input: Input): View {
  return readFlag(input, "json") ? makeJsonView(context) : makeHumanView(context);
}
