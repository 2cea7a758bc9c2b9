/** Common parts of codes of one design: each is a form that the file holds once. */
import type { SharedPart } from "../art/designed-code.ts";
import { pictureKey } from "./image-file.ts";
import type { InkNames } from "./ink.ts";
import type { PdfObjects, PdfRef, PdfValue } from "./pdf-objects.ts";
import { addPressImage } from "./resources.ts";

/** Ink at the edge of a drawing is not cut off, modules. */
const ROOM = 0.5;

/** Their names on pages: `D0`, `D1` and so on. */
export const PART_PREFIX = "D";

export class SharedParts {
  readonly #pdf: PdfObjects;
  readonly #names: InkNames;
  readonly #spaces: Readonly<Record<string, PdfValue>>;
  readonly #known = new Map<string, string>();
  readonly #forms: Record<string, PdfRef> = {};
  readonly #images = new Map<string, PdfRef>();

  /** `spaces`: colour spaces of the named inks. */
  constructor(pdf: PdfObjects, names: InkNames, spaces: Readonly<Record<string, PdfValue>>) {
    this.#pdf = pdf;
    this.#names = names;
    this.#spaces = spaces;
  }

  /** All of them, by their names. */
  get forms(): Readonly<Record<string, PdfRef>> {
    return this.#forms;
  }

  /** The name of a part; `onNew` takes the operators of one that was not there before. */
  nameOf(part: SharedPart, onNew: (content: string) => void): string {
    const known = this.#known.get(part.key);
    if (known !== undefined) return known;
    const name = `${PART_PREFIX}${this.#known.size}`;
    this.#known.set(part.key, name);
    const content = part.operators(this.#names);
    onNew(content);
    const images: Record<string, PdfRef> = {};
    for (const [own, image] of Object.entries(part.images)) {
      const key = pictureKey(image);
      const ref = this.#images.get(key) ?? addPressImage(this.#pdf, image);
      this.#images.set(key, ref);
      images[own] = ref;
      onNew(image.sha256);
    }
    const hasSpaces = Object.keys(this.#spaces).length > 0;
    const hasImages = Object.keys(images).length > 0;
    this.#forms[name] = this.#pdf.addStream(content, {
      Type: "XObject",
      Subtype: "Form",
      BBox: [-ROOM, -ROOM, part.width + ROOM, part.height + ROOM],
      Resources: {
        ...(hasSpaces ? { ColorSpace: this.#spaces } : {}),
        ...(hasImages ? { XObject: images } : {}),
      },
    });
    return name;
  }
}
