/** All screens, in the order of the menu. */
import type { Screen } from "../visit.ts";
import { codes } from "./codes/codes.tsx";
import { code } from "./codes/code.tsx";

export const screens: readonly Screen[] = [codes, code];
