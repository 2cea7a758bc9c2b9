/** Texts of codes that join a Wi-Fi network: `WIFI:T:WPA;S:Guests;P:secret;;`. */

/** A name or a password with a backslash before each sign that would end or split it. */
export const escapeWifi = (text: string): string => text.replaceAll(/[\\;,:"]/gu, "\\$&");

const TYPES = [
  [
    "nopass",
    /^(?:no ?pass(?:word)?|none|no|open|offen|frei|ohne(?: passwort)?|keine?(?: passwort)?|unverschlüsselt|ouvert|aucune?|sans(?: mot de passe)?|abierta|-)$/u,
  ],
  ["WEP", /^wep\b/u],
  ["WPA", /^(?:wpa|rsn|psk|sae)(?!.*(?:eap|enterprise|802))/u],
] as const;

/** The kind of network as codes name it, of a word such as `WPA2/WPA3` or `offen`. */
export function toWifiType(word: string): "WPA" | "WEP" | "nopass" | undefined {
  const bare = word.trim().toLowerCase();
  return TYPES.find(([, form]) => form.test(bare))?.[0];
}

/** Words that say this of a network only where others beside them do: they mean nothing at all as often. */
const SAYS_LITTLE = /^(?:-|no|none|ohne|keine?|frei|aucune?|sans)$/u;

/** Whether a word speaks of the kind of a network by itself. */
export const saysWifiType = (word: string): boolean =>
  toWifiType(word) !== undefined && !SAYS_LITTLE.test(word.trim().toLowerCase());

/** Fields that phones know; those of one letter and PH2. */
const FIELD = /^(?:[TSPHREAIK]|PH2):/u;
const LIKE_FIELD = /^\s*(?:[TSPHREAIK]|PH2)\s*:/iu;

/** A backslash that stands for itself. */
const STRAY = /^(?:[^\\]|\\[\\;,:"])*\\(?:[^\\;,:"]|$)/su;

/** `\;` stays together. */
const splitFields = (text: string): string[] => text.match(/(?:\\.|[^\\;])+/gsu) ?? [];

const unescape = (text: string): string => text.replaceAll(/\\(.)/gsu, "$1");

/** What stands in a field, as a phone takes it. */
const readField = (fields: readonly string[], name: string): string =>
  unescape(fields.find((field) => field.startsWith(`${name}:`))?.slice(name.length + 1) ?? "");

const [LEAST, MOST, KEY] = [8, 63, 64];

const isWpaPassword = (text: string): boolean =>
  (text.length >= LEAST && text.length <= MOST) ||
  (text.length === KEY && /^[\da-f]+$/iu.test(text));

/** Android takes whatever begins with WPA. */
const NAMED = /^(?:WPA.*|SAE|WEP|nopass)$/su;
const WITH_KEY = /^WPA(?!.*EAP)/su;

function findPasswordFault(type: string, password: string): string | undefined {
  const isWordForNone = toWifiType(password) === "nopass";
  if (type === "nopass")
    return isWordForNone || password === ""
      ? undefined
      : "T must be WPA beside a password: with nopass, phones look for open networks";
  if (isWordForNone)
    return `P must be the password, not a word for none: a network without one has T:nopass`;
  if ((type === "WEP" || type === "SAE") && password === "") return "P must be the password";
  return WITH_KEY.test(type) && !isWpaPassword(password)
    ? "P must be a password of 8 to 63 characters, as WPA wants it"
    : undefined;
}

/** `WiFi: guests` are words. */
const WIFI = /^WIFI:\s*(?:[TSPHREAIK]|PH2):/iu;
const WRITTEN_SO = /^WIFI:\S/u;

function findFieldFault(code: string, fields: readonly string[]): string | undefined {
  const areExact = WRITTEN_SO.test(code) && fields.every((field) => FIELD.test(field));
  if (!areExact && fields.every((field) => LIKE_FIELD.test(field)))
    return "WIFI and the letters T, S, P and H must be capitals without spaces beside them";
  return areExact && !STRAY.test(code)
    ? undefined
    : 'a backslash must stand before each \\ ; , : and " of a name and a password';
}

/** Why no phone joins the network of a code; undefined for other codes, and where one does. */
export function findWifiFault(code: string): string | undefined {
  if (!WIFI.test(code)) return undefined;
  const fields = splitFields(code.slice("WIFI:".length));
  const fault = findFieldFault(code, fields);
  if (fault !== undefined) return fault;
  if (readField(fields, "S") === "") return "S must be the name of the network";
  const [type, password] = [readField(fields, "T"), readField(fields, "P")];
  const isLocked = type === "" && password !== "";
  return !isLocked && NAMED.test(type || "nopass")
    ? findPasswordFault(type || "nopass", password)
    : "T must be WPA (for WPA2 and WPA3, too), WEP or nopass";
}
