/** QR codes: all handlers of docs/spec/api.md section 4.1 but templates and scans. */
import type { Context, Handlers } from "../../context.ts";
import { makeChangeHandlers } from "./handlers/change.ts";
import { makeCreateHandler } from "./handlers/create.ts";
import { makeDesignHandler } from "./handlers/design.ts";
import { makeListHandler } from "./handlers/list.ts";

export function makeCodeHandlers(context: Context) {
  return {
    createCode: makeCreateHandler(context),
    listCodes: makeListHandler(context),
    updateDesign: makeDesignHandler(context),
    ...makeChangeHandlers(context),
  } satisfies Partial<Handlers>;
}
