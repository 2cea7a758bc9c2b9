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

/** Kept as long as its connection: one that is made for each request costs more than the rest of this file. */
interface Line {
  /** What is being answered. */
  answer: ServerResponse | undefined;
  /** Those that wait behind it. */
  readonly waiting: Exchange[];
  readonly goOn: () => void;
}

export class Pipelines {
  readonly #route: RequestListener;
  readonly #lines = new WeakMap<Socket, Line>();
  #waiting = 0;

  constructor(route: RequestListener) {
    this.#route = route;
  }

  readonly listen: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming;
    // Node hands over all that it has read, also of a connection that was cut off meanwhile.
    if (socket.destroyed) return;
    const line = this.#lines.get(socket) ?? this.#open(socket);
    if (line.answer === undefined) {
      this.#start(line, [incoming, outgoing]);
    } else if (this.#waiting < MOST_WAITING && line.waiting.length < MOST_WAITING_OF_ONE) {
      line.waiting.push([incoming, outgoing]);
      this.#waiting += 1;
    } else {
      socket.destroy();
    }
  };

  /** True while an answer has begun to leave on the connection. */
  isAnswering(socket: Socket): boolean {
    return this.#lines.get(socket)?.answer?.headersSent === true;
  }

  #open(socket: Socket): Line {
    const line: Line = {
      answer: undefined,
      waiting: [],
      goOn: () => this.#goOn(socket, line),
    };
    this.#lines.set(socket, line);
    return line;
  }

  #start(line: Line, [incoming, outgoing]: Exchange): void {
    line.answer = outgoing;
    // The answer left, or its connection is gone.
    outgoing.on("close", line.goOn);
    this.#route(incoming, outgoing);
  }

  #goOn(socket: Socket, line: Line): void {
    line.answer = undefined;
    const [next] = line.waiting;
    if (next === undefined) return;
    // An answer that has no connection now never gets one: the one before was the last.
    if (socket.destroyed || next[1].socket === null) {
      this.#waiting -= line.waiting.splice(0).length;
      return;
    }
    line.waiting.shift();
    this.#waiting -= 1;
    this.#start(line, next);
  }
}
