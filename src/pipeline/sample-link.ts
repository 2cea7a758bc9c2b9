/** Stand in for what does not exist yet: an origin of usual length, and the slug of a short link. */
export const SAMPLE_ORIGIN = "https://short.example.com";
export const SAMPLE_PATH = "/abcd2345";
