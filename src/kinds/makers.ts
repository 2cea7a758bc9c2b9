import type { RowKind } from "./names.ts";
import { makeCodeMaker } from "./codes/maker.ts";
import { makeFormMaker } from "./forms/maker.ts";
import { makeLinkMaker } from "./links/maker.ts";
import { makePageMaker } from "./pages/maker.ts";
import { makePdfMaker } from "./pdfs/maker.ts";
import { makeProductMaker } from "./products/maker.ts";
import type { MakeMaker } from "../run/run.ts";

/** kind -> what a run makes of its rows. */
export const makers = {
  codes: makeCodeMaker,
  products: makeProductMaker,
  links: makeLinkMaker,
  pdfs: makePdfMaker,
  pages: makePageMaker,
  forms: makeFormMaker,
} as const satisfies Record<RowKind, MakeMaker>;
