import { z } from "zod";

import { named } from "./announce.ts";
import { filledText, oneOf, text } from "./fields.ts";
import { ownLimits } from "./limits.ts";

const line = (what: string, example: string) =>
  text(ownLimits.maxVcardField)
    .nullish()
    .meta({ description: what, examples: [example] });

/** The contact of a vCard code (docs/spec/api.md section 4.1). No photos. */
export const Vcard = named(
  "Vcard",
  z
    .object(
      {
        first_name: filledText(ownLimits.maxVcardField).meta({
          description: "First name.",
          examples: ["Ada"],
        }),
        last_name: line("Last name.", "Lovelace"),
        company_name: line("Company.", "Analytical Engines"),
        position: line("Position in the company.", "Engineer"),
        email: line("E-mail address.", "ada@example.com"),
        mobile_number: line("Mobile phone number.", "+44 7700 900123"),
        phone_number: line("Phone number.", "+44 20 7946 0123"),
        website: line("Address of a website.", "https://example.com/"),
        street: line("Street and number.", "12 St James's Square"),
        city: line("City.", "London"),
        state: line("State or region.", "England"),
        country: line("Country.", "United Kingdom"),
        post_code: line("Post code.", "SW1Y 4JH"),
        description: text(ownLimits.maxText).nullish().describe("Anything else to say."),
        /** Our own. */
        version: oneOf(["3.0", "4.0", "lean"])
          .nullish()
          .describe(
            "Which vCard the code holds; 3.0 when left out. `lean` is 3.0 with no more than phones need.",
          ),
      },
      { error: "Must be an object" },
    )
    .describe("The contact of a vCard code."),
);
export type Vcard = z.input<typeof Vcard>;
