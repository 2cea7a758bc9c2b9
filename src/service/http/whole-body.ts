/**
 * Answers whose whole body is in memory: a connection sends it at once, while reading it from a
 * `Response` would take several turns and a stream.
 */
const bodies = new WeakMap<Response, string | Uint8Array>();

/** Remembers the body that the answer was made with. */
export function withWholeBody(response: Response, body: string | Uint8Array): Response {
  bodies.set(response, body);
  return response;
}

/** Undefined: the body has to be read. */
export const readWholeBody = (response: Response): string | Uint8Array | undefined =>
  bodies.get(response);
