/** Parts of a page, and their context. */
import type { FC } from "hono/jsx";

import type { Job } from "../../kinds/any-job.ts";
import type { DeskContext } from "../context.ts";
import type { Words } from "../words/words.ts";

/** It speaks the reader's language. */
export type Part<Props = unknown> = FC<Props & { readonly words: Words }>;

export type JobPart<Props = unknown> = Part<Props & { readonly manifest: string }>;

/** The job that a page is about. */
export interface JobSite {
  readonly desk: DeskContext;
  readonly manifest: string;
  readonly job: Job;
  readonly words: Words;
}
