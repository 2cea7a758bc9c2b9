/**
 * Requests that are sent before the last answer was read (HTTP pipelining). Each waits until that
 * answer has been sent, so that a connection never has more than one answer in memory.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * A sender with more requests waiting is cut off: each takes a few kilobytes, up to 16 with the
 * longest headers.
 */
const MOST_WAITING = 4096;
const MOST_WAITING_OF_ONE = 1024;

type Exchange = readonly [IncomingMessage, ServerResponse];

/** One per connection: making one per request would cost more than the rest of this file. */
interface Line {
  /** The response that is being sent. */
  answer: ServerResponse | undefined;
  /** Requests that wait behind it. */
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
    // Node passes on all that it has read, even when the connection was cut off meanwhile.
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
    // The answer has been sent, or its connection is gone.
    outgoing.on("close", line.goOn);
    this.#route(incoming, outgoing);
  }

  #goOn(socket: Socket, line: Line): void {
    line.answer = undefined;
    const [next] = line.waiting;
    if (next === undefined) return;
    // The connection is gone, or the last answer closed it: the waiting requests get no answer.
    if (socket.destroyed || next[1].socket === null) {
      this.#waiting -= line.waiting.splice(0).length;
      return;
    }
    line.waiting.shift();
    this.#waiting -= 1;
    this.#start(line, next);
  }
}
