/** What the console itself refuses, in the reader's words. */

/** A sentence in the reader's language, and where to go on. */
export interface OwnWords {
  readonly said: string;
  readonly to?: { readonly href: string; readonly text: string };
}

/** A sentence of the API, whose words are looked up; or the console's own. */
export type Problem = string | OwnWords;

export class OwnRefusal extends Error {
  override readonly name = "OwnRefusal";
  readonly status: number;
  readonly lines: readonly OwnWords[];

  constructor(status: number, lines: readonly OwnWords[]) {
    super(`${status} ${lines.map(({ said }) => said).join(" ")}`);
    this.status = status;
    this.lines = lines;
  }
}
