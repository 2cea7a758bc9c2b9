/** What an address begins with. A parser takes http and https without slashes, too. */
const BEGIN = /^\s*(?:https?:[/\\\s]*|[a-z][a-z\d+.-]*:\/\/)/iu;
/** A host with a port: its colons are none of a name and password. */
const WITH_PORT = /^(?:\[[\da-f:.]*\]|[^@:.]*\.[^@:]*|localhost)(?::\d*)?$/iu;
/** A host without a dot, such as `kiosk:8080`, in front of a path. */
const NAME_WITH_PORT = /^[^@:]+:\d{1,5}$/u;

/** Placeholders of templates hold colons of their own. */
const withoutPlaceholders = (host: string): string => host.replaceAll(/\{\{[^{}]*\}\}/gu, "x");

function mayHavePassword(host: string, isBeforePath: boolean): boolean {
  const bare = withoutPlaceholders(host);
  if (!bare.includes(":") || WITH_PORT.test(bare)) return false;
  return !(isBeforePath && NAME_WITH_PORT.test(bare));
}

/**
 * An address without the name and password in it, for messages and lists. A password may contain
 * what ends a host: `https://user:ge#heim@host` is cut up to its last `@`, since a colon before it
 * may be that of a password.
 */
export function hidePassword(text: string): string {
  const begin = BEGIN.exec(text)?.[0] ?? "";
  const rest = text.slice(begin.length);
  const host = /^[^/?#]*/u.exec(rest)?.[0] ?? "";
  const hides = mayHavePassword(host, rest[host.length] === "/");
  const end = begin === "" ? -1 : (hides ? rest : host).lastIndexOf("@");
  const shown = end < 0 ? rest : `…${rest.slice(end)}`;
  return begin + shown.replaceAll(/\/\/[^/\s]*@/gu, "//…@");
}
