/** So many things are asked for at a time: a job may have a million. */
const AT_ONCE = 5000;

/** The same, in parts. */
export function* inParts<T>(all: Iterable<T>): Iterable<T[]> {
  let part: T[] = [];
  for (const one of all) {
    part.push(one);
    if (part.length < AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
