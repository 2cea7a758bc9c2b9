/** The names of endpoints as tools, and for people. */
import type { EndpointName } from "../../api/endpoints.ts";

/** Endpoint -> its tool, verb_noun; the type makes sure that none is missing. */
export const toolNames: Readonly<Record<EndpointName, string>> = {
  createCode: "create_qr_code",
  listCodes: "list_qr_codes",
  listTemplates: "list_templates",
  getCode: "get_qr_code",
  listActivity: "get_qr_code_activity",
  getAnalytics: "get_qr_code_analytics",
  getWorkspaceAnalytics: "get_workspace_analytics",
  downloadCode: "download_qr_code",
  updateCode: "update_qr_code",
  updateDesign: "update_qr_code_design",
  deleteCode: "delete_qr_code",
  listTags: "list_tags",
  addTags: "add_tags",
  removeTag: "remove_tag",
  listFolders: "list_folders",
  createFolder: "create_folder",
  updateFolder: "update_folder",
  deleteFolder: "delete_folder",
  createPdf: "create_pdf_qr_code",
  createLink: "create_short_link",
  listLinks: "list_short_links",
  getLink: "get_short_link",
  updateLink: "update_short_link",
  deleteLink: "delete_short_link",
  getLinkQr: "get_short_link_qr_code",
  listLinkActivity: "get_short_link_activity",
  createPage: "create_landing_page",
  getPage: "get_landing_page",
  listPages: "list_landing_pages",
  createForm: "create_form",
  saveForm: "save_form_fields",
  setFormLogo: "set_form_logo",
  publishForm: "publish_form",
  closeForm: "close_form",
  reopenForm: "reopen_form",
  listForms: "list_forms",
  listFormResponses: "list_form_responses",
  createProduct: "create_gs1_product",
  listProducts: "list_gs1_products",
  getProduct: "get_gs1_product",
  updateProduct: "update_gs1_product",
  deleteProduct: "delete_gs1_product",
  addProductLink: "add_gs1_product_link",
  updateProductLink: "update_gs1_product_link",
  deleteProductLink: "delete_gs1_product_link",
  getLinkset: "get_gs1_product_linkset",
};

export const written: Readonly<Record<string, string>> = { qr: "QR", gs1: "GS1", pdf: "PDF" };

/** `Create PDF QR code` for `create_pdf_qr_code`. */
export function toTitle(name: string): string {
  const title = name.split("_").map((word) => written[word] ?? word);
  return title.join(" ").replace(/^./u, (first) => first.toUpperCase());
}
