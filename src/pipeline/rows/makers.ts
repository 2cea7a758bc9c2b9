import type { RowKind } from "../../job/kinds.ts";
import { makeCodeMaker } from "../../run/makers/codes.ts";
import { makeFormMaker } from "../../run/makers/forms.ts";
import { makeLinkMaker } from "../../run/makers/links.ts";
import { makePageMaker } from "../../run/makers/pages.ts";
import { makePdfMaker } from "../../run/makers/pdfs.ts";
import { makeProductMaker } from "../../run/makers/products.ts";
import type { MakeMaker } from "../../run/run.ts";

/** kind -> what a run makes of its rows. */
export const makers = {
  codes: makeCodeMaker,
  products: makeProductMaker,
  links: makeLinkMaker,
  pdfs: makePdfMaker,
  pages: makePageMaker,
  forms: makeFormMaker,
} as const satisfies Record<RowKind, MakeMaker>;
