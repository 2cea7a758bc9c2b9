/** The link types of a product: shown, added, changed and deleted. */
import type { ResponseOf } from "../../api/endpoints.ts";
import { linkTypes } from "../../gs1/link-types.ts";
import { changedFields, Was } from "../as-shown.tsx";
import { OwnRefusal } from "../refusal.ts";
import { changing, Rows } from "../view/list.tsx";
import { PostForm, Typed } from "../view/page.tsx";
import { Address, Choice, Tick, toSearch } from "../view/parts.tsx";
import {
  asCall,
  field,
  fields,
  leadTo,
  orNull,
  param,
  type Part,
  query,
  toWas,
  typed,
  type Visit,
} from "../visit.ts";

/** The status of a refusal because of what is there already. */
export const CONFLICT = 409;

export type Product = ResponseOf<"getProduct">;
type ProductLink = NonNullable<Product["link_types"]>[number];

/** Of a product, below the console. */
export const pathOf = (visit: Visit): string =>
  `/products/${encodeURIComponent(param(visit, "id"))}`;
export const idOf = (visit: Visit) => ({ product_id: param(visit, "id") });

/** Where each link type leads, as `gs1:pip https://…`. */
const toLines = (links: Product["link_types"]): string[] =>
  (links ?? []).map(({ link_type: type, destination_url: url }) => `${type} ${url}`);

/** Refuses to overwrite a link that was changed since its page was shown. */
function checkLink(visit: Visit, links: Product["link_types"], type: string): void {
  const shown = fields(visit, toWas("links"));
  if (shown.length === 0) return;
  const now = toLines(links).find((line) => line.startsWith(`${type} `)) ?? "";
  const was = shown.find((line) => line.startsWith(`${type} `)) ?? "";
  if (was === now) return;
  const said = visit.words.products.changedMeanwhile(type, now.slice(type.length + 1));
  throw new OwnRefusal(CONFLICT, [{ said }]);
}

/** The query that names the link type to change. */
const CHANGE = "change";

/** With a link type of the product in it, where one was chosen. */
const AddLink: Part<{ readonly product: Product }> = ({ visit, product }) => {
  const { products: said } = visit.words;
  const path = pathOf(visit);
  const chosen = query(visit, CHANGE) || field(visit, toWas("link_type"));
  const link = product.link_types?.find(({ link_type: one }) => one === chosen);
  const type = linkTypes.find((one) => one === chosen) ?? "gs1:pip";
  return (
    <PostForm visit={visit} action={`${path}/links`}>
      <h3 id="change">{said.addLink}</h3>
      <Was visit={visit} name="link_type" stored={link?.link_type ?? ""} />
      {["", ...toLines(product.link_types)].map((line) => (
        <input type="hidden" name={toWas("links")} value={line} />
      ))}
      <div class="fields">
        <Choice
          name="link_type"
          label={said.linkType}
          value={typed(visit, "link_type", type)}
          options={linkTypes.map((type) => [type, type] as const)}
        />
        <Typed visit={visit} name="title" label={said.linkTitle} stored={link?.title} required />
        <Typed
          visit={visit}
          name="destination_url"
          type="url"
          label={said.destination}
          stored={link?.destination_url}
          required
        />
        <Typed
          visit={visit}
          name="language"
          label={said.language}
          stored={link?.language}
          maxlength={20}
        />
      </div>
      <Tick name="is_default" label={said.makeDefault} />
      <button>{said.saveLink}</button>
    </PostForm>
  );
};

export const LinkTypes: Part<{ readonly product: Product }> = ({ visit, product }) => {
  const { words, base } = visit;
  const { products: said } = words;
  const path = pathOf(visit);
  return (
    <>
      <h2>{said.linkTypes}</h2>
      <Rows
        label={said.linkTypes}
        items={product.link_types ?? []}
        columns={[
          [
            said.linkType,
            ({ link_type: type, is_default: isDefault }) => (
              <>
                {type}
                {isDefault ? <div class="soft">{said.isDefault}</div> : null}
              </>
            ),
            "word",
          ],
          [said.linkTitle, ({ title }) => title],
          [said.destination, ({ destination_url: url }) => <Address url={url} />],
          [said.language, ({ language }) => language],
          ...changing<ProductLink>(visit, [
            words.code.change,
            ({ link_type: type }) => (
              <a href={`${base}${path}${toSearch({ [CHANGE]: type })}#change`}>
                {words.code.change}
              </a>
            ),
          ]),
          ...changing<ProductLink>(visit, [
            said.deleteLink,
            ({ id }) => (
              <PostForm visit={visit} action={`${path}/links/delete`}>
                <button class="small" name="link" value={id}>
                  {said.deleteLink}
                </button>
              </PostForm>
            ),
          ]),
        ]}
      />
      <AddLink visit={visit} product={product} />
    </>
  );
};

/** What was changed of the link that the page showed. */
function toChanges(visit: Visit, old: ProductLink) {
  const { products: said } = visit.words;
  const { link_type: type, title, destination_url: url, language } = old;
  const changed = changedFields(visit, [
    { name: "title", label: said.linkTitle, stored: title ?? "" },
    {
      name: "destination_url",
      label: said.destination,
      stored: url ?? "",
      said: said.changedMeanwhile(type ?? "", url ?? ""),
    },
    { name: "language", label: said.language, stored: language ?? "" },
  ]);
  return {
    ...(changed.has("title") && { title: field(visit, "title") }),
    ...(changed.has("destination_url") && { destination_url: field(visit, "destination_url") }),
    ...(changed.has("language") && { language: orNull(field(visit, "language")) }),
  };
}

/** A link type that the product has keeps what was left as it is. */
export async function saveLink(visit: Visit): Promise<Response> {
  const type = field(visit, "link_type");
  const { link_types: links } = await visit.api("getProduct", { params: idOf(visit) });
  const old = links?.find((link) => link.link_type === type);
  const isShown = field(visit, toWas("link_type")) === type;
  if (old === undefined || !isShown) checkLink(visit, links, type);
  const language = field(visit, "language");
  const given = {
    title: field(visit, "title"),
    destination_url: field(visit, "destination_url"),
    ...(language !== "" && { language }),
  };
  const isDefault = field(visit, "is_default") !== "" && { is_default: true };
  if (old === undefined) {
    const params = idOf(visit);
    const body = { link_type: type as "gs1:pip", ...given, ...isDefault };
    await visit.api("addProductLink", { params, body });
  } else {
    const params = { ...idOf(visit), link_id: old.id };
    const body = { ...(isShown ? toChanges(visit, old) : given), ...isDefault };
    if (Object.keys(body).length > 0) await visit.api("updateProductLink", { params, body });
  }
  return leadTo(visit, pathOf(visit), "saved");
}

export const deleteLink = asCall(
  (visit) =>
    visit.api("deleteProductLink", {
      params: { ...idOf(visit), link_id: field(visit, "link") },
    }),
  pathOf,
  "deleted",
);
