/** Another program that shows the console among its own pages, and handles the sign-in. */
export interface ConsoleHome {
  /** Path of that program's first page. */
  readonly href: string;
  /** The program's name in a language. */
  readonly name: (language: string) => string;
  /**
   * Stores a job; answers the path where the user continues. `write` gets the job's name, and answers
   * the text of its manifest and of the list beside it (`NAME.csv`).
   */
  readonly saveJob: (stem: string, write: WriteJob) => Promise<string>;
}

export type WriteJob = (
  name: string,
) => Promise<{ readonly manifest: string; readonly list?: string | undefined }>;
