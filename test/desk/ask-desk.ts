/** A desk with a session, asked without a browser. */
import { systemClock } from "../../src/base/clock.ts";
import { randomIds } from "../../src/base/ids.ts";
import { openDesk } from "../../src/desk/desk.ts";

export interface AskedDesk {
  readonly origin: string;
  get(path: string): Promise<Response>;
  post(path: string, form: Readonly<Record<string, string | Blob>>): Promise<Response>;
  close(): Promise<void>;
}

export async function openAskedDesk(folder: string): Promise<AskedDesk> {
  const desk = await openDesk({
    folder,
    port: 0,
    clock: systemClock,
    ids: randomIds,
    writer: "makeready test",
    env: {},
  });
  const opened = await fetch(desk.link);
  await opened.text();
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { origin } = desk;
  return {
    origin,
    get: (path) => fetch(`${origin}${path}`, { headers: { cookie }, redirect: "manual" }),
    post: (path, form) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(form)) body.set(name, value);
      const headers = { cookie, origin };
      return fetch(`${origin}${path}`, { method: "POST", headers, body, redirect: "manual" });
    },
    close: () => desk.close(),
  };
}
