/** Labels for programs of this computer that have a session (docs/render.md). */
import type { Hono } from "hono";

import { RENDER_PATH } from "../service/addresses.ts";
import type { Render } from "../service/http/render-port.ts";
import type { DeskContext } from "./context.ts";

/** One session, one sender. */
const SENDER = "desk";

export function routeRender(app: Hono, { clock }: Pick<DeskContext, "clock">): void {
  let render: Promise<Render> | undefined;
  app.post(RENDER_PATH, async (c) => {
    const { makeRender, readWhole } = await import("../render/render.ts");
    render ??= Promise.resolve(makeRender({ clock }));
    const { raw: request } = c.req;
    const read = (maxBytes: number): Promise<Uint8Array> => readWhole(request, maxBytes);
    return (await render)({ request, sender: SENDER, read });
  });
}
