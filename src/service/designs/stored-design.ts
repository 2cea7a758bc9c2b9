import type { DesignInput } from "../../qr/draw/design.ts";

/** A design as the store keeps it: only what was given, the logo by its hash. */
export type StoredDesign = Omit<DesignInput, "logo"> & { readonly logo?: string | undefined };

export interface Drawing {
  readonly text: string;
  readonly design: StoredDesign;
}
