import { z } from "zod";

/** api-v2.md 2.3. Values of other servers pass even when their words are not ours. */
export const Template = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  primary_color: z.string().nullish(),
  eye_color: z.string().nullish(),
  background_color: z.string().nullish(),
  pattern: z.string().nullish(),
  eye_style: z.string().nullish(),
  frame_color: z.string().nullish(),
  has_border: z.boolean().nullish(),
  text: z.string().nullish(),
  frame: z.string().nullish(),
  has_logo: z.boolean().nullish(),
  preview: z.string().nullish(),
  is_default: z.boolean().nullish(),
});
export type Template = z.infer<typeof Template>;
