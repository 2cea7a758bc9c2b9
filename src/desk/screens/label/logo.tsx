/** A logo that a browser sent: checked, and put beside the manifest. */
import path from "node:path";

import { writeFileAtomic } from "../../../base/atomic-file.ts";
import { AppError } from "../../../base/errors.ts";
import { sha256 } from "../../../base/ids.ts";
import { isSvgFile } from "../../../base/image-type.ts";
import { readLogoFile } from "../../../qr/png/logo-file.ts";
import { MAX_LOGO_BYTES } from "../../../qr/png/raster.ts";
import type { DeskContext } from "../../context.ts";
import { resolveInside } from "../../folder.ts";
import { jobPath } from "../../view/page.tsx";
import type { Words } from "../../words/words.ts";

const HASH_LENGTH = 8;

/** First bytes -> extension: the file's own name proves nothing. */
const signatures: readonly (readonly [hex: string, extension: string])[] = [
  ["89504e47", ".png"],
  ["ffd8ff", ".jpg"],
  ["47494638", ".gif"],
  ["52494646", ".webp"],
];

function extensionOf(bytes: Uint8Array): string {
  if (isSvgFile(bytes)) return ".svg";
  const start = Buffer.from(bytes.subarray(0, 8)).toString("hex");
  return signatures.find(([hex]) => start.startsWith(hex))?.[1] ?? ".png";
}

/** Keeps it as it came; answers its path relative to the manifest. Throws `design-invalid`. */
export async function takeLogo(desk: DeskContext, manifest: string, sent: File): Promise<string> {
  if (sent.size > MAX_LOGO_BYTES) {
    throw new AppError(
      "design-invalid",
      `a logo must have at most 2 MB, got ${(sent.size / 2 ** 20).toFixed(1)} MB`,
      { hint: "save the image smaller: 500 pixels are plenty for a logo" },
    );
  }
  const bytes = new Uint8Array(await sent.arrayBuffer());
  await readLogoFile(bytes);
  const hash = sha256(Buffer.from(bytes).toString("base64")).slice(0, HASH_LENGTH);
  const name = `logo-${hash}${extensionOf(bytes)}`;
  const inFolder = path.posix.join(path.posix.dirname(manifest), name);
  await writeFileAtomic(await resolveInside(desk.folder, inFolder), bytes);
  return name;
}

export const LogoForm = ({ manifest, words }: { readonly manifest: string; words: Words }) => (
  <form
    method="post"
    action={`${jobPath(manifest)}/label/logo`}
    enctype="multipart/form-data"
    class="field"
  >
    <label for="logo">{words.label.logo}</label>
    <input
      id="logo"
      type="file"
      name="file"
      accept="image/png,image/jpeg,image/gif,image/webp,image/svg+xml"
      required
    />{" "}
    <button>{words.label.logoSend}</button>
  </form>
);
