/** The design of a code: edited with its drawing beside it, stored only with the button. */
import type { DesignPatch } from "../../../api/design.ts";
import {
  DesignFields,
  Drawn,
  fromForm,
  fromQuery,
  readDesign,
  replyDrawing,
  toShownFields,
  WasDesign,
  type Design,
} from "../../view/design-form.tsx";
import { changedFields, keptOf, type ShownField } from "../../as-shown.tsx";
import { FormKey, reply } from "../../view/page.tsx";
import { field, leadTo, param, type Screen, toWas, type Visit } from "../../visit.ts";
import { nameOf } from "./codes.tsx";
import { designNames } from "./history.tsx";

const pathOf = (visit: Visit): string => `/codes/${encodeURIComponent(param(visit, "id"))}`;

const drawWith = (visit: Visit, patch: DesignPatch) =>
  visit.service.draw(visit.session, {
    codeId: param(visit, "id"),
    workspaceId: visit.session.workspaceId,
    patch,
  });

/** For the page's script. A chosen logo comes with the form, any other change in the address. */
const drawFields = (visit: Visit): Promise<Response> =>
  replyDrawing(visit, () => drawWith(visit, readDesign(fromQuery(visit))));

const drawForm = (visit: Visit): Promise<Response> =>
  replyDrawing(visit, async () =>
    drawWith(visit, { ...readDesign(fromForm(visit)), ...(await readLogo(visit)) }),
  );

async function showDesign(visit: Visit): Promise<Response> {
  const { words, api, base, service, session } = visit;
  const code = await api("getCode", { params: { qr_code_id: param(visit, "id") } });
  const name = nameOf(words, code);
  const wish = { codeId: code.id, workspaceId: session.workspaceId, patch: {} };
  const path = pathOf(visit);
  const shown = (code.design ?? {}) as Design;
  const stamp = await logoStamp(visit, code.id);
  // Drawn without a script: the fields came back with the form.
  const isAsked = visit.form.has("pattern") && visit.problems.length === 0;
  const drawn = isAsked
    ? await drawWith(visit, readDesign(fromForm(visit)))
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
        <WasDesign visit={visit} design={shown} />
        <input type="hidden" name={toWas("logo")} value={keptStamp(visit) ?? stamp} />
        <DesignFields visit={visit} design={shown} />
        <div class="field">
          <label for="f-logo">{words.code.logo}</label>
          <input
            id="f-logo"
            type="file"
            name="logo"
            accept="image/png,image/jpeg,image/gif,image/webp"
          />
          <noscript>
            <p class="hint">{words.code.logoAgain}</p>
          </noscript>
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

/** The chosen file; nothing where none was chosen. */
async function readLogo({ form }: Visit): Promise<Pick<DesignPatch, "logo_base64">> {
  const file = form.get("logo");
  if (!(file instanceof Blob) || file.size === 0) return {};
  return { logo_base64: Buffer.from(await file.arrayBuffer()).toString("base64") };
}

/** The number of the last change of the logo: the form tells it from the logo that its page showed. */
async function logoStamp({ owner }: Visit, codeId: string): Promise<string> {
  const past = await owner.history(codeId);
  const last = past.find((one) => one.what === "design" && one.isOtherLogo);
  return last === undefined ? "" : String(last.n);
}

/** A page that draws without the logo does not show a new one. */
const keptStamp = (visit: Visit): string | undefined =>
  visit.form.has("no_logo") && visit.problems.length === 0 ? keptOf(visit, "logo") : undefined;

async function logoField(visit: Visit, isNew: boolean): Promise<ShownField[]> {
  const was = keptOf(visit, "logo");
  if (was === undefined || (!isNew && !visit.form.has("no_logo"))) return [];
  const { code } = visit.words;
  const stored = await logoStamp(visit, param(visit, "id"));
  return [{ name: "logo", label: code.logo, stored, sent: "new", said: code.otherLogo }];
}

/** Changed fields alone; eyes and frame keep their colours, which would follow that of the modules. */
function toChanges(
  wanted: DesignPatch,
  now: Design,
  changed: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const kept = ["eye_color", "frame_color"].filter((name) => Object.hasOwn(wanted, name));
  return {
    ...(changed.has("primary_color") &&
      Object.fromEntries(kept.map((name) => [name, now[name] ?? null]))),
    ...Object.fromEntries(
      Object.entries(wanted).filter(([name]) => name === "remove_logo" || changed.has(name)),
    ),
  };
}

async function saveDesign(visit: Visit): Promise<Response> {
  if (field(visit, "look") !== "") return showDesign(visit);
  const params = { qr_code_id: param(visit, "id") };
  const logo = await readLogo(visit);
  const { design } = await visit.api("getCode", { params });
  const now = (design ?? {}) as Design;
  const changed = changedFields(visit, [
    ...toShownFields(visit, now, designNames(visit.words)),
    ...(await logoField(visit, logo.logo_base64 !== undefined)),
  ]);
  const body = { ...toChanges(readDesign(fromForm(visit)), now, changed), ...logo };
  if (Object.keys(body).length > 0) await visit.api("updateDesign", { params, body });
  return leadTo(visit, pathOf(visit), "saved");
}

export const design: Screen = {
  get: {
    "/codes/:id/design": showDesign,
    "/codes/:id/draw": drawFields,
  },
  post: {
    "/codes/:id/design": { take: saveDesign, again: showDesign },
    "/codes/:id/draw": { take: drawForm, again: showDesign },
  },
};
