/** A row of a job of codes -> the product of its GS1 code, judged as products are. */
import { isWebUrl } from "../../api/fields.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import type { Render, Thing } from "../../plan/thing.ts";
import { checkProductFields } from "../product-fields.ts";
import { got } from "../wish-parts.ts";
import type { CodesJob } from "./job.ts";

export function toCodeThing({ code: { gs1Product } }: CodesJob, render: Render): Thing {
  if (gs1Product === null) return { fields: {}, problems: [] };
  const { identifier_value: value = "", destination_url: destination = "" } = gs1Product;
  const url = render(destination);
  const problems = linesOf(
    ...checkProductFields({ identifier_value: render(value) }, { identifier_value: value }),
    !isWebUrl(url) && `destination_url must be an http or https URL, ${got(url)}`,
  );
  return { fields: {}, problems };
}
