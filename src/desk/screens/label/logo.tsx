/** A logo that a browser sent: checked, and put beside the manifest. */
import path from "node:path";

import { writeFileAtomic } from "../../../base/files/atomic-file.ts";
import { AppError } from "../../../base/errors.ts";
import { sha256 } from "../../../base/ids/ids.ts";
import { isSvgFile } from "../../../base/files/image-type.ts";
import { findLogoRule, readLogoFile } from "../../../qr/png/logo-file.ts";
import { MAX_LOGO_BYTES } from "../../../qr/png/raster.ts";
import type { DeskContext } from "../../context.ts";
import { resolveInside } from "../../folder.ts";
import type { Words } from "../../words/words.ts";
import type { Form } from "./draft.ts";
import type { Refusal } from "./looks.ts";

const HASH_LENGTH = 8;
const FILE = "file";

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
async function takeLogo(desk: DeskContext, manifest: string, sent: File): Promise<string> {
  if (sent.size > MAX_LOGO_BYTES) {
    throw new AppError(
      "design-invalid",
      `a logo must have at most 2 MB, got ${(sent.size / 2 ** 20).toFixed(1)} MB`,
      { hint: "save the image smaller: 512 pixels are plenty" },
    );
  }
  const bytes = new Uint8Array(await sent.arrayBuffer());
  const rule = findLogoRule(bytes);
  if (rule !== undefined) {
    throw new AppError("design-invalid", `logo must be ${rule}, got ${sent.name}`);
  }
  await readLogoFile(bytes);
  const hash = sha256(Buffer.from(bytes).toString("base64")).slice(0, HASH_LENGTH);
  const name = `logo-${hash}${extensionOf(bytes)}`;
  const inFolder = path.posix.join(path.posix.dirname(manifest), name);
  await writeFileAtomic(await resolveInside(desk.folder, inFolder), bytes);
  return name;
}

export interface WithLogo {
  readonly form: Form;
  readonly isTaken: boolean;
  /** Why the file that was sent is no logo. */
  readonly refused?: Refusal;
}

/** The form with the file that was sent along as its logo: whatever was pressed, none is dropped. */
export async function withLogo(
  desk: DeskContext,
  manifest: string,
  { [FILE]: sent, ...form }: Form,
): Promise<WithLogo> {
  if (!(sent instanceof File) || sent.name === "") return { form, isTaken: false };
  try {
    const name = await takeLogo(desk, manifest, sent);
    return { form: { ...form, logo_file: name }, isTaken: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === "bug") throw error;
    const { message, hint, problems } = error;
    return { form, isTaken: false, refused: { message, hint, problems } };
  }
}

export const LogoField = ({ words }: { readonly words: Words }) => (
  <div class="field">
    <label for="logo">{words.label.logo}</label>
    <input
      id="logo"
      type="file"
      name={FILE}
      accept="image/png,image/jpeg,image/gif,image/webp,image/svg+xml"
    />{" "}
    <button name="do" value="logo">
      {words.label.logoSend}
    </button>
  </div>
);
