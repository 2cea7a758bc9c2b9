/**
 * Between connections and the app: finds each request's sender, and its path without the public
 * prefix.
 */
import type { Addresses } from "../addresses.ts";
import type { makeApp } from "../app.ts";
import { redirectPlainly } from "../scans/redirect.ts";
import type { Scans } from "../scans/scans.ts";
import type { Watch } from "../watch/watch.ts";
import type { Served } from "./listen.ts";
import type { RequestGate } from "./request-gate.ts";
import { toNetwork } from "./senders.ts";

/** For requests of the service to itself: they have no sender. */
export const OWN_BINDINGS = { ip: "", sender: { ip: "", userAgent: "" }, requestId: "" };

export function readTarget({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** What connections call: limits see a sender's network, the app sees its own paths. */
export function makeServed({
  app,
  gate,
  scans,
  addresses,
  watch,
}: {
  readonly app: ReturnType<typeof makeApp>;
  readonly gate: RequestGate;
  readonly scans: Scans;
  readonly addresses: Addresses;
  readonly watch: Watch;
}): Served {
  return {
    fetch(request, connection) {
      const { ip: socketIp } = connection;
      const target = addresses.ownTarget(connection.target);
      const sender = scans.senders.read(socketIp, (name) => request.headers.get(name));
      const network = toNetwork(sender.ip);
      return gate.pass(request, { key: network, connection }, async (guarded, requestId) =>
        app.fetch(addresses.ownRequest(guarded), { ip: network, sender, requestId, target }),
      );
    },
    redirectPlainly({ method, target: sent, header, socketIp }) {
      const readSender = () => scans.senders.read(socketIp, header);
      const target = addresses.ownTarget(sent);
      const redirect = redirectPlainly(scans, { method, target, readSender });
      if (redirect !== undefined) watch.redirected(target, redirect.held);
      return redirect;
    },
  };
}
