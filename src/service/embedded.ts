/**
 * The service for those who run jobs: opened in their own process, on a port of the loopback
 * interface. It is loaded by those jobs only that use it.
 */
import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { PublicAddress } from "./store/public-address.ts";

interface EmbeddedOptions {
  readonly dataDir: string;
  readonly publicUrl: string;
  readonly limits: "off" | "hosted";
  /** New codes have links in capitals. */
  readonly capitalLinks: boolean;
}

interface Embedded {
  readonly baseUrl: string;
  readonly token: string;
  readonly workspace: string;
  close(): Promise<void>;
}

/** Close it when the job is over. */
export async function openEmbedded(
  { dataDir, publicUrl, limits, capitalLinks }: EmbeddedOptions,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): Promise<Embedded> {
  const { openService } = await import("./service.ts");
  const service = await openService({
    dataDir,
    publicUrl,
    // Nobody serves the public address yet while a job runs.
    assetUrl: "listen",
    limits,
    capitalLinks,
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

/** Design templates that such a service has from the beginning. */
async function listTemplates() {
  const { listBuiltInTemplates } = await import("./designs/built-in.ts");
  return listBuiltInTemplates();
}

/** The public address that a data folder keeps. */
async function readAddress(dataDir: string): Promise<PublicAddress> {
  const { readPublicAddress } = await import("./store/public-address.ts");
  return readPublicAddress(dataDir);
}

async function keepAddress(dataDir: string, publicUrl: string): Promise<void> {
  const { keepPublicUrl } = await import("./store/public-address.ts");
  await keepPublicUrl(dataDir, publicUrl);
}

/** How the engine gets at it. */
export const embeddedPort = {
  open: openEmbedded,
  templates: listTemplates,
  address: readAddress,
  keepAddress,
};

/** The same for a service whose store is a database. */
export const toStorePort = (url: string) => ({
  ...embeddedPort,
  async address(): Promise<PublicAddress> {
    const { readStoreAddress } = await import("./store/public-address.ts");
    return readStoreAddress(url);
  },
  async keepAddress(_dataDir: string, publicUrl: string): Promise<void> {
    const { keepStoreUrl } = await import("./store/public-address.ts");
    await keepStoreUrl(url, publicUrl);
  },
});
