/** GS1 products: their link types, and what a scan of them answers. */
import { identifierKinds, identifierTypes } from "../../gs1/identifiers.ts";
import { linkTypes } from "../../gs1/link-types.ts";
import { OwnRefusal } from "../refusal.ts";
import { pageQuery, TableList } from "../view/list.tsx";
import { Delete, Name, PostForm, reply } from "../view/page.tsx";
import { Address, Choice, type Fact, Facts, Field, Moment } from "../view/parts.tsx";
import {
  asCall,
  field,
  leadTo,
  orNull,
  type Part,
  query,
  type Screen,
  typed,
  type Visit,
} from "../visit.ts";
import {
  CONFLICT,
  deleteLink,
  idOf,
  LinkTypes,
  pathOf,
  type Product,
  saveLink,
} from "./product-links.tsx";

const toName = (product: Product): string =>
  [product.identifier_label ?? product.identifier_type, product.identifier_value].join(" ");

const Make: Part = ({ visit }) => {
  const { products: said } = visit.words;
  const at = (name: string): string => typed(visit, name, "");
  return (
    <PostForm visit={visit} action="/products">
      <h2>{said.add}</h2>
      <div class="fields">
        <Choice
          name="identifier_type"
          label={said.type}
          value={at("identifier_type") || "01"}
          options={identifierTypes.map(
            (type) => [type, `${identifierKinds[type].label} (${type})`] as const,
          )}
        />
        <Field name="identifier_value" label={said.value} value={at("identifier_value")} required />
        <Field
          name="destination_url"
          type="url"
          label={said.destination}
          value={at("destination_url")}
        />
        <Field name="batch_lot" label={said.batch} value={at("batch_lot")} />
        <Field name="serial_number" label={said.serial} value={at("serial_number")} />
        <Field name="expiry_date" label={said.expiry} value={at("expiry_date")} />
      </div>
      <button>{said.make}</button>
    </PostForm>
  );
};

/** Where a plain scan leads. */
const toDefault = (links: Product["link_types"]): string | undefined =>
  links?.find(({ is_default: isDefault }) => isDefault)?.destination_url;

async function showProducts(visit: Visit): Promise<Response> {
  const { words, api, session } = visit;
  const { products: said } = words;
  const found = await api("listProducts", {
    params: { workspace_id: session.workspaceId },
    query: pageQuery(visit),
  });
  const children = (
    <>
      <TableList
        visit={visit}
        path="/products"
        found={found}
        none={said.none}
        label={said.title}
        columns={[
          [
            said.type,
            (one) => <Name visit={visit} to={`/products/${one.id}`} text={toName(one)} />,
          ],
          [said.batch, ({ batch_lot: batch }) => batch],
          [said.serial, ({ serial_number: serial }) => serial],
          [said.destination, ({ link_types: links }) => <Address url={toDefault(links)} />],
          [words.codes.made, ({ created }) => <Moment words={words} at={created} />, "word"],
        ]}
      />
      <Make visit={visit} />
    </>
  );
  return reply(visit, { at: "products", title: said.title, children });
}

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "pl", "nl"] as const;

/** The language of the destination, and that the visitor did not ask for it. */
const InLanguage: Part<{ readonly language: string | null | undefined }> = ({
  visit,
  language,
}) => {
  const { products: said } = visit.words;
  return (
    <>
      {(language ?? "") === "" ? null : <p>{said.destinationLanguage(language ?? "")}</p>}
      <p class="soft">{said.languageNote}</p>
    </>
  );
};

/** The answer of this service's own resolver, in words. */
async function Answered({
  visit,
  product,
  url,
}: {
  readonly visit: Visit;
  readonly product: Product;
  readonly url: string;
}) {
  const { words, service } = visit;
  const { products: said } = words;
  const wanted = query(visit, "link_type");
  const language = query(visit, "language");
  if (language === "") return null;
  const accept = wanted === "linkset" ? "application/linkset+json" : "text/html";
  const search =
    wanted === "" || wanted === "linkset" ? "" : `?linkType=${encodeURIComponent(wanted)}`;
  const answer = await service.askResolver(`${url}${search}`, {
    accept,
    "accept-language": language,
  });
  const location = answer.headers.get("location");
  const link = product.link_types?.find(({ link_type: type, is_default: isDefault }) =>
    search === "" ? isDefault : type === wanted,
  );
  const type = answer.headers.get("content-type") ?? "";
  return (
    <div class="banner good" role="status">
      <strong>{said.answer}</strong>
      <p>{location === null ? `${said.gets(answer.status)} ${type}` : said.ledTo(location)}</p>
      <InLanguage visit={visit} language={location === null ? null : link?.language} />
    </div>
  );
}

async function Test({ visit, product, url }: Parameters<typeof Answered>[0]) {
  const { words, base } = visit;
  const { products: said } = words;
  const answered = await Answered({ visit, product, url });
  const names = new Intl.DisplayNames(words.language, { type: "language" });
  return (
    <>
      <h2 id="test">{said.test}</h2>
      <p>{said.testText}</p>
      <form method="get" action={`${base}${pathOf(visit)}#test`} class="inline">
        <Choice
          id="asks"
          name="link_type"
          label={said.asks}
          value={query(visit, "link_type")}
          options={[
            ["", said.plain],
            ["linkset", said.linkset],
            ...linkTypes.map((one) => [one, one] as const),
          ]}
        />
        <Choice
          id="language-of-phone"
          name="language"
          label={said.phoneLanguage}
          value={query(visit, "language") || words.language}
          options={LANGUAGES.map((one) => [one, names.of(one) ?? one] as const)}
        />
        <button>{said.ask}</button>
      </form>
      {answered}
    </>
  );
}

async function showProduct(visit: Visit): Promise<Response> {
  const { words, api } = visit;
  const { products: said } = words;
  const product = await api("getProduct", { params: idOf(visit) });
  const { linkset } = await api("getLinkset", { params: idOf(visit) });
  const url = linkset[0]?.anchor ?? "";
  const test = await Test({ visit, product, url });
  const qualifiers: Fact[] = [
    [said.batch, product.batch_lot],
    [said.serial, product.serial_number],
    [said.expiry, product.expiry_date],
  ];
  const children = (
    <>
      <Facts
        facts={[
          [said.digitalLink, <Address url={url} />],
          ...qualifiers.filter(([, value]) => (value ?? null) !== null),
          [words.common.id, <code>{product.id}</code>],
        ]}
      />
      <LinkTypes visit={visit} product={product} />
      {test}
      <Delete visit={visit} path={pathOf(visit)} title={said.delete} hint={said.deleteHint} />
    </>
  );
  return reply(visit, { at: "products", title: toName(product), children });
}

async function makeProduct(visit: Visit): Promise<Response> {
  const { make, session, words, base } = visit;
  const read = (name: string): string | null => orNull(field(visit, name));
  const { one, isNew } = await make("createProduct", {
    params: {},
    body: {
      workspace: session.workspaceId,
      identifier_type: field(visit, "identifier_type") as "01",
      identifier_value: field(visit, "identifier_value"),
      destination_url: read("destination_url"),
      batch_lot: read("batch_lot"),
      serial_number: read("serial_number"),
      expiry_date: read("expiry_date"),
    },
  });
  const path = `/products/${encodeURIComponent(one.id)}`;
  if (isNew) return leadTo(visit, path, "made");
  const said = words.products.isThere(toDefault(one.link_types));
  const to = { href: `${base}${path}`, text: toName(one) };
  throw new OwnRefusal(CONFLICT, [{ said, to }]);
}

const deleteProduct = asCall(
  (visit) => visit.api("deleteProduct", { params: idOf(visit) }),
  () => "/products",
  "deleted",
);

export const products: Screen = {
  get: { "/products": showProducts, "/products/:id": showProduct },
  post: {
    "/products": { take: makeProduct, again: showProducts },
    "/products/:id/links": { take: saveLink, again: showProduct },
    "/products/:id/links/delete": { take: deleteLink, again: showProduct },
    "/products/:id/delete": { take: deleteProduct, again: showProduct },
  },
};
