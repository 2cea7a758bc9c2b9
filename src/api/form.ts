import { z } from "zod";

import { anything, named, ofAnyServer, word } from "./announce.ts";
import {
  address,
  colorAnswer,
  created,
  filledText,
  flag,
  hexColor,
  idOf,
  oneOf,
  orDefault,
  reference,
  slug,
  text,
  timestamp,
  webUrl,
  workspaceId,
} from "./fields.ts";
import { limits, ownLimits } from "./limits.ts";
import { pageFieldsUpTo } from "./paging.ts";

/** docs/spec/api.md section 2.11. */
export const fieldTypes = [
  "text",
  "email",
  "phone",
  "number",
  "textarea",
  "select",
  "radio",
  "checkbox",
  "date",
  "time",
  "url",
  "rating",
  "scale",
  "yes_no",
  "image",
] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Types whose answer is chosen among `options`. */
export const choiceTypes: ReadonlySet<string> = new Set<FieldType>(["select", "radio", "checkbox"]);

/** Ids of new fields begin like this; any other id must exist in the form. */
export const TEMPORARY_ID = "temp-";

const formStatuses = ["Draft", "Published", "Closed"] as const;

const itemFields = {
  id: idOf("form"),
  title: z.string().meta({ description: "Its heading.", examples: ["How was your visit?"] }),
  /** Our own; the document names only `Published`. */
  status: named(
    "FormStatus",
    oneOf(formStatuses).describe(
      "Draft: not published yet. Published: takes responses. Closed: takes none any more.",
    ),
  ),
  response_count: z.int().describe("How many responses there are."),
  share_url: address.nullable().meta({
    description: "Address of the live form; null until it is published.",
    examples: ["https://go.example.com/form/visit"],
  }),
  workspace: z.string().describe("Id of its workspace."),
  created,
  modified: timestamp.describe("When it was last changed."),
};

const needed = ["id"] as const;

const FormItemSent = named("FormItem", z.object(itemFields).describe("A form in a list."));
export const FormItem = ofAnyServer(FormItemSent, { needed, other: { status: word } });
export type FormItem = z.infer<typeof FormItem>;

const FieldTypeName = named("FieldType", oneOf(fieldTypes).describe("What is asked for."));

const option = named(
  "FormOption",
  z
    .object(
      {
        value: filledText(ownLimits.maxTitle).meta({
          description: "What is stored.",
          examples: ["good"],
        }),
        label: filledText(ownLimits.maxTitle).meta({
          description: "What respondents see.",
          examples: ["Good"],
        }),
      },
      { error: "Must be an object with value and label" },
    )
    .describe("One of the answers to choose."),
);
const FieldSent = named(
  "FormField",
  z
    .object({
      id: idOf("field"),
      field_type: FieldTypeName,
      label: z.string().meta({ description: "The question.", examples: ["Your name"] }),
      required: z.boolean().describe("Whether it must be answered."),
      placeholder: z.string().nullable().describe("Text in the empty field."),
      options: z
        .array(option)
        .optional()
        .describe("The answers to choose among: of select, radio and checkbox only."),
    })
    .describe("A field of a form."),
);
const Field = ofAnyServer(FieldSent, {
  needed: ["id"],
  other: { field_type: z.string(), placeholder: anything, options: anything },
});

const settingFields = {
  description: z.string().describe("Text below the heading; empty without one."),
  redirect_url: z
    .string()
    .nullable()
    .meta({
      description: "Where respondents are led after sending; null shows the thank-you page.",
      examples: ["https://example.com/thanks"],
    }),
  thank_you_message: z.string().describe("What the thank-you page says; empty for the usual text."),
  bg_color: colorAnswer.nullable().describe("Colour of the page."),
  text_color: colorAnswer.nullable().describe("Colour of the text."),
  button_color: colorAnswer.nullable().describe("Colour of the button."),
  button_text_color: colorAnswer.nullable().describe("Colour of the button's text."),
};

/** One form as create, save, logo, publish, close and reopen answer it. */
const FormSent = named(
  "Form",
  z
    .object({
      ...itemFields,
      ...settingFields,
      logo_url: address.nullable().describe("Its logo."),
      fields: z.array(FieldSent).describe("The fields of the draft, in order."),
      slug: z.string().nullable().describe("The last part of its address, once it is published."),
      domain: z.string().nullable().describe("The host of its address, once it is published."),
      qr_id: z.string().nullable().describe("Id of its code, once it is published."),
      shortlink_url: address
        .nullable()
        .describe("The short link that its code holds, once it is published."),
      qr_code_svg: z
        .string()
        .nullable()
        .describe("Its code as an SVG drawing, once it is published."),
    })
    .describe("A form with its draft: what respondents see is what was published last."),
);
export const Form = ofAnyServer(FormSent, {
  needed,
  other: {
    status: word,
    redirect_url: anything,
    thank_you_message: anything,
    bg_color: anything,
    text_color: anything,
    button_color: anything,
    button_text_color: anything,
    logo_url: anything,
    slug: anything,
    domain: anything,
    qr_id: anything,
    fields: z.array(Field).nullish(),
  },
});
export type Form = z.infer<typeof Form>;

const answerFields = {
  field_id: idOf("field"),
  field_label: z.string().meta({ description: "The question as it was.", examples: ["Your name"] }),
  field_type: FieldTypeName,
  value: z
    .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
    .nullable()
    .meta({
      description:
        "A text; a number for number, rating and scale; true or false for yes_no; an array of values for checkbox; an address for image; null when it was not answered.",
      examples: ["Ada"],
    }),
};
const AnswerSent = named(
  "FieldAnswer",
  z.object(answerFields).describe("The answer to one field."),
);
const Answer = ofAnyServer(AnswerSent, {
  needed: ["field_id"],
  other: { field_type: word, value: z.unknown() },
});

/** One submission (docs/spec/api.md section 2.11). What `value` is depends on `field_type`. */
export const FormResponseSent = named(
  "FormResponse",
  z
    .object({
      id: idOf("response"),
      submitted_at: timestamp.describe("When it was sent."),
      is_complete: z.boolean().describe("Always true: nothing is stored before a form is sent."),
      completion_time_seconds: z
        .int()
        .nonnegative()
        .nullable()
        .describe("How long the respondent took."),
      field_responses: z.array(AnswerSent).describe("The answers, in the order of the fields."),
    })
    .describe("What one respondent sent."),
);
export const FormResponse = ofAnyServer(FormResponseSent, {
  needed,
  other: { field_responses: z.array(Answer).nullish() },
});
export type FormResponse = z.infer<typeof FormResponse>;

const formTitle = filledText(ownLimits.maxTitle).meta({
  description: "Its heading.",
  examples: ["How was your visit?"],
});
const description = text(ownLimits.maxDescription).nullish().describe("Text below the heading.");

export const FormCreate = named(
  "FormCreate",
  z.object({ workspace: workspaceId, title: formTitle, description }),
);
export type FormCreate = z.input<typeof FormCreate>;

/** True when all are different; otherwise the position of the first repeated one. */
function findTwice(values: readonly unknown[]): number | undefined {
  const at = values.findIndex((value, index) => values.indexOf(value) < index);
  return at < 0 ? undefined : at;
}

const FormFieldShape = z
  .object(
    {
      id: reference.meta({
        description: "Id of the field; of a new one a text of yours that begins with temp-.",
        examples: ["temp-1"],
      }),
      field_type: FieldTypeName,
      label: filledText(ownLimits.maxLabel).meta({
        description: "The question.",
        examples: ["Your name"],
      }),
      required: orDefault(flag, false).describe("Whether it must be answered; false unless given."),
      placeholder: text(ownLimits.maxLabel).nullish().describe("Text in the empty field."),
      options: z
        .array(option, { error: "Must be an array of {value, label}" })
        .max(ownLimits.maxFieldOptions, {
          error: `Must have at most ${ownLimits.maxFieldOptions} options`,
        })
        .nullish()
        .describe("The answers to choose among: of select, radio and checkbox, which need them."),
    },
    { error: "Must be an object with id, field_type and label" },
  )
  .superRefine(({ field_type: type, options }, context) => {
    if (!choiceTypes.has(type)) return;
    if ((options ?? []).length === 0) {
      const message = `At least one option is required for ${type}`;
      context.addIssue({ code: "custom", path: ["options"], message });
      return;
    }
    const values = (options ?? []).map(({ value }) => value);
    const twice = findTwice(values);
    if (twice === undefined) return;
    context.addIssue({
      code: "custom",
      path: ["options", twice, "value"],
      message: "Must be another value than those of the options before",
      input: values[twice],
    });
  });
named("FormFieldSave", FormFieldShape);
export type FormFieldGiven = z.output<typeof FormFieldShape>;

const color = (what: string) =>
  hexColor.nullish().describe(`Colour of ${what}; null for the usual one.`);

/** Body of the save: `fields` replace those of the form; settings left out keep their value. */
export const FormSave = named(
  "FormSave",
  z.object({
    fields: z
      .array(FormFieldShape, { error: "Must be an array of fields" })
      .max(ownLimits.maxFormFields, {
        error: `Must have at most ${ownLimits.maxFormFields} fields`,
      })
      .superRefine((fields, context) => {
        const ids = fields.map(({ id }) => id);
        const twice = findTwice(ids);
        if (twice === undefined) return;
        context.addIssue({
          code: "custom",
          path: [twice, "id"],
          message: "Must be another id than those of the fields before",
          input: ids[twice],
        });
      })
      .describe("All fields, in order: those that are left out are removed."),
    /** Null keeps the title, like leaving it out. */
    title: formTitle.nullish(),
    description,
    redirect_url: webUrl
      .nullish()
      .describe("Where respondents are led after sending; null shows the thank-you page."),
    thank_you_message: text(ownLimits.maxDescription)
      .nullish()
      .describe("What the thank-you page says."),
    bg_color: color("the page"),
    text_color: color("the text"),
    button_color: color("the button"),
    button_text_color: color("the button's text"),
  }),
);
export type FormSave = z.input<typeof FormSave>;

/** A form's settings besides title, logo and fields. */
export const formSettings = [
  "description",
  "redirect_url",
  "thank_you_message",
  "bg_color",
  "text_color",
  "button_color",
  "button_text_color",
] as const satisfies readonly (keyof FormSave)[];

export const FormLogo = named(
  "FormLogo",
  z.object({
    logo_url: webUrl.meta({
      description: "Address of a JPEG, PNG, GIF or WebP image of at most 2 MB.",
      examples: ["https://example.com/logo.png"],
    }),
  }),
);
export type FormLogo = z.input<typeof FormLogo>;

export const FormPublish = named(
  "FormPublish",
  z.object({
    domain: reference.nullish().describe("Host of its address; left out, the usual one."),
    slug: slug.nullish().meta({
      description:
        "The last part of its address, when it is published for the first time; left out, it is made.",
      examples: ["visit"],
    }),
  }),
);
export type FormPublish = z.input<typeof FormPublish>;

const formPage = pageFieldsUpTo(limits.maxFormPageSize);

/**
 * Query of the list of forms: the one list that takes its workspace here
 * (docs/spec/api.md section 5).
 */
export const FormListQuery = z.object({
  workspace: workspaceId,
  q: text(ownLimits.maxSearch)
    .optional()
    .meta({ description: "Only forms with this text in their title.", examples: ["visit"] }),
  ...formPage,
});
export type FormListQuery = z.input<typeof FormListQuery>;

export const FormPageQuery = z.object(formPage);
export type FormPageQuery = z.input<typeof FormPageQuery>;
