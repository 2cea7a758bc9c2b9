/** The service of a job, in the thread that opens it. */
import type { Clock } from "../../base/time/clock.ts";
import type { Ids } from "../../base/ids/ids.ts";
import { openService } from "../service.ts";

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly publicUrl: string;
  readonly limits: "off" | "hosted";
  /** New codes have links in capitals. */
  readonly capitalLinks: boolean;
  /** Logos and PDFs may be at private addresses. */
  readonly allowPrivateFetch?: boolean | undefined;
}

export interface Embedded {
  readonly baseUrl: string;
  readonly token: string;
  readonly workspace: string;
  close(): Promise<void>;
}

export async function openHere(
  { dataDir, publicUrl, limits, capitalLinks, allowPrivateFetch }: EmbeddedOptions,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): Promise<Embedded> {
  const service = await openService({
    dataDir,
    publicUrl,
    // While a job runs, the public address may not be served yet.
    assetUrl: "listen",
    limits,
    capitalLinks,
    allowPrivateFetch,
    deliverWebhooks: false,
    clock,
    ids,
  });
  const { baseUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  return {
    baseUrl,
    token: service.account.token,
    workspace: service.account.workspaceId,
    close: () => service.close(),
  };
}
