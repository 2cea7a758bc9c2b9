/** How the codes of a data folder look, for printing: the API would need a request for each code. */
import { resolveDesign } from "../../qr/draw/design.ts";
import { readStore } from "../store/read-destinations.ts";
import { toDesignAnswer } from "./design-fields.ts";
import type { StoredDesign } from "./stored-design.ts";

/** A design in the fields of the API, every default filled in. */
type ToldDesign = Readonly<Record<string, unknown>>;

/** Most codes share a few designs: each is read once. */
function openReader(): (text: string) => ToldDesign {
  const known = new Map<string, ToldDesign>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const { logo, ...design } = JSON.parse(text) as StoredDesign;
    const hasLogo = logo !== undefined;
    const told = {
      ...toDesignAnswer(resolveDesign(design)),
      has_logo: hasLogo,
      logo_round: hasLogo && design.logoRound === true,
    };
    known.set(text, told);
    return told;
  };
}

const AT_ONCE = 5000;

/** Id of a code -> its design. Codes that the folder lacks are left out. Reads only. */
export function readDesigns(
  dataDir: string,
  ids: readonly string[],
): ReadonlyMap<string, ToldDesign> {
  const found = new Map<string, ToldDesign>();
  if (ids.length === 0) return found;
  readStore(dataDir, (sqlite) => {
    const read = openReader();
    const sql = "SELECT id, design FROM codes WHERE id IN (SELECT value FROM json_each(?))";
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = JSON.stringify(ids.slice(at, at + AT_ONCE));
      for (const { id, design } of sqlite.all<{ id: string; design: string }>(sql, some))
        found.set(id, read(design));
    }
  });
  return found;
}
