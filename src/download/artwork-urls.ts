import type { Client } from "../client/client.ts";
import type { StateRow } from "../state/row.ts";

/** URLs of a code's pictures; undefined for files that the API doesn't have. */
export interface ArtworkUrls {
  readonly svg: string | undefined;
  readonly png: string | undefined;
}

/** For a short link, the API answers the files directly (docs/spec/api.md section 4.5). */
const toLinkUrls = (id: string): ArtworkUrls => {
  const path = `link/${encodeURIComponent(id)}/qr/`;
  return { svg: `${path}?format=svg`, png: `${path}?format=png` };
};

/** Asks for the files of a row's code. A form's code may have no id: then it has no files. */
export async function findArtworkUrls(
  client: Pick<Client, "downloadCode">,
  row: StateRow,
  id: string,
): Promise<ArtworkUrls> {
  const { wanted, parts } = row;
  if (wanted.link !== undefined) return toLinkUrls(id);
  if (wanted.form !== undefined && parts.codeId === undefined) {
    return { svg: undefined, png: undefined };
  }
  const urls = await client.downloadCode(parts.codeId ?? id);
  return { svg: urls.svg_url, png: urls.png_url };
}
