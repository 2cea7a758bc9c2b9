/** Landing pages and forms: docs/spec/api.md sections 4.6 and 4.7. */
import { change, item, list, type Endpoint } from "./endpoint.ts";
import {
  Form,
  FormCreate,
  FormItem,
  FormListQuery,
  FormLogo,
  FormPageQuery,
  FormPublish,
  FormResponse,
  FormSave,
} from "./form.ts";
import { LandingPage, LandingPageCreate } from "./page.ts";
import { pageOf, PageQuery } from "./paging.ts";

const post = { ...change, methods: ["POST"] } as const;

export const pageEndpoints = {
  // 4.6 Landing pages
  createPage: {
    group: "pages",
    ...post,
    path: "/page/create/",
    body: LandingPageCreate,
    response: LandingPage,
    creates: true,
    summary: "Makes and publishes a landing page with its dynamic code.",
  },
  getPage: {
    group: "pages",
    ...item,
    path: "/page/{page_id}/",
    response: LandingPage,
    summary: "Answers one landing page.",
  },
  listPages: {
    group: "pages",
    ...list,
    path: "/workspace/{workspace_id}/pages/",
    query: PageQuery,
    response: pageOf(LandingPage),
    summary: "Lists landing pages, newest first.",
  },
  // 4.7 Forms
  createForm: {
    group: "forms",
    ...post,
    path: "/form/create/",
    body: FormCreate,
    response: Form,
    creates: true,
    summary: "Makes a form, not yet published.",
  },
  saveForm: {
    group: "forms",
    ...post,
    path: "/form/{form_id}/save/",
    body: FormSave,
    response: Form,
    summary: "Replaces the fields of a form and sets its settings, all or nothing.",
    note: "New fields have an id that begins with temp-; fields that are not sent are removed from the draft. Respondents see the changes once the form is published again.",
  },
  setFormLogo: {
    group: "forms",
    ...post,
    path: "/form/{form_id}/logo-url/",
    body: FormLogo,
    response: Form,
    summary: "Fetches an image and makes it the form's logo.",
  },
  publishForm: {
    group: "forms",
    ...post,
    path: "/form/{form_id}/publish/",
    body: FormPublish,
    response: Form,
    summary: "Makes the fields as they are now the live form; the first time with its code.",
  },
  closeForm: {
    group: "forms",
    ...post,
    path: "/form/{form_id}/close/",
    response: Form,
    summary: "Stops taking responses.",
  },
  reopenForm: {
    group: "forms",
    ...post,
    path: "/form/{form_id}/reopen/",
    response: Form,
    summary: "Takes responses again.",
  },
  listForms: {
    group: "forms",
    ...list,
    path: "/forms/",
    query: FormListQuery,
    response: pageOf(FormItem),
    summary: "Lists the forms of a workspace, newest first.",
  },
  listFormResponses: {
    group: "forms",
    ...list,
    path: "/forms/{form_id}/responses/",
    query: FormPageQuery,
    response: pageOf(FormResponse),
    summary: "Lists the submissions of a form, newest first, with their answers.",
  },
} as const satisfies Record<string, Endpoint>;
