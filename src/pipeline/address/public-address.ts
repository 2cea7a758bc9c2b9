/**
 * The public address of the embedded service: what short links begin with. It belongs to the data
 * folder, which keeps it. Codes that have one are drawn under another only on request.
 */
import { toCapitals } from "../../api/payload.ts";
import { AppError, badUsage } from "../../base/errors.ts";
import { isLoopbackUrl, isUrl, withoutEndSlash } from "../../base/text/url.ts";
import type { Job } from "../../kinds/any-job.ts";
import type { State } from "../../state/state.ts";
import { WITH_SHORT_LINK } from "../../state/which-rows.ts";
import { lookAtState } from "../standing/look-at-state.ts";
import type { Ports, ServerPort } from "../ports.ts";
import { DEFAULT_PUBLIC_URL, type ServerChoice } from "./server.ts";

/** Meta: what short links of the embedded service begin with. */
export const PUBLIC_URL = "public_url";

/** An address as the network takes it: the host in lower case, the usual port left out. */
const toPlain = (url: string): string => (isUrl(url) ? new URL(url).href : url).replace(/\/$/u, "");

const isSame = (a: string, b: string): boolean => toPlain(a) === toPlain(b);

interface Asked extends Pick<ServerChoice, "baseUrl" | "dataDir" | "limits" | "changesPublicUrl"> {
  /** By flag, variable, manifest or project. */
  readonly given: string | undefined;
}

/** Puts together what was named and what the data folder keeps. */
export async function settleAddress(
  { given, ...choice }: Asked,
  { address }: Pick<ServerPort, "address">,
): Promise<ServerChoice> {
  const isEmbedded = choice.baseUrl === undefined;
  const { kept, hasLinks } = isEmbedded
    ? await address(choice.dataDir)
    : { kept: undefined, hasLinks: false };
  // Of two spellings, the one that codes have.
  const isKept = given !== undefined && kept !== undefined && isSame(given, kept);
  const named = given === undefined || isKept ? kept : withoutEndSlash(given);
  return {
    ...choice,
    publicUrl: named ?? DEFAULT_PUBLIC_URL,
    isPublicUrlGiven: named !== undefined,
    keptUrl: kept,
    hasLinks,
  };
}

/** Codes that were made for a public address keep it until another one is named. */
export function rememberPublicUrl(choice: ServerChoice, state: State | undefined): ServerChoice {
  const remembered = state?.meta(PUBLIC_URL);
  return choice.isPublicUrlGiven || remembered === undefined
    ? choice
    : { ...choice, publicUrl: remembered };
}

/** The address that codes of the job have, where it is known. */
function addressOf(state: State | undefined): string | undefined {
  if (state === undefined) return undefined;
  const { length } = state.page(WITH_SHORT_LINK, { afterSeq: -1, limit: 1 });
  return length === 0 ? undefined : state.meta(PUBLIC_URL);
}

/**
 * A short link of an earlier run, as the embedded service gives it under `to`; undefined where it
 * stays. `from` is what it began with then.
 */
export function toMovedLink(
  link: string,
  from: string | undefined,
  to: string,
): string | undefined {
  if (from === undefined || from === to) return undefined;
  if (!link.toLowerCase().startsWith(`${from}/`.toLowerCase())) return undefined;
  const moved = `${to}${link.slice(from.length)}`;
  return link.startsWith(from) ? moved : toCapitals(moved);
}

/** Meta: JSON, the addresses that codes of the job had before. */
const EARLIER = "earlier_addresses";

/** Sheets that were printed before still lead to `from`. */
export function rememberEarlier(state: State, from: string): void {
  state.setMeta(EARLIER, JSON.stringify([...new Set([...recallEarlier(state), from])]));
}

export const recallEarlier = (state: Pick<State, "meta">): string[] =>
  JSON.parse(state.meta(EARLIER) ?? "[]") as string[];

/** Codes of earlier runs have the address `to` now: what was fetched of them shows another one. */
export function moveLinks(state: State, to: string): void {
  const from = state.meta(PUBLIC_URL);
  if (from === to) return;
  state.selected.moveLinks((link) => toMovedLink(link, from, to));
  if (from !== undefined) rememberEarlier(state, from);
  state.setMeta(PUBLIC_URL, to);
}

export interface OtherAddress {
  /** What codes have. */
  readonly had: string;
  readonly wanted: string;
  /** Whose codes. */
  readonly of: string;
  /** Another job has moved all codes of the data folder to `wanted`. */
  readonly isMoved?: true;
}

/** Codes of the job that another job has moved to another address since; undefined where none has. */
export function findMovedAddress(choice: ServerChoice, state?: State): OtherAddress | undefined {
  const { baseUrl, keptUrl, hasLinks, dataDir } = choice;
  const had = addressOf(state);
  if (baseUrl !== undefined || !hasLinks || had === undefined || keptUrl === undefined)
    return undefined;
  const isSettled = isLoopbackUrl(had) || isLoopbackUrl(keptUrl) || isSame(had, keptUrl);
  return isSettled ? undefined : { had, wanted: keptUrl, of: `in ${dataDir}`, isMoved: true };
}

/** Undefined where every code has the address that is wanted, or was only a rehearsal. */
export function findOtherAddress(choice: ServerChoice, state?: State): OtherAddress | undefined {
  const { baseUrl, keptUrl, hasLinks, dataDir, changesPublicUrl, publicUrl: wanted } = choice;
  if (baseUrl !== undefined || changesPublicUrl) return undefined;
  const moved = findMovedAddress(choice, state);
  if (moved !== undefined) return moved;
  const known: readonly (readonly [string | undefined, string])[] = [
    [addressOf(state), "of this job"],
    [hasLinks ? keptUrl : undefined, `in ${dataDir}`],
  ];
  for (const [had, of] of known) {
    if (had === undefined || isLoopbackUrl(had) || isSame(had, wanted)) continue;
    return { had, wanted, of };
  }
  return undefined;
}

export const sayOtherAddress = ({ had, wanted, of, isMoved }: OtherAddress): string =>
  isMoved === true
    ? `the codes of this job have ${had}, but all codes ${of} have been moved to ${wanted} since: those printed with ${had} lead nowhere`
    : `the public address must be ${had}, which the codes ${of} have, got ${wanted}: printed codes would lead nowhere`;

/** How the address is kept, or changed by the command `change`. */
const toAddressHint = (change: string): string =>
  `to keep it, take the other one out (--public-url, MAKEREADY_PUBLIC_URL, api.public_url) or name it there; to change it, when nothing is printed yet: ${change}`;

/** Names both addresses, and what to do. */
export const toAddressError = (other: OtherAddress, change: string): AppError =>
  new AppError("confirm-needed", sayOtherAddress(other), { hint: toAddressHint(change) });

/** The command that takes the address `url`. */
export const toChangeCommand = ({ commandOf }: Pick<Ports, "commandOf">, url: string): string =>
  commandOf("run", { more: ["--change-public-url", url], without: ["publicUrl", "plan"] });

/** The same of codes that another job has moved. */
export function sayMovedAddress(
  other: OtherAddress,
  ports: Pick<Ports, "commandOf">,
): { readonly message: string; readonly hint: string } {
  const { had, wanted } = other;
  return {
    message: sayOtherAddress(other),
    hint: `to make this job's files anew with ${wanted}: ${toChangeCommand(ports, wanted)}; to move all codes back to ${had}: ${toChangeCommand(ports, had)}`,
  };
}

/** The same of any other address. */
export const toAddressProblem = (
  other: OtherAddress,
  ports: Pick<Ports, "commandOf">,
): ReturnType<typeof sayMovedAddress> =>
  other.isMoved === true
    ? sayMovedAddress(other, ports)
    : {
        message: sayOtherAddress(other),
        hint: toAddressHint(toChangeCommand(ports, other.wanted)),
      };

/** The same of a job that is closed; undefined where no other job has moved its codes. */
export const readMoved = (
  job: Job,
  server: ServerChoice,
  ports: Pick<Ports, "commandOf" | "clock" | "writer">,
): Promise<ReturnType<typeof sayMovedAddress> | undefined> =>
  lookAtState(job, ports, (state) => {
    const moved = findMovedAddress(server, state);
    return moved && sayMovedAddress(moved, ports);
  });

/** What people do who run a remote server. */
export const toServe = (flag: string, url: string): string =>
  `whoever runs the server starts it with: makeready serve ${flag} ${url}`;

/** Throws `bad-usage`: jobs don't change the address of a remote server. */
export function refuseFlag({ baseUrl, publicUrl }: ServerChoice): never {
  throw badUsage(
    `--change-public-url must name the address that the server at ${baseUrl} gives its codes, got ${publicUrl}`,
    `leave it out; to change that address, ${toServe("--change-public-url", publicUrl)}`,
  );
}

/** Throws `confirm-needed` where codes would be drawn under another address than they have. */
export function refuseOtherAddress(
  choice: ServerChoice,
  ports: Pick<Ports, "commandOf">,
  state?: State,
): void {
  if (choice.baseUrl !== undefined && choice.changesPublicUrl) refuseFlag(choice);
  const other = findOtherAddress(choice, state);
  if (other === undefined) return;
  const { message, hint } = toAddressProblem(other, ports);
  throw new AppError("confirm-needed", message, { hint });
}

/**
 * Keeps the address with the data once a job runs under it. The address of a rehearsal is not kept.
 */
export async function keepAddress(
  { baseUrl, dataDir, publicUrl, keptUrl, changesPublicUrl }: ServerChoice,
  { server }: Pick<Ports, "server">,
): Promise<void> {
  const isKept = publicUrl === keptUrl && !changesPublicUrl;
  if (baseUrl !== undefined || isKept || isLoopbackUrl(publicUrl)) return;
  await server.keepAddress(dataDir, publicUrl);
}
