/** Which sender a request comes from, also behind proxies. */
import { BlockList, isIP, isIPv4, SocketAddress } from "node:net";

import { badUsage } from "../../base/errors.ts";

import { Remembered } from "../../base/flow/remembered.ts";

/** The value of a header by its lower-case name; several of one name joined by commas. */
export type ReadHeader = (name: string) => string | null | undefined;

export interface Sender {
  /**
   * The address in its standard form (see `toAddress`); anything else only when the socket had no
   * address.
   */
  readonly ip: string;
  readonly userAgent: string;
  /** Values of the headers in which a trusted proxy gives the sender's place, in their order. */
  readonly hints?: readonly string[] | undefined;
}

export interface SenderOptions {
  /**
   * Whose `X-Forwarded-For` counts. `true`: exactly one proxy is in front of the service. A list:
   * addresses and networks (`10.0.0.0/8`) of proxies, `loopback` for this computer; the sender is
   * the last address that isn't in it. Default: nobody's.
   */
  readonly trustProxy?: boolean | readonly string[] | undefined;
}

const LOOPBACK = ["127.0.0.0/8", "::1/128"];
const MAX_USER_AGENT = 1000;
const MAX_HINT = 200;
/** Room for the addresses of ten proxies: everything before them may be forged. */
const MAX_FORWARDED = 500;
/** The longest address in brackets, with a zone and a port. */
const MAX_ADDRESS = 80;

/** A copy: a slice of a long text would keep the whole text in memory. Headers are Latin-1. */
const copy = (text: string): string => Buffer.from(text, "latin1").toString("latin1");

const cutStart = (text: string, max: number): string =>
  text.length <= max ? text : copy(text.slice(0, max));

const cutEnd = (text: string, max: number): string =>
  text.length <= max ? text : copy(text.slice(-max));

/** Empty when the header isn't configured. */
const readHint = (header: ReadHeader, name: string): string =>
  name === "" ? "" : cutStart(header(name) ?? "", MAX_HINT);

/** `[2001:db8::1]:443`, `[2001:db8::1]` and `1.2.3.4:5678`, as some proxies write them. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|([^:]*):\d{1,5})$/u;
/** Separates the network card on which a link-local address was seen. */
const ZONE = "%";
/** IPv4, as seen by a socket that listens for both families. */
const MAPPED = /^::ffff:(?=\d+\.)/u;

/** IPv6 addresses have many spellings: this remembers the standard one. */
const knownIpv6 = new Remembered<string>(10_000);

/** The address in its standard form, without port and zone; undefined when `text` is no address. */
export function toAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (text.length > MAX_ADDRESS) return undefined;
  const known = knownIpv6.get(text);
  if (known !== undefined) return known;
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? [];
  const bare = (bracketed ?? plain ?? text).split(ZONE, 1).join("");
  const family = isIP(bare);
  if (family !== 6) return family === 4 ? bare : undefined;
  const { address } = new SocketAddress({ address: bare, family: "ipv6" });
  const ip = address.replace(MAPPED, "");
  knownIpv6.set(copy(text), ip);
  return ip;
}

const NETWORK_GROUPS = 4;
const ADDRESS_GROUPS = 8;

/**
 * What limits count as one sender: an IPv4 address, or the first 64 bits of an IPv6 address, since
 * one network has all addresses behind them. `ip` as `toAddress` writes it.
 */
export function toNetwork(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  const [head = [], tail = []] = ip.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const gap = Array.from({ length: ADDRESS_GROUPS - head.length - tail.length }, () => "0");
  return `${[...head, ...gap, ...tail].slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

function toNetworks(list: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const item of list.flatMap((one) => (one === "loopback" ? LOOPBACK : [one]))) {
    const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/u.exec(item.trim()) ?? [];
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    const length = prefix === undefined ? longest : Number(prefix);
    if (family === 0 || length > longest) {
      throw badUsage(
        `trusted proxies must be addresses, networks like 10.0.0.0/8 or loopback, got ${JSON.stringify(item)}`,
      );
    }
    networks.addSubnet(address, length, family === 4 ? "ipv4" : "ipv6");
  }
  return networks;
}

/** Reads senders out of requests. Throws "bad-usage" for a trust list that can't be read. */
export class Senders {
  readonly #single: boolean;
  readonly #trusted: BlockList | undefined;
  readonly #hintHeaders: readonly string[];
  readonly #known = new Remembered<boolean>(10_000);

  /**
   * `hintHeaders`: lower-case names of the headers with the sender's place; an empty name = no such
   * header.
   */
  constructor({ trustProxy = false }: SenderOptions, hintHeaders: readonly string[] = []) {
    this.#single = trustProxy === true;
    this.#trusted = typeof trustProxy === "boolean" ? undefined : toNetworks(trustProxy);
    this.#hintHeaders = hintHeaders;
  }

  read(socketIp: string, header: ReadHeader): Sender {
    const near = toAddress(socketIp) ?? socketIp;
    const isProxied = this.#single || this.#isTrusted(near);
    const ip = isProxied ? this.#readForwarded(near, header) : near;
    const userAgent = cutStart(header("user-agent") ?? "", MAX_USER_AGENT);
    if (!isProxied || this.#hintHeaders.length === 0) return { ip, userAgent };
    return { ip, userAgent, hints: this.#hintHeaders.map((name) => readHint(header, name)) };
  }

  #isTrusted(ip: string): boolean {
    if (this.#trusted === undefined) return false;
    const known = this.#known.get(ip);
    if (known !== undefined) return known;
    const family = isIP(ip);
    const trusted = family !== 0 && this.#trusted.check(ip, family === 4 ? "ipv4" : "ipv6");
    this.#known.set(ip, trusted);
    return trusted;
  }

  /**
   * Each proxy appends the address it saw; everything before the last untrusted address may be
   * forged. Where a proxy gives no address, the proxy itself counts as the sender.
   */
  #readForwarded(near: string, header: ReadHeader): string {
    const given = cutEnd(header("x-forwarded-for") ?? "", MAX_FORWARDED).split(",");
    const chain = given.map((one) => one.trim()).filter((one) => one !== "");
    let seen = near;
    for (const one of chain.toReversed()) {
      const ip = toAddress(one);
      if (ip === undefined) return seen;
      if (this.#single || !this.#isTrusted(ip)) return ip;
      seen = ip;
    }
    return seen;
  }
}
