import path from "node:path";

import { openState } from "../../src/state/state.ts";

/** Notes other stamps of all pictures of an output folder, such as those of today. */
export function noteStamps(out: string, toStamp: (file: string) => string | undefined): void {
  const state = openState(out, { writer: "test", salt: "", nowMs: 0 });
  for (const page of state.pictures.pages()) {
    const noted = page.map(({ key, artwork }) => {
      const files = artwork.files.map((file) => ({
        ...file,
        stamp: toStamp(path.join(out, file.name)),
      }));
      return [key, { ...artwork, files }] as const;
    });
    state.pictures.note(noted);
  }
  state.close();
}
