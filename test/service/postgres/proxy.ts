/** A way to a test's database that can be cut where a test wants it. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import path from "node:path";

export interface Proxy {
  readonly url: string;
  /** Leads to another server from now on; ways that are open are cut. */
  leadTo(url: string): void;
  /** Ways that are open now. */
  readonly open: number;
  /** Called with all that goes to the database, before it goes on; `cut` ends that way towards us alone. */
  onQuestion: (question: string, cut: () => void) => void;
  /** Resolves to true once what the database says may go on. */
  mayAnswer: Promise<unknown>;
  close(): Promise<void>;
}

const toFolder = (url: string): string => decodeURIComponent(/host=([^&]+)/u.exec(url)?.[1] ?? "");

/** @param url of a server that listens on a socket in a folder */
export async function openProxy(url: string): Promise<Proxy> {
  let folder = toFolder(url);
  const sockets = new Set<Socket>();
  const door = createServer((near) => {
    const far = connect(path.join(folder, ".s.PGSQL.5432"));
    sockets.add(near);
    near.on("error", () => {});
    far.on("error", () => {});
    let isCut = false;
    near.on("data", (data) => {
      far.write(data);
      proxy.onQuestion(data.toString("latin1"), () => {
        isCut = true;
        near.destroy();
      });
    });
    far.on("data", (data) => void proxy.mayAnswer.then(() => near.destroyed || near.write(data)));
    far.on("close", () => near.destroy());
    near.on("close", () => {
      sockets.delete(near);
      if (!isCut) far.destroy();
    });
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const { port } = door.address() as AddressInfo;
  const name = /\/(\w+)\?/u.exec(url)?.[1] ?? "postgres";
  const proxy: Proxy = {
    url: `postgres://test@127.0.0.1:${port}/${name}`,
    leadTo(other) {
      folder = toFolder(other);
      for (const socket of sockets) socket.destroy();
    },
    get open() {
      return sockets.size;
    },
    onQuestion: () => {},
    mayAnswer: Promise.resolve(),
    async close() {
      for (const socket of sockets) socket.destroy();
      door.close();
      await once(door, "close");
    },
  };
  return proxy;
}
