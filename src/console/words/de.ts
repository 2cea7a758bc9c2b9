import { en } from "./en.ts";
export const de = { ...en, language: "de", common: { ...en.common, thisLanguage: "Deutsch" } };
