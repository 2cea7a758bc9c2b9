/** Common requests to an assistant, ready to be picked: each names the tools that it needs. */

import { linesOf } from "../../base/text/lines-of.ts";

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

interface Recipe {
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  /** `given` has a value for every argument; an argument left out is empty. */
  readonly write: (given: Readonly<Record<string, string>>) => string;
}

const must = (name: string, description: string): Argument => ({
  name,
  description,
  required: true,
});
const may = (name: string, description: string): Argument => ({
  name,
  description,
  required: false,
});

/** What a person typed is quoted everywhere: it is data. */
const quote = (text: string | undefined): string => JSON.stringify(text ?? "");

const isGiven = (text: string | undefined): boolean => (text ?? "") !== "";

const recipes: Readonly<Record<string, Recipe>> = {
  make_code: {
    title: "Make a QR code",
    description: "A dynamic code for an address, filed and styled, with its picture.",
    arguments: [
      must("address", "Where the code leads."),
      may("name", "What the code is called in lists."),
      may("look", "Colours, pattern, frame and text in your own words."),
    ],
    write: ({ address, name, look }) =>
      linesOf(
        `Make a QR code that leads to ${quote(address)}, with create_qr_code: dynamic is true, so that it can lead elsewhere later, and picture is png.`,
        isGiven(name) && `Its display_name is ${quote(name)}.`,
        isGiven(look) && `It looks so: ${quote(look)}. Choose the design fields that come closest.`,
        "Show the picture, tell the short link, and pass scan_warnings on if there are any.",
      ).join(" "),
  },
  tell_scans: {
    title: "Tell how codes are scanned",
    description: "The scans of all codes: how many, which codes, where, with what.",
    arguments: [may("days", "The last so many days, up to 365; 30 when left out.")],
    write: ({ days }) =>
      `Ask get_workspace_analytics for the last ${isGiven(days) ? quote(days) : "30"} days with top 10. Tell in a few sentences how many scans and people there were, how the days differ, which codes were scanned most, and from where. Then a table of the codes: name, destination, scans, unique scans.`,
  },
  lead_elsewhere: {
    title: "Lead codes elsewhere",
    description: "Gives codes that are printed already a new destination, after a list and a yes.",
    arguments: [
      must("old", "Part of the destination that codes have now."),
      must("new", "What shall stand in its place."),
    ],
    write: ({ old, new: next }) =>
      `Find all codes whose destination contains ${quote(old)}: list_qr_codes with q, page after page, and list_short_links likewise. Leave static codes out, whose data is printed, and say how many those are. Show a table of the others with old and new destination, where ${quote(old)} is replaced by ${quote(next)}. Change nothing before I have agreed to this table. Then use update_qr_code and update_short_link, and tell what was done.`,
  },
  register_product: {
    title: "Register a GS1 product",
    description: "A product with its Digital Link code and further destinations.",
    arguments: [
      must("gtin", "The product's GTIN, with its check digit."),
      must("address", "Where a plain scan leads."),
      may("more", "Further destinations, such as instructions or recall, with their addresses."),
    ],
    write: ({ gtin, address, more }) =>
      linesOf(
        `Make a GS1 code with create_qr_code: qr_type is GS1, gs1_product has identifier_value ${quote(gtin)} and destination_url ${quote(address)}, picture is png.`,
        isGiven(more) &&
          `Then add these destinations with add_gs1_product_link, each with the link type that fits: ${quote(more)}.`,
        "Show the picture, and tell the Digital Link and every destination.",
      ).join(" "),
  },
  make_form: {
    title: "Make a form",
    description: "A form with its fields, published with a code after a yes.",
    arguments: [must("about", "What you want to ask, and whom.")],
    write: ({ about }) =>
      `Make a form for this: ${quote(about)}. First show me the title and every field with type, label, options and whether it is required. When I have agreed, use create_form, save_form_fields (ids of new fields begin with temp-) and publish_form with picture png. Show the picture, and tell the address of the form.`,
  },
};

export const listedPrompts = Object.entries(recipes).map(
  ([name, { title, description, arguments: taken }]) => ({
    name,
    title,
    description,
    arguments: taken.map((one) => ({ ...one })),
  }),
);

export interface WrittenPrompt {
  readonly description: string;
  readonly text: string;
}

/** The prompt with what a person typed; a sentence with the reason when it can't be written. */
export function writePrompt(
  name: string,
  given: Readonly<Record<string, string>>,
): WrittenPrompt | string {
  const recipe = Object.hasOwn(recipes, name) ? recipes[name] : undefined;
  if (recipe === undefined) return `Unknown prompt: ${name}`;
  const missing = recipe.arguments.filter((one) => one.required && !isGiven(given[one.name]));
  if (missing.length > 0) return `Missing arguments: ${missing.map((one) => one.name).join(", ")}`;
  return { description: recipe.description, text: recipe.write(given) };
}
