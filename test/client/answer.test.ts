import { describe, expect, it } from "vitest";

import { toAnswerError, toFailureError, toWords } from "../../src/client/answer.ts";
import { failureWords, TransportFailure, type FailureReason } from "../../src/client/wire.ts";
import { makeAnswer, makeRequest } from "./wire-fakes.ts";

const request = makeRequest();

describe("toWords", () => {
  it.each<readonly [unknown, string]>([
    [{ detail: "Not found." }, "Not found."],
    [{ name: ["Too long", "Too odd"] }, "name: Too long; name: Too odd"],
    [{ non_field_errors: ["Body must be an object"] }, "Body must be an object"],
    [{ error: "no" }, "no"],
    [{ error: { message: "deep" } }, "deep"],
    [{ message: "hello" }, "hello"],
    [{ errors: [{ title: "odd" }] }, ""],
    [{ code: 7 }, ""],
    ["plain words\n over two lines", "plain words over two lines"],
    ['"a JSON string"', "a JSON string"],
    ["<!doctype html><p>Bad Gateway", "an HTML page"],
    ["", ""],
    ["x".repeat(2_000), "x".repeat(500)],
  ])("of %j are %j", (body, words) => {
    expect(toWords(request, makeAnswer({ status: 400, body }))).toBe(words);
  });
});

describe("toAnswerError", () => {
  it.each([
    [400, "request-refused", 3],
    [401, "token-refused", 4],
    [403, "token-refused", 4],
    [404, "not-found", 3],
    [405, "request-refused", 3],
    [409, "request-refused", 3],
    [415, "request-refused", 3],
    [429, "rate-limited", 5],
    [500, "server-unavailable", 5],
    [503, "server-unavailable", 5],
    [200, "answer-unusable", 5],
    [302, "answer-unusable", 5],
  ] as const)("makes of %i %s", (status, code, exitCode) => {
    const error = toAnswerError(request, makeAnswer({ status, body: "" }));
    expect([error.code, error.exitCode]).toEqual([code, exitCode]);
    expect(error.message).toContain(`GET /qrcode/c1/ must succeed, got ${status}`);
  });

  it("says what was wanted of a refusal, and which call failed of all else", () => {
    const wanting = { ...request, wants: "the server must make the code" };
    const says = (status: number): string =>
      toAnswerError(wanting, makeAnswer({ status, body: { detail: "No." } })).message;
    expect(says(400)).toBe("the server must make the code, but it answered 400: No.");
    expect(says(404)).toBe("the server must make the code, but it answered 404: No.");
    expect(says(503)).toBe("GET /qrcode/c1/ must succeed, got 503: No.");
  });

  it("says what an answer that can't be used was", () => {
    expect(toAnswerError(request, makeAnswer({ body: "<html>" })).message).toBe(
      "GET /qrcode/c1/ must succeed, got 200: a body that can't be read",
    );
    expect(toAnswerError(request, makeAnswer({ status: 301, body: "" })).message).toBe(
      "GET /qrcode/c1/ must succeed, got 301: a redirect, which API calls don't follow",
    );
  });
});

describe("toFailureError", () => {
  it.each(Object.keys(failureWords) as FailureReason[])("has words for %s", (reason) => {
    const error = toFailureError(request, new TransportFailure(reason, true));
    expect(error.code).toBe("server-unavailable");
    expect(error.message).toBe(
      `GET /qrcode/c1/ must be answered by api.test, got no answer: ${failureWords[reason]}`,
    );
  });
});
