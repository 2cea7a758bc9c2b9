import { z } from "zod";

import {
  filledText,
  flag,
  hexColor,
  oneOf,
  orDefault,
  reference,
  slug,
  text,
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

/** A new field's id begins so; every other one must exist in the form. */
export const TEMPORARY_ID = "temp-";

const item = {
  id: z.string().min(1),
  title: z.string().nullish(),
  /** Ours: `Draft`, `Published`, `Closed`. The document names `Published` only. */
  status: z.string().nullish(),
  response_count: z.number().int().nonnegative().nullish(),
  share_url: z.string().nullish(),
  workspace: z.string().nullish(),
  created: z.string().nullish(),
  modified: z.string().nullish(),
};

/** One form in a list. */
export const FormItem = z.looseObject(item);
export type FormItem = z.infer<typeof FormItem>;

/** One form as create, save, logo, publish, close and reopen answer it. */
export const Form = z.looseObject({
  ...item,
  description: z.string().nullish(),
  shortlink_url: z.string().nullish(),
  qr_code_svg: z.string().nullish(),
  fields: z
    .array(
      z.looseObject({
        id: z.string().min(1),
        field_type: z.string(),
        label: z.string().nullish(),
        required: z.boolean().nullish(),
      }),
    )
    .nullish(),
});
export type Form = z.infer<typeof Form>;

/** One submission (docs/spec/api.md section 2.11). What `value` is depends on `field_type`. */
export const FormResponse = z.looseObject({
  id: z.string().min(1),
  submitted_at: z.string().nullish(),
  is_complete: z.boolean().nullish(),
  completion_time_seconds: z.number().int().nonnegative().nullish(),
  field_responses: z
    .array(
      z.looseObject({
        field_id: z.string(),
        field_label: z.string().nullish(),
        field_type: z.string().nullish(),
        value: z.unknown(),
      }),
    )
    .nullish(),
});
export type FormResponse = z.infer<typeof FormResponse>;

export const FormCreate = z.object({
  workspace: workspaceId,
  title: filledText(ownLimits.maxTitle),
  description: text(ownLimits.maxDescription).nullish(),
});
export type FormCreate = z.input<typeof FormCreate>;

const option = z.object({
  value: filledText(ownLimits.maxTitle),
  label: filledText(ownLimits.maxTitle),
});

/** True when no two are equal; otherwise the place of the first that was there before. */
function findTwice(values: readonly unknown[]): number | undefined {
  const at = values.findIndex((value, index) => values.indexOf(value) < index);
  return at < 0 ? undefined : at;
}

const FormFieldShape = z
  .object({
    id: reference,
    field_type: oneOf(fieldTypes),
    label: filledText(ownLimits.maxLabel),
    required: orDefault(flag, false),
    placeholder: text(ownLimits.maxLabel).nullish(),
    options: z
      .array(option, { error: "Must be an array of {value, label}" })
      .max(ownLimits.maxFieldOptions, {
        error: `Must have at most ${ownLimits.maxFieldOptions} options`,
      })
      .nullish(),
  })
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
export type FormFieldGiven = z.output<typeof FormFieldShape>;

const color = hexColor.nullish();

/** Body of the save: `fields` replace those of the form; settings that are left out are kept. */
export const FormSave = z.object({
  fields: z
    .array(FormFieldShape, { error: "Must be an array of fields" })
    .max(ownLimits.maxFormFields, { error: `Must have at most ${ownLimits.maxFormFields} fields` })
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
    }),
  /** Null keeps it, as leaving it out does. */
  title: filledText(ownLimits.maxTitle).nullish(),
  description: text(ownLimits.maxDescription).nullish(),
  redirect_url: webUrl.nullish(),
  thank_you_message: text(ownLimits.maxDescription).nullish(),
  bg_color: color,
  text_color: color,
  button_color: color,
  button_text_color: color,
});
export type FormSave = z.input<typeof FormSave>;

export const FormLogo = z.object({ logo_url: webUrl });
export type FormLogo = z.input<typeof FormLogo>;

export const FormPublish = z.object({ domain: reference.nullish(), slug: slug.nullish() });
export type FormPublish = z.input<typeof FormPublish>;

const formPage = pageFieldsUpTo(limits.maxFormPageSize);

/**
 * Query of the list of forms: the one list that takes its workspace here
 * (docs/spec/api.md section 5).
 */
export const FormListQuery = z.object({
  workspace: workspaceId,
  q: text(ownLimits.maxSearch).optional(),
  ...formPage,
});
export type FormListQuery = z.input<typeof FormListQuery>;

export const FormPageQuery = z.object(formPage);
export type FormPageQuery = z.input<typeof FormPageQuery>;
