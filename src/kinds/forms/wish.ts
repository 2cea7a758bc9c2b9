import { formSettings } from "../../api/form.ts";
import { ownLimits } from "../../api/limits.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import type { FindFixed, Render, Thing } from "../../plan/thing.ts";
import type { WantedField, WantedForm } from "../../state/row.ts";
import { isWebUrl } from "../../api/fields.ts";
import { checkColors, checkSlug, findFaint, got, orNull, tooLong } from "../wish-parts.ts";
import type { FormsJob } from "./job.ts";

const COLORS = formSettings.filter((name) => name.endsWith("color"));

function toField(field: FormsJob["form"]["fields"][number], render: Render): WantedField {
  const options = field.options?.map((option) => {
    if (typeof option !== "string") {
      return { value: render(option.value).trim(), label: render(option.label).trim() };
    }
    const text = render(option).trim();
    return { value: text, label: text };
  });
  return {
    field_type: field.field_type,
    label: render(field.label).trim(),
    required: field.required,
    placeholder: orNull(render(field.placeholder ?? "").trim()),
    options: options?.filter(({ value }) => value !== "") ?? null,
  };
}

function checkField({ label, options, field_type: type }: WantedField): string[] {
  if (options === null) return [];
  const values = options.map(({ value }) => value);
  const twice = values.find((value, at) => values.indexOf(value) < at);
  return [
    ...(options.length === 0 ? [`options of "${label}" (${type}) must not all be empty`] : []),
    ...(twice === undefined ? [] : [`options of "${label}" must differ, ${got(twice)} twice`]),
  ];
}

function checkForm(form: WantedForm): string[] {
  const { title, fields, settings, logo } = form;
  const redirect = settings["redirect_url"];
  return linesOf(
    title === "" && "title of a form must not be empty",
    ...tooLong("title of a form", title, ownLimits.maxTitle),
    fields.length === 0 && "a form must have fields, but every label is empty",
    ...fields.flatMap(checkField),
    ...checkColors(Object.fromEntries(COLORS.map((name) => [name, settings[name]]))),
    redirect !== undefined &&
      !isWebUrl(redirect) &&
      `redirect_url must be an http or https URL, ${got(redirect)}`,
    logo !== null && !isWebUrl(logo) && `logo_url must be an http or https URL, ${got(logo)}`,
  );
}

export function toFormThing(job: FormsJob, render: Render): Thing {
  const { form } = job;
  const settings = formSettings.map((name) => [name, render(form[name] ?? "").trim()] as const);
  const wanted: WantedForm = {
    title: render(form.title).trim(),
    settings: Object.fromEntries(settings.filter(([, text]) => text !== "")),
    fields: form.fields.map((field) => toField(field, render)).filter(({ label }) => label !== ""),
    logo: orNull(render(form.logo_url ?? "").trim()),
    slug: orNull(render(form.slug ?? "").trim()),
  };
  const warnings = findFaint(wanted.settings);
  const problems = [...checkForm(wanted), ...checkSlug(wanted.slug, job)];
  return { fields: { form: wanted }, problems, warnings };
}

export const findFixedForm: FindFixed = ({ form: made }, { form }) => {
  const slug = form?.slug ?? null;
  return slug === null || slug === made?.slug || made?.isDraft === true
    ? undefined
    : "the slug of a published form can't be changed: it is in print";
};
