import type { ThingCost } from "../../plan/thing.ts";

/** Made, saved, published. */
const MAKING = 3;
/** Saved, published. */
const SAVING = 2;

export const formCost: ThingCost = {
  redraws: true,
  create: ({ form }) => MAKING + Number((form?.logo ?? null) !== null),
  update(made, { form }) {
    const logo = form?.logo ?? null;
    return SAVING + Number(logo !== null && logo !== made.form?.logo);
  },
};
