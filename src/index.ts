/** The library's front door: what other programs may rely on. */
export { AppError, errorCodes, errorKinds, type ErrorCode, type Problem } from "./base/errors.ts";
export { openClient, type Client, type ClientOptions } from "./client/client.ts";
export { gmnCheckPair, isGmn, makeGmn } from "./gs1/gmn-helpers.ts";
export { loadJob, type Job } from "./job/manifest.ts";
export { jobSchema } from "./job/schema.ts";
export { openService, type Service } from "./service/service.ts";
