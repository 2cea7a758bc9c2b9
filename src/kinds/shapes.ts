import { z } from "zod";

import { kindTable } from "./index.ts";
import { kinds, type Kind } from "./names.ts";

export type ManifestOf<K extends Kind> = z.output<(typeof kindTable)[K]["shape"]>;
export type Manifest = { [K in Kind]: ManifestOf<K> }[Kind];

const [first, ...others] = kinds.map((kind) => kindTable[kind].shape);

/** One job of any kind, for editors. */
export const ManifestShape = z.discriminatedUnion("kind", [first as never, ...(others as never[])]);
