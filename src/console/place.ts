/**
 * Which workspace a page shows: that of its thing, whatever is chosen. A form goes to the workspace
 * that its page showed, even if another tab has chosen another since.
 */
import type { Placed } from "../service/owner/owner.ts";
import { field, query, SHOWN_IN, type Visit } from "./visit.ts";

/** Screens of one thing each, by the first part of their path. */
const PLACED: Readonly<Record<string, Placed>> = {
  codes: "codes",
  links: "codes",
  products: "products",
  forms: "forms",
  folders: "folders",
};

const moveTo = (visit: Visit, workspaceId: string): Visit => ({
  ...visit,
  session: { ...visit.session, workspaceId },
});

/** The visit in the workspace of the thing that its address names, if it names one. */
export async function inWorkspaceOf(visit: Visit): Promise<Visit> {
  const { c, owner, session } = visit;
  const [, , section = ""] = c.req.path.split("/");
  const what = Object.hasOwn(PLACED, section) ? PLACED[section] : undefined;
  const id = c.req.param("id") ?? (what === "folders" ? query(visit, "change") : "");
  if (what === undefined || id === "") return visit;
  const found = await owner.workspaceOf(what, id);
  return found === undefined || found === session.workspaceId ? visit : moveTo(visit, found);
}

/** The visit in the workspace that the form's page showed; it is chosen from then on. */
export async function inShown(visit: Visit): Promise<Visit> {
  const { service, secret, session } = visit;
  const shown = field(visit, SHOWN_IN);
  if (shown === "" || shown === session.workspaceId) return visit;
  await service.chooseWorkspace(secret, session, shown);
  return moveTo(visit, shown);
}
