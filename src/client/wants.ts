import type { EndpointName } from "../api/endpoints.ts";

/** The purpose of a call, for the message when it is refused for a row. */
export const wantWords: Partial<Record<EndpointName, string>> = {
  createCode: "the server must make the code",
  updateCode: "the server must change the code",
  updateDesign: "the server must give the code its design",
  deleteCode: "the server must delete the code",
  downloadCode: "the server must make the files of the code",
  addTags: "the server must put the tags on the code",
  removeTag: "the server must take the tag off the code",
  createFolder: "the server must make the folder",
  createPdf: "the server must take the PDF in",
  createLink: "the server must make the short link",
  updateLink: "the server must change the short link",
  createPage: "the server must make the page",
  createForm: "the server must make the form",
  saveForm: "the server must save the form",
  setFormLogo: "the server must fetch the logo of the form",
  publishForm: "the server must publish the form",
  createProduct: "the server must make the product",
  updateProduct: "the server must change the product",
  addProductLink: "the server must add the destination to the product",
  updateProductLink: "the server must change the destination of the product",
  deleteProductLink: "the server must take the destination off the product",
};
