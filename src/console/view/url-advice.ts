/** What to do about an address that the API refuses, from the sentence that quotes it. Pure. */
import type { Words } from "../words/words.ts";

const NO_URL = /^Must be an? (?:http or https )?URL[^,]*, got "(.*)(?:"|…)\.$/su;

/** Undefined where the sentence is about something else, or nothing more is known. */
export function adviseUrl(sentence: string, { common }: Words): string | undefined {
  const [, url] = NO_URL.exec(sentence) ?? [];
  if (url === undefined) return undefined;
  if (/\s/u.test(url)) return common.noSpaces;
  return /^https?:\/\//iu.test(url) ? undefined : common.beginUrl;
}
