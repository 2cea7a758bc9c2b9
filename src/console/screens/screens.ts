/** All screens. Fixed path segments come before parameters. */
import type { Screen } from "../visit.ts";
import { analytics } from "./analytics.tsx";
import { code } from "./codes/code.tsx";
import { codes } from "./codes/codes.tsx";
import { design } from "./codes/design.tsx";
import { many } from "./codes/many.tsx";
import { folders } from "./folders.tsx";
import { forms } from "./forms.tsx";
import { links } from "./links.tsx";
import { pages } from "./pages.tsx";
import { products } from "./products.tsx";
import { settings } from "./settings/settings.tsx";
import { templates } from "./templates.tsx";

export const screens: readonly Screen[] = [
  codes,
  many,
  code,
  design,
  folders,
  links,
  products,
  pages,
  forms,
  templates,
  analytics,
  settings,
];
