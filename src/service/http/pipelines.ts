/**
 * Requests that are sent ahead, before the answer to the one before was taken (HTTP pipelining):
 * each waits until that answer left, so that a connection never has more than one in memory.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Whoever sends more ahead is cut off: a few kilobytes each, up to 16 with the longest headers. */
const MOST_WAITING = 4096;
const MOST_WAITING_OF_ONE = 1024;

type Exchange = readonly [IncomingMessage, ServerResponse];

export class Pipelines {
  readonly #route: RequestListener;
  /** Of each connection that has a request at work, those that wait behind it. */
  readonly #lines = new WeakMap<Socket, Exchange[]>();
  /** Of each such connection, what is being answered. */
  readonly #answers = new WeakMap<Socket, ServerResponse>();
  #waiting = 0;

  constructor(route: RequestListener) {
    this.#route = route;
  }

  readonly listen: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming;
    // Node hands over all that it has read, also of a connection that was cut off meanwhile.
    if (socket.destroyed) return;
    const line = this.#lines.get(socket);
    if (line === undefined) {
      this.#lines.set(socket, []);
      this.#start([incoming, outgoing]);
    } else if (this.#waiting < MOST_WAITING && line.length < MOST_WAITING_OF_ONE) {
      line.push([incoming, outgoing]);
      this.#waiting += 1;
    } else {
      socket.destroy();
    }
  };

  /** True while an answer has begun to leave on the connection. */
  isAnswering(socket: Socket): boolean {
    return this.#lines.has(socket) && this.#answers.get(socket)?.headersSent === true;
  }

  #start([incoming, outgoing]: Exchange): void {
    this.#answers.set(incoming.socket, outgoing);
    // The answer left, or its connection is gone.
    outgoing.once("close", () => this.#goOn(incoming.socket));
    this.#route(incoming, outgoing);
  }

  #goOn(socket: Socket): void {
    const line = this.#lines.get(socket) ?? [];
    const [next] = line;
    // An answer that has no connection now never gets one: the one before was the last.
    if (next === undefined || socket.destroyed || next[1].socket === null) {
      this.#waiting -= line.length;
      this.#lines.delete(socket);
      return;
    }
    line.shift();
    this.#waiting -= 1;
    this.#start(next);
  }
}
