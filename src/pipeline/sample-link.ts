/** Stand in for what does not exist yet: an origin of usual length, and the slug of a short link. */
export const SAMPLE_ORIGIN = "https://short.example.com";
export const SAMPLE_PATH = "/abcd2345";

/** What short links of a job will begin with, as far as it is known before they exist. */
export function toSampleOrigin(
  { code }: { readonly code: { readonly domain: string | null } },
  { baseUrl, publicUrl }: { readonly baseUrl: string | undefined; readonly publicUrl: string },
): string {
  const host = baseUrl === undefined ? publicUrl : (code.domain ?? SAMPLE_ORIGIN);
  return /^https?:/u.test(host) ? host : `https://${host}`;
}
