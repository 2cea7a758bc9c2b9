/** A desk with a session, asked without a browser. */
import { listTasks } from "../../src/desk/tasks/task.ts";
import { openTestDesk } from "./open-desk.ts";

export interface AskedDesk {
  readonly origin: string;
  get(path: string, language?: "en" | "de"): Promise<Response>;
  post(
    path: string,
    form: Readonly<Record<string, string | Blob>>,
    language?: "en" | "de",
  ): Promise<Response>;
  postForm(path: string, form: FormData): Promise<Response>;
  /** A form of so many bytes, none of which says anything. */
  postLarge(path: string, bytes: number): Promise<Response>;
  close(): Promise<void>;
}

export async function openAskedDesk(
  folder: string,
  changes: Parameters<typeof openTestDesk>[1] = {},
): Promise<AskedDesk> {
  const desk = await openTestDesk(folder, changes);
  const opened = await fetch(desk.link);
  await opened.text();
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { origin } = desk;
  const postForm = (path: string, body: FormData, language = "en"): Promise<Response> => {
    const headers = { cookie, origin, "accept-language": language };
    return fetch(`${origin}${path}`, { method: "POST", headers, body, redirect: "manual" });
  };
  return {
    origin,
    get: (path, language = "en") => {
      const headers = { cookie, "accept-language": language };
      return fetch(`${origin}${path}`, { headers, redirect: "manual" });
    },
    post: (path, form, language) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(form)) body.set(name, value);
      return postForm(path, body, language);
    },
    postForm: (path, form) => postForm(path, form),
    postLarge: (path, bytes) => {
      const headers = { cookie, origin, "content-type": "multipart/form-data; boundary=x" };
      return fetch(`${origin}${path}`, { method: "POST", headers, body: Buffer.alloc(bytes) });
    },
    close: () => desk.close(),
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
  "&lt;": "<",
  "&gt;": ">",
};

/** Named inputs of a page with their values, as a browser would send text fields back. */
export function readForm(html: string): Record<string, string> {
  const form: Record<string, string> = {};
  for (const [tag] of html.matchAll(/<input [^>]*>/gu)) {
    const read = (name: string): string | undefined =>
      new RegExp(` ${name}="([^"]*)"`, "u").exec(tag)?.[1];
    const name = read("name");
    if (name === undefined || name === "to") continue;
    if (read("type") === "checkbox" && !/ checked\b/u.test(tag)) continue;
    form[name] = (read("value") ?? "").replaceAll(/&[#a-z0-9]+;/gu, (one) => ENTITIES[one] ?? one);
  }
  return form;
}

/** Waits for the end of the newest task of a manifest. */
export async function waitForTask(
  desk: Pick<AskedDesk, "get">,
  folder: string,
  manifest: string,
): Promise<void> {
  const [task] = await listTasks(folder, manifest);
  if (task === undefined) return;
  await (await desk.get(`/task/${task.id}/events`)).text();
}
