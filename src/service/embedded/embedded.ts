/**
 * The service for jobs: opened in the job's process, on a loopback port, in a thread of its own, so
 * that neither waits for the other's disk. Only jobs that use it load it.
 */
import { isSource } from "../../base/files/package-files.ts";
import { systemClock, type Clock } from "../../base/time/clock.ts";
import { randomIds, type Ids } from "../../base/ids/ids.ts";
import type { Embedded, EmbeddedOptions } from "./here.ts";
import type { PublicAddress } from "../store/public-address.ts";
import type { NamedCode } from "../store/read-destinations.ts";

interface Needs {
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Threads run JavaScript, not the TypeScript sources; and a test's clock can't be passed to a thread.
 */
const mayBeThread = ({ clock, ids }: Needs): boolean =>
  !isSource && clock === systemClock && ids === randomIds;

/** Close it when the job is over. */
async function openEmbedded(options: EmbeddedOptions, needs: Needs): Promise<Embedded> {
  if (mayBeThread(needs)) return (await import("./thread.ts")).openInThread(options);
  return (await import("./here.ts")).openHere(options, needs);
}

/** Design templates that such a service has from the beginning. */
async function listTemplates() {
  const { listBuiltInTemplates } = await import("../designs/built-in.ts");
  return listBuiltInTemplates();
}

/** The public address that a data folder keeps. */
async function readAddress(dataDir: string): Promise<PublicAddress> {
  const { readPublicAddress } = await import("../store/public-address.ts");
  return readPublicAddress(dataDir);
}

async function keepAddress(dataDir: string, publicUrl: string): Promise<void> {
  const { keepPublicUrl } = await import("../store/keep-address.ts");
  await keepPublicUrl(dataDir, publicUrl);
}

/** Makes codes void whose labels are spoiled; answers how many of them the data folder has. */
async function makeVoid(
  dataDir: string,
  request: { readonly ids: readonly string[]; readonly nowMs: number },
): Promise<number> {
  const { voidCodes } = await import("../scans/void-codes.ts");
  return voidCodes(dataDir, request);
}

/** How often void codes were scanned since they became void, by id; null for deleted ones. */
async function countVoidScans(
  dataDir: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const { readVoidScans } = await import("../scans/void-codes.ts");
  return readVoidScans(dataDir, ids);
}

/** How codes look, by id. */
async function designs(
  dataDir: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const { readDesigns } = await import("../designs/read-designs.ts");
  return readDesigns(dataDir, ids);
}

/** Where codes lead that ever led elsewhere, by id. */
async function moved(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const { readMoved } = await import("../store/read-destinations.ts");
  return readMoved(dataDir);
}

/** What codes are called and where they are filed, by id; undefined where there is nothing to look at. */
async function named(
  dataDir: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedCode> | undefined> {
  const { readNamed } = await import("../store/read-destinations.ts");
  return readNamed(dataDir, ids);
}

/** Those of these codes that are void. */
async function voided(dataDir: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { readVoided } = await import("../store/read-destinations.ts");
  return readVoided(dataDir, ids);
}

/** Those of these landing pages and forms that are there. */
async function hosted(dataDir: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { readHosted } = await import("../store/read-destinations.ts");
  return readHosted(dataDir, ids);
}

/** Where registered products lead, by the path of their Digital Link. */
async function products(
  dataDir: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const { readProductTargets } = await import("../store/read-destinations.ts");
  return readProductTargets(dataDir, paths);
}

/** The engine's way to the embedded service. */
export const embeddedPort = {
  open: openEmbedded,
  templates: listTemplates,
  address: readAddress,
  keepAddress,
  makeVoid,
  countVoidScans,
  designs,
  moved,
  named,
  voided,
  hosted,
  products,
};

/** The same for a service whose store is a database. */
export const toStorePort = (url: string) => ({
  ...embeddedPort,
  async address(): Promise<PublicAddress> {
    const { readStoreAddress } = await import("../store/keep-address.ts");
    return readStoreAddress(url);
  },
  async keepAddress(_dataDir: string, publicUrl: string): Promise<void> {
    const { keepStoreUrl } = await import("../store/keep-address.ts");
    await keepStoreUrl(url, publicUrl);
  },
});
