/** What the short links of a job's codes begin with. */
import type { State } from "../../state/state.ts";
import { LINK_ORIGIN, PRESENT_LINK_TO_COME, WITH_SHORT_LINK } from "../../state/which-rows.ts";
import { isLoopbackUrl } from "../../base/text/url.ts";

/** Scheme and host, each once, in the order of rows. */
export const originsOf = (state: State): string[] => state.values(LINK_ORIGIN, WITH_SHORT_LINK);

/** One code that leads to this computer makes a rehearsal of all. */
export const leadsHere = (state: State): boolean => originsOf(state).some(isLoopbackUrl);

/** A run that did not end fetches links again: what is printed is not what codes say then. */
export const areLinksToCome = (state: State): boolean => state.count(PRESENT_LINK_TO_COME) > 0;
