/** Another program that shows the console among its own pages, and signs in for its reader. */
export interface ConsoleHome {
  /** Path of that program's first page. */
  readonly href: string;
  /** What it is called. */
  readonly name: string;
  /**
   * Keeps a job; answers the path where it goes on. `write` is told the job's name, and answers the text of its
   * manifest and of the list that belongs beside it as `NAME.csv`.
   */
  readonly saveJob: (stem: string, write: WriteJob) => Promise<string>;
}

export type WriteJob = (
  name: string,
) => Promise<{ readonly manifest: string; readonly list?: string | undefined }>;
