/**
 * Answers whose body is in memory as a whole: a connection sends it in one go, where reading it out of a
 * `Response` takes several turns and a stream.
 */
const bodies = new WeakMap<Response, string | Uint8Array>();

/** Notes the body of an answer that was made with it. */
export function withWholeBody(response: Response, body: string | Uint8Array): Response {
  bodies.set(response, body);
  return response;
}

/** Undefined: it has to be read. */
export const readWholeBody = (response: Response): string | Uint8Array | undefined =>
  bodies.get(response);
