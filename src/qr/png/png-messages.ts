/** Messages between `png-pool.ts` and its threads. */
import type { Fault } from "../../base/fault.ts";
import type { Design } from "../draw/design.ts";
import type { PixelOptions } from "./png.ts";

export interface PngWorkerInput {
  readonly fonts: readonly Uint8Array[];
}

export interface PngRequest {
  readonly id: number;
  readonly text: string;
  /** Its logo is null; `logo` names it. */
  readonly design: Design;
  readonly logo: number | null;
  /** The logo's bytes, unless the thread has seen them since `forget`. */
  readonly logoBytes: Uint8Array | null;
  /** True: logos of earlier requests won't come again. */
  readonly forget: boolean;
  readonly options: PixelOptions;
}

export type PngAnswer =
  | { readonly id: number; readonly png: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly fault: Fault };
