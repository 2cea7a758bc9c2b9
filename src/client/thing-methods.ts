/** The API besides codes: short links, landing pages, forms, GS1 products. */
import type {
  Form,
  FormItem,
  FormListQuery,
  FormLogo,
  FormPageQuery,
  FormPublish,
  FormResponse,
  FormSave,
} from "../api/form.ts";
import type { Link, LinkItem, LinkListQuery, LinkUpdate } from "../api/link.ts";
import type { LandingPage } from "../api/page.ts";
import type { Page, PageQuery } from "../api/paging.ts";
import type {
  Product,
  ProductCreate,
  ProductLink,
  ProductLinkCreate,
  ProductLinkPatch,
  ProductPatch,
} from "../api/product.ts";
import { AppError } from "../base/errors.ts";
import type { Call } from "./call.ts";

/** A product after its create. */
export interface Registered {
  readonly product: Product;
  /**
   * It was registered before (docs/spec/api.md section 4.9: the answer is a 200): by somebody else, or
   * by a request whose answer was lost.
   */
  readonly wasThere: boolean;
}

/** If the document doesn't show an answer, it is undefined when we don't recognise it. */
export interface ThingMethods {
  listLinks(query?: LinkListQuery): Promise<Page<LinkItem>>;
  getLink(id: string): Promise<Link>;
  updateLink(id: string, patch: LinkUpdate): Promise<Link>;
  /** False when the link was gone already. */
  deleteLink(id: string): Promise<boolean>;
  listPages(query?: PageQuery): Promise<Page<LandingPage>>;
  getPage(id: string): Promise<LandingPage>;
  listForms(query?: Omit<FormListQuery, "workspace">): Promise<Page<FormItem>>;
  /** No call answers a single form; but the list of its responses is a 404 when it doesn't exist. */
  hasForm(id: string): Promise<boolean>;
  /** Newest first. */
  listFormResponses(id: string, query?: FormPageQuery): Promise<Page<FormResponse>>;
  saveForm(id: string, form: FormSave): Promise<Form | undefined>;
  setFormLogo(id: string, logo: FormLogo): Promise<Form | undefined>;
  publishForm(id: string, options?: FormPublish): Promise<Form>;
  /** Updates the product if one with that identifier exists. */
  createProduct(body: Omit<ProductCreate, "workspace">): Promise<Product>;
  /** The same, and says whether one existed. */
  registerProduct(body: Omit<ProductCreate, "workspace">): Promise<Registered>;
  getProduct(id: string): Promise<Product>;
  updateProduct(id: string, patch: ProductPatch): Promise<Product>;
  addProductLink(id: string, link: ProductLinkCreate): Promise<ProductLink | undefined>;
  updateProductLink(
    id: string,
    linkId: string,
    patch: ProductLinkPatch,
  ): Promise<ProductLink | undefined>;
  /** False when the link type was gone already. */
  deleteProductLink(id: string, linkId: string): Promise<boolean>;
}

export async function wasThere(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "not-found") return false;
    throw error;
  }
}

const makeLinkMethods = (call: Call, workspace: string) =>
  ({
    listLinks: (query) => call("listLinks", { params: { workspace_id: workspace }, query }),
    getLink: (id) => call("getLink", { params: { link_id: id } }),
    updateLink: (id, body) => call("updateLink", { params: { link_id: id }, body }),
    deleteLink: (id) => wasThere(() => call("deleteLink", { params: { link_id: id } })),
  }) satisfies Partial<ThingMethods>;

const makePageMethods = (call: Call, workspace: string) =>
  ({
    listPages: (query) => call("listPages", { params: { workspace_id: workspace }, query }),
    listForms: (query) => call("listForms", { params: {}, query: { workspace, ...query } }),
    getPage: (id) => call("getPage", { params: { page_id: id } }),
    hasForm: (id) =>
      wasThere(() =>
        call("listFormResponses", { params: { form_id: id }, query: { page: 1, page_size: 1 } }),
      ),
    listFormResponses: (id, query) => call("listFormResponses", { params: { form_id: id }, query }),
    saveForm: (id, body) => call.loosely("saveForm", { params: { form_id: id }, body }),
    setFormLogo: (id, body) => call.loosely("setFormLogo", { params: { form_id: id }, body }),
    publishForm: (id, body = {}) => call("publishForm", { params: { form_id: id }, body }),
  }) satisfies Partial<ThingMethods>;

const ofProduct = (id: string): { product_id: string } => ({ product_id: id });

function makeProductMethods(call: Call, workspace: string) {
  return {
    createProduct: (body) => call("createProduct", { params: {}, body: { workspace, ...body } }),
    registerProduct: async (body) => {
      const input = { params: {}, body: { workspace, ...body } };
      const { status, body: product } = await call.withStatus("createProduct", input);
      return { product, wasThere: status === 200 };
    },
    getProduct: (id) => call("getProduct", { params: ofProduct(id) }),
    updateProduct: (id, body) => call("updateProduct", { params: ofProduct(id), body }),
    addProductLink: (id, body) => call.loosely("addProductLink", { params: ofProduct(id), body }),
    updateProductLink: (id, linkId, body) =>
      call.loosely("updateProductLink", { params: { ...ofProduct(id), link_id: linkId }, body }),
    deleteProductLink: (id, linkId) =>
      wasThere(() => call("deleteProductLink", { params: { ...ofProduct(id), link_id: linkId } })),
  } satisfies Partial<ThingMethods>;
}

export function makeThingMethods(call: Call, workspace: string): ThingMethods {
  return {
    ...makeLinkMethods(call, workspace),
    ...makePageMethods(call, workspace),
    ...makeProductMethods(call, workspace),
  };
}
