/** First bytes of the images that a logo may be (docs/spec/api.md section 4.1). */
const IMAGES: readonly (readonly number[])[] = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
  [0x47, 0x49, 0x46, 0x38],
  [0x52, 0x49, 0x46, 0x46],
];

export const isLogoImage = (bytes: Uint8Array): boolean =>
  IMAGES.some((magic) => magic.every((byte, at) => bytes[at] === byte));

/** Markup, behind a byte order mark and blanks. */
export const isSvgFile = (bytes: Uint8Array): boolean =>
  /^(?:\u00ef\u00bb\u00bf)?\s*</u.test(Buffer.from(bytes.subarray(0, 1000)).toString("latin1"));
