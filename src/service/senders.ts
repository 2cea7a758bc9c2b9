/** Who a request comes from, also behind proxies. */
import { BlockList, isIP } from "node:net";

import { AppError } from "../base/errors.ts";

import { Remembered } from "./remembered.ts";

/** The value of a header by its lower-case name; several of one name joined by commas. */
export type ReadHeader = (name: string) => string | null | undefined;

export interface Sender {
  readonly ip: string;
  readonly userAgent: string;
  /** Values of the headers in which a trusted proxy tells the sender's place, in their order. */
  readonly hints?: readonly string[] | undefined;
}

export interface SenderOptions {
  /**
   * Whose `X-Forwarded-For` is believed. `true`: the service is reached through exactly one proxy.
   * A list: addresses and networks (`10.0.0.0/8`) of proxies, `loopback` for this computer; the
   * last address that isn't one of them is the sender. Default: nobody's.
   */
  readonly trustProxy?: boolean | readonly string[] | undefined;
}

const LOOPBACK = ["127.0.0.0/8", "::1/128"];
const MAX_USER_AGENT = 1000;
const MAX_HINT = 200;

/** Empty for a header that is not named. */
const readHint = (header: ReadHeader, name: string): string =>
  name === "" ? "" : (header(name) ?? "").slice(0, MAX_HINT);

/** `::ffff:10.0.0.1` is 10.0.0.1, seen by a socket that listens for both families. */
const toPlain = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/iu, "");

function toNetworks(list: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const item of list.flatMap((one) => (one === "loopback" ? LOOPBACK : [one]))) {
    const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/u.exec(item.trim()) ?? [];
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    const length = prefix === undefined ? longest : Number(prefix);
    if (family === 0 || length > longest) {
      throw new AppError(
        "bad-usage",
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

  /** `hintHeaders`: names of the headers that tell a place, lower-case; empty = there is none. */
  constructor({ trustProxy = false }: SenderOptions, hintHeaders: readonly string[] = []) {
    this.#single = trustProxy === true;
    this.#trusted = typeof trustProxy === "boolean" ? undefined : toNetworks(trustProxy);
    this.#hintHeaders = hintHeaders;
  }

  read(socketIp: string, header: ReadHeader): Sender {
    const near = toPlain(socketIp);
    const isProxied = this.#single || this.#isTrusted(near);
    const ip = isProxied ? this.#readForwarded(near, header) : near;
    const userAgent = (header("user-agent") ?? "").slice(0, MAX_USER_AGENT);
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

  /** Each proxy adds whom it saw at the end; what stands before the last stranger anybody can write. */
  #readForwarded(near: string, header: ReadHeader): string {
    const given = (header("x-forwarded-for") ?? "").split(",");
    const chain = given.map((one) => toPlain(one.trim())).filter((one) => one !== "");
    for (let at = chain.length - 1; at > 0; at -= 1) {
      const ip = chain[at] ?? "";
      if (this.#single || !this.#isTrusted(ip)) return ip;
    }
    return chain[0] ?? near;
  }
}
