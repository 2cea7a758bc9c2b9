/** Where the images lie that rows want as logos: plans and states keep a mark for their bytes. */
import { WITH_LOGO_FILE } from "../state/which-rows.ts";
import type { State } from "../state/state.ts";

const metaOf = (mark: string): string => `logo ${mark}`;
const drawingOf = (mark: string): string => `logo drawing ${mark}`;

/** Keeps the files of a plan, by their marks. */
export function rememberLogos(state: State, files: ReadonlyMap<string, string>): void {
  for (const [mark, file] of files) {
    if (state.meta(metaOf(mark)) !== file) state.setMeta(metaOf(mark), file);
  }
}

export const recallLogo = (state: State, mark: string): string | undefined =>
  state.meta(metaOf(mark));

/** Keeps the texts of drawings, by their marks: sheets print their shapes even if the files change. */
export function rememberLogoDrawings(state: State, drawings: ReadonlyMap<string, string>): void {
  for (const [mark, svg] of drawings) {
    if (state.meta(drawingOf(mark)) === undefined) state.setMeta(drawingOf(mark), svg);
  }
}

/** Undefined for a logo that is a picture. */
export const recallLogoDrawing = (state: State, mark: string): string | undefined =>
  state.meta(drawingOf(mark));

/** Some rows that are not done want an image of this computer. */
export const hasLogoFiles = (state: State): boolean => state.count(WITH_LOGO_FILE) > 0;
