import { z } from "zod";

import { filledText, oneOf, text } from "./fields.ts";
import { ownLimits } from "./limits.ts";

const line = text(ownLimits.maxVcardField).nullish();

/** The contact of a vCard code (docs/spec/api.md section 4.1). No photos. */
export const Vcard = z.object(
  {
    first_name: filledText(ownLimits.maxVcardField),
    last_name: line,
    company_name: line,
    position: line,
    email: line,
    mobile_number: line,
    phone_number: line,
    website: line,
    street: line,
    city: line,
    state: line,
    country: line,
    post_code: line,
    description: text(ownLimits.maxText).nullish(),
    /** Ours: which vCard the code holds; 3.0 when left out. */
    version: oneOf(["3.0", "4.0"]).nullish(),
  },
  { error: "Must be an object" },
);
export type Vcard = z.input<typeof Vcard>;
