/** QR codes: all handlers of docs/spec/api.md section 4.1 but templates and scans. */
import type { Context, Handlers } from "../../context.ts";
import { makeChangeHandlers } from "./handlers/change.ts";
import { makeCreateHandler } from "./handlers/create.ts";
import { makeDesignHandler } from "./handlers/design.ts";
import { makeListHandler } from "./handlers/list.ts";

type CodeHandlers = Pick<
  Handlers,
  | "createCode"
  | "listCodes"
  | "getCode"
  | "updateCode"
  | "updateDesign"
  | "downloadCode"
  | "deleteCode"
>;

export function makeCodeHandlers(context: Context): CodeHandlers {
  return {
    createCode: makeCreateHandler(context),
    listCodes: makeListHandler(context),
    updateDesign: makeDesignHandler(context),
    ...makeChangeHandlers(context),
  };
}
