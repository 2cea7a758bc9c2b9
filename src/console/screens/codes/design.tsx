/** The design of a code: edited with its drawing beside it, stored only with the button. */
import type { DesignPatch } from "../../../api/design.ts";
import {
  DesignFields,
  Drawn,
  fromForm,
  fromQuery,
  readDesign,
  replyDrawing,
  type Design,
} from "../../view/design-form.tsx";
import { FormKey, reply } from "../../view/page.tsx";
import { field, leadTo, param, type Screen, type Visit } from "../../visit.ts";
import { nameOf } from "./codes.tsx";

const pathOf = (visit: Visit): string => `/codes/${encodeURIComponent(param(visit, "id"))}`;

const drawWith = (visit: Visit, read: ReturnType<typeof fromForm>) =>
  visit.service.draw(visit.session, {
    codeId: param(visit, "id"),
    workspaceId: visit.session.workspaceId,
    patch: readDesign(read),
  });

async function showDesign(visit: Visit): Promise<Response> {
  const { words, api, base, service, session } = visit;
  const code = await api("getCode", { params: { qr_code_id: param(visit, "id") } });
  const name = nameOf(words, code);
  const wish = { codeId: code.id, workspaceId: session.workspaceId, patch: {} };
  const path = pathOf(visit);
  // Drawn without a script: the fields came back with the form.
  const isAsked = visit.form.has("pattern") && visit.problems.length === 0;
  const drawn = isAsked
    ? await drawWith(visit, fromForm(visit))
    : await service.draw(session, wish);
  const children = (
    <div class="split">
      <Drawn visit={visit} drawn={drawn} alt={words.code.pictureOf(name)} />
      <form
        method="post"
        action={`${base}${path}/design`}
        enctype="multipart/form-data"
        data-draws={`${base}${path}/draw`}
        data-picture="#drawn"
        data-said="#said"
      >
        <FormKey visit={visit} />
        <p class="soft">{words.code.designHint}</p>
        <DesignFields visit={visit} design={(code.design ?? {}) as Design} />
        <div class="field">
          <label for="f-logo">{words.code.logo}</label>
          <input
            id="f-logo"
            type="file"
            name="logo"
            accept="image/png,image/jpeg,image/gif,image/webp"
          />
        </div>
        <div class="actions">
          {session.caller.isReadOnly ? null : <button class="main">{words.code.restyle}</button>}
          <button name="look" value="yes" data-by-hand="">
            {words.code.drawNow}
          </button>
          <a href={`${base}${path}`}>{name}</a>
        </div>
      </form>
    </div>
  );
  return reply(visit, { at: "codes", title: words.code.designTitle(name), children });
}

async function readLogo({ form }: Visit): Promise<string | undefined> {
  const file = form.get("logo");
  if (!(file instanceof Blob) || file.size === 0) return undefined;
  return Buffer.from(await file.arrayBuffer()).toString("base64");
}

/**
 * The changed fields of the design. With the colour of the modules, eyes and frame are sent too: they
 * would follow it.
 */
function toChanges(wanted: DesignPatch, now: Design): DesignPatch {
  const differs = (name: string, value: unknown): boolean =>
    name === "remove_logo" || (value ?? "") !== (now[name] ?? "");
  const isRecoloured = differs("primary_color", wanted.primary_color);
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) =>
        differs(name, value) || (isRecoloured && /^(?:eye|frame)_color$/u.test(name)),
    ),
  );
}

async function saveDesign(visit: Visit): Promise<Response> {
  if (field(visit, "look") !== "") return showDesign(visit);
  const params = { qr_code_id: param(visit, "id") };
  const logo = await readLogo(visit);
  const { design: now } = await visit.api("getCode", { params });
  const patch = toChanges(readDesign(fromForm(visit)), (now ?? {}) as Design);
  const body = { ...patch, ...(logo !== undefined && { logo_base64: logo }) };
  if (Object.keys(body).length > 0) await visit.api("updateDesign", { params, body });
  return leadTo(visit, pathOf(visit), "saved");
}

export const design: Screen = {
  get: {
    "/codes/:id/design": showDesign,
    "/codes/:id/draw": (visit) => replyDrawing(visit, () => drawWith(visit, fromQuery(visit))),
  },
  post: { "/codes/:id/design": { take: saveDesign, again: showDesign } },
};
