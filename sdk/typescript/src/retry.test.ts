import { describe, expect, it } from "vitest";
import { APIConnectionError, APIError, PurserError } from "./errors.ts";
import { retryAfterSeconds, retryDelayMs } from "./retry.ts";

const now = new Date("2026-11-21T12:00:00Z");

function errorWith(status: number, headers: Record<string, string> = {}, problem = {}) {
  const response = { status, headers: new Headers(headers), problem };
  return APIError.from({ ...response, retryAfterSeconds: retryAfterSeconds(response.headers, now) });
}

describe("retryDelayMs", () => {
  it("starts at 500 ms, doubles up to 8 s, and subtracts a jitter of up to 25 percent", () => {
    const failure = new APIConnectionError("no response");

    const longest = [0, 1, 2, 3, 4, 5].map((retries) => retryDelayMs(failure, retries, 0));

    expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
    expect(retryDelayMs(failure, 0, 0.5)).toBe(437.5);
  });

  it.each([408, 425, 429, 500, 502, 503, 504])("retries %i", (status) => {
    expect(retryDelayMs(errorWith(status), 0, 0)).toBe(500);
  });

  it.each([301, 400, 401, 402, 403, 404, 409, 422])("does not retry %i", (status) => {
    expect(retryDelayMs(errorWith(status), 0, 0)).toBeUndefined();
  });

  it("retries a 409 with Retry-After", () => {
    expect(retryDelayMs(errorWith(409, { "retry-after": "1" }), 0, 0)).toBe(1000);
  });

  it("no retry: a 403 with Retry-After", () => {
    expect(retryDelayMs(errorWith(403, { "retry-after": "1" }), 0, 0)).toBeUndefined();
  });

  it("prefers `retryable` of the problem to the status", () => {
    expect(retryDelayMs(errorWith(503, {}, { retryable: false }), 0, 0)).toBeUndefined();
    expect(retryDelayMs(errorWith(409, {}, { retryable: true }), 0, 0)).toBe(500);
  });

  it("waits for Retry-After in seconds or until a date, and does not retry if it is more than a minute", () => {
    const after = (value: string) => retryDelayMs(errorWith(503, { "retry-after": value }), 0, 0.9);

    expect(after("7")).toBe(7000);
    expect(after("60")).toBe(60_000);
    expect(after("61")).toBeUndefined();
    expect(after("Sat, 21 Nov 2026 12:00:09 GMT")).toBe(9000);
    expect(after("Sat, 21 Nov 2026 11:00:00 GMT")).toBe(0);
    expect(after("soon")).toBe(500 * (1 - 0.25 * 0.9));
  });

  it("no retry: the failure is neither a connection error nor an error response", () => {
    expect(retryDelayMs(new PurserError("wrong call"), 0, 0)).toBeUndefined();
    expect(retryDelayMs(new TypeError("bug"), 0, 0)).toBeUndefined();
    const foreign = Object.assign(new Error("bug"), { status: 503, headers: new Headers() });
    expect(retryDelayMs(foreign, 0, 0)).toBeUndefined();
  });
});

describe("retryAfterSeconds", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    [" ", undefined],
    ["0", 0],
    ["12", 12],
    [" 12 ", 12],
    ["1.5 minutes", undefined],
    ["12 minutes", undefined],
    ["Sat, 21 Nov 2026 12:00:09 GMT", 9],
    ["Sat, 21 Nov 2026 12:00:09 +0000", 9],
    ["Sat, 21 Nov 2026 11:59:59 GMT", 0],
  ])("the header %j: %s seconds", (text, seconds) => {
    const headers = new Headers(text === undefined ? {} : { "retry-after": text });

    expect(retryAfterSeconds(headers, now)).toBe(seconds);
  });
});
