/** Requests of one connection that are sent before the answer to the one before (HTTP pipelining). */
import { afterEach, expect, it } from "vitest";

import { listen, type Listener } from "../../src/service/http/listen.ts";

import { openSocket, sendRaw, type RawSocket } from "./raw-socket.ts";

const MOST_WAITING = 4096;
const MOST_WAITING_OF_ONE = 1024;

let listener: Listener | undefined;
let open: (() => void) | undefined;
const sockets: RawSocket[] = [];
afterEach(async () => {
  open?.();
  for (const { socket } of sockets.splice(0)) socket.destroy();
  await listener?.close();
});

/** Answers each request with its path once `open` was called, and counts. */
async function start({ isOpen }: { isOpen: boolean }) {
  const counts = { begun: 0, atOnce: 0, mostAtOnce: 0 };
  const gate = new Promise<void>((resolve) => {
    open = resolve;
    if (isOpen) resolve();
  });
  const fetch = async (request: Request): Promise<Response> => {
    counts.begun += 1;
    counts.atOnce += 1;
    counts.mostAtOnce = Math.max(counts.mostAtOnce, counts.atOnce);
    await gate;
    counts.atOnce -= 1;
    return new Response(`<${new URL(request.url).pathname}>`);
  };
  listener = await listen({ fetch }, { host: "127.0.0.1", port: 0 });
  return { counts, url: listener.url };
}

const ask = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const LAST = ask("/last", "Connection: close\r\n");
const toPaths = (count: number): string[] => Array.from({ length: count }, (_, n) => `/${n}`);

async function connectTo(url: string, text: string): Promise<RawSocket> {
  const opened = await openSocket(url, text);
  sockets.push(opened);
  return opened;
}

it("are answered one at a time, in order", async () => {
  const { counts, url } = await start({ isOpen: true });
  const paths = toPaths(MOST_WAITING_OF_ONE - 1);
  const got = await sendRaw(url, `${paths.map((path) => ask(path)).join("")}${LAST}`);
  expect(got.match(/<[^>]+>/gu)).toEqual([...paths, "/last"].map((path) => `<${path}>`));
  expect(counts.mostAtOnce).toBe(1);
});

it("are answered also when they have bodies", async () => {
  const { url } = await start({ isOpen: true });
  const post = `POST /sent HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc`;
  const got = await sendRaw(url, `${post.repeat(20)}${LAST}`);
  expect(got.match(/<\/sent>/gu)).toHaveLength(20);
});

it("behind the last one of their connection are not begun", async () => {
  const { counts, url } = await start({ isOpen: true });
  await sendRaw(url, `${LAST}${ask("/more").repeat(100)}`);
  expect(counts.begun).toBe(1);
  expect(await sendRaw(url, LAST)).toContain("</last>");
});

it("in thousands end their connection, and one of them is begun at most", async () => {
  const { counts, url } = await start({ isOpen: false });
  expect(await sendRaw(url, ask("/flood").repeat(2000))).toBe("");
  expect(counts.begun).toBe(1);
});

it("are bounded over all connections, and forgotten with theirs", async () => {
  const { counts, url } = await start({ isOpen: false });
  const flood = ask("/flood").repeat(MOST_WAITING_OF_ONE + 1);
  for (let n = 0; n < MOST_WAITING / MOST_WAITING_OF_ONE; n += 1) await connectTo(url, flood);
  while (counts.begun < MOST_WAITING / MOST_WAITING_OF_ONE) await new Promise(setImmediate);
  // Those that wait for nothing are served even now.
  const single = await connectTo(url, ask("/single"));
  expect(await sendRaw(url, ask("/two").repeat(2))).toBe("");
  expect(single.socket.destroyed).toBe(false);
  const [first] = sockets;
  first?.socket.destroy();
  await first?.closed;
  // The server learns of it a little later.
  for (let isTaken = false; !isTaken;) {
    const before = counts.begun;
    const again = await connectTo(url, ask("/two").repeat(2));
    const end = again.closed.then(() => "closed");
    const begun = (async () => {
      while (counts.begun === before) await new Promise(setImmediate);
      await new Promise(setImmediate);
      return again.socket.destroyed ? end : "taken";
    })();
    isTaken = (await Promise.race([end, begun])) === "taken";
  }
  open?.();
  expect(await single.until(/<\/single>/u)).toContain("</single>");
});
