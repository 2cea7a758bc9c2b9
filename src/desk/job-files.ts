/** Names and places of a job's files that the desk shows. */
import path from "node:path";

import { toSlug } from "../base/text/slug.ts";
import { isRowJob, stateDirOf, type Job } from "../kinds/any-job.ts";
import { jobPath } from "./view/page.tsx";

/** Where a job's finished files lie, absolute. */
export const outputDirOf = (job: Job): string => (isRowJob(job) ? job.output.dir : stateDirOf(job));

/** Of the pages that a customer signs. */
export const toProofName = (name: string): string => `proof-${toSlug(name)}.pdf`;

const toAddress = (name: string): string => name.split("/").map(encodeURIComponent).join("/");

/** Of a run that had a folder of its own (`{{ date }}`), the file lies beside `dir`: no address has `..`. */
const BESIDE = /^(?:\.\.\/)+/u;

/** The name of a file in addresses. */
export const toFileName = (dir: string, file: string): string =>
  path.relative(dir, file).split(path.sep).join("/").replace(BESIDE, "");

/** The file itself: shown or downloaded. */
export const fileHref = (manifest: string, dir: string, file: string): string =>
  `${jobPath(manifest)}/files/${toAddress(toFileName(dir, file))}`;

/** A PDF page by page. */
export const showHref = (manifest: string, dir: string, file: string): string =>
  `${jobPath(manifest)}/show/${toAddress(toFileName(dir, file))}`;
