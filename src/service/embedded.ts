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

/** Makes codes void that are spoiled on paper; answers how many of them the data folder has. */
async function makeVoid(
  dataDir: string,
  request: { readonly ids: readonly string[]; readonly nowMs: number },
): Promise<number> {
  const { voidCodes } = await import("./scans/void-codes.ts");
  return voidCodes(dataDir, request);
}

/** How often void codes were scanned since they are void, by id. */
async function countVoidScans(
  dataDir: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { readVoidScans } = await import("./scans/void-codes.ts");
  return readVoidScans(dataDir, ids);
}

/** How the engine gets at it. */
export const embeddedPort = {
  open: openEmbedded,
  templates: listTemplates,
  address: readAddress,
  keepAddress,
  makeVoid,
  countVoidScans,
};
