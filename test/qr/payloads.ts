/** Payloads of every kind that jobs hold, from a seed. */

/** Mulberry32: the same numbers for the same seed on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const BASE62 = `${LOWER}ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789`;
const NAMES = [
  "Åsa Öberg",
  "Jürgen Müßiggang",
  "Ελένη Παπαδοπούλου",
  "Дмитрий Шостакович",
  "محمد الفارسي",
  "שרה לוי",
  "山田太郎",
  "김영희",
  "Nguyễn Thị Hà",
  "अनीता शर्मा",
  "Zoë 👩‍🚀 O'Neil",
];

export interface PayloadSource {
  pick(): string;
}

/** Links, Digital Links, vCards in many scripts, digits, upper-case, CJK, emoji, control characters. */
export function payloadSource(random: () => number): PayloadSource {
  const below = (n: number): number => Math.floor(random() * n);
  const chars = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[below(alphabet.length)]).join("");
  const digits = (length: number): string => chars("0123456789", length);
  const kinds: (() => string)[] = [
    () => `https://example.com/${chars(BASE62, 1 + below(40))}`,
    () => `https://qr.example/${chars(BASE62, 7)}?utm_source=${chars(LOWER, 1 + below(20))}`,
    () =>
      `https://id.gs1.example/01/${digits(14)}/10/${chars(BASE62, 1 + below(12))}/21/${digits(1 + below(20))}?17=${digits(6)}`,
    () => digits(1 + below(300)),
    () => chars("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 $%*+-./:", 1 + below(150)),
    () => {
      const name = NAMES[below(NAMES.length)] ?? "";
      return `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\nTEL:+${digits(11)}\r\nEMAIL:${chars(LOWER, 8)}@example.com\r\nEND:VCARD`;
    },
    () => Array.from({ length: 1 + below(40) }, () => NAMES[below(NAMES.length)]).join("、"),
    () =>
      `${chars(LOWER, below(9))}${digits(below(20))}${chars("ABC:/", below(20))}${digits(1 + below(9))}`,
    () => `(01)${digits(14)}\u001d21${chars(BASE62, 1 + below(20))}`,
    () => "🎉".repeat(1 + below(60)),
  ];
  return { pick: () => (kinds[below(kinds.length)] as () => string)() };
}

/** The loads that speed is measured with: a short link, a vCard, a Digital Link. */
export const loads = {
  A: "https://example.com/p/Zx81QmTe-0123456789",
  B: `BEGIN:VCARD\r\nVERSION:3.0\r\nN:Müller;Zoë\r\nFN:Zoë Müller\r\nORG:Gebrüder Ångström\r\nTITLE:Geschäftsführerin\r\nTEL;TYPE=CELL:+49 170 1234567\r\nEMAIL:zoe.mueller@example.com\r\nURL:https://example.com/team/zoe\r\nADR:;;Königstraße 12;München;Bayern;80331;Deutschland\r\nNOTE:Sprechzeiten Mo-Fr 9-17 Uhr\r\nEND:VCARD`,
  C: "https://id.example.com/01/09506000134352/10/ABC123456/21/987654321098?17=271231&11=250101&3103=000189&15=261130&91=INTERNAL1",
} as const;
