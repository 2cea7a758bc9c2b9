/** Plain codes (docs/spec/api.md section 4.1). */
import type { CodeCreate } from "../../api/code.ts";
import { limits } from "../../api/limits.ts";
import { AppError } from "../../base/errors.ts";
import { wasThere } from "../../client/thing-methods.ts";
import { toWishHashes } from "../../plan/hash.ts";
import type { MadeFirst } from "../../state/row-journal.ts";
import type { StateRow, Wanted } from "../../state/row.ts";
import { hasLogoFiles } from "../../run/logo-places.ts";
import { toCreateBody, toSentName, toSentWish } from "../../run/body.ts";
import type { RunEnvironment } from "../../run/context.ts";
import type { Ids } from "../../run/templates.ts";
import { changeCode } from "./change.ts";
import type { Maker } from "../../run/maker.ts";

/** The wish of a create: changes since a row in doubt was sent come afterwards. */
export function toNamedWish({ state, settings }: RunEnvironment, row: StateRow): Wanted {
  const ref = state.toRef(row.key, row.generation);
  return { ...toSentWish(row), displayName: toSentName(row, settings.marker, ref) };
}

export function toCodeBody(env: RunEnvironment, ids: Ids, row: StateRow): CodeCreate {
  return toCreateBody(toNamedWish(env, row), {
    workspace: env.settings.workspace,
    templateId: (name) => ids.templates.id(name),
    folderId: (path) => {
      const id = env.state.folderId(path);
      if (id === undefined) throw new AppError("bug", `folder ${path} must exist before its codes`);
      return id;
    },
  });
}

/** A create takes no image (docs/spec/api.md section 4.1): it comes as a change. */
function toWithoutLogo(row: StateRow): MadeFirst | undefined {
  const wish = toSentWish(row);
  const { logo_file: logo, ...design } = wish.design;
  if (logo === undefined) return undefined;
  const wanted = { ...wish, design };
  const { wantedHash, designHash } = toWishHashes(wanted);
  return { wanted, wantedHash, designHash };
}

export function makeCodeMaker(env: RunEnvironment, ids: Ids): Maker {
  const { client } = env;
  return {
    pageSize: limits.maxPageSize,
    toBody: (row) => toCodeBody(env, ids, row),
    create: (body, options) => client.createCode(body as CodeCreate, options),
    // After a loss, codes that one create finishes are taken back by their names.
    ...(hasLogoFiles(env.state) && { toMadeFirst: toWithoutLogo }),
    list: (query) => client.listToldCodes(query),
    look: (id) => client.getToldCode(id),
    isListed: (id) => wasThere(() => client.getToldCode(id)),
    remove: (id) => client.deleteCode(id),
    change: (row, id) => changeCode(env, ids, row, id),
  };
}
