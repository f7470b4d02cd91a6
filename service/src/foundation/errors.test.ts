import { describe, expect, it } from "vitest";
import { AppError, authenticationFailed, type ErrorCode, invalidField, isErrorCode, problemBody } from "./errors.ts";

describe("isErrorCode", () => {
  it.each([
    ["conflict", true],
    ["slow_down", true],
    ["toString", false],
    ["Conflict", false],
    ["", false],
  ])("the text %j: %s", (text, expected) => {
    expect(isErrorCode(text)).toBe(expected);
  });
});

describe("AppError", () => {
  it("the catalog's detail and a Retry-After of one second: the error has only a code", () => {
    expect(new AppError("conflict")).toMatchObject({
      name: "AppError",
      code: "conflict",
      status: 409,
      message:
        "The object's current state does not allow this request. Read the object, wait or change its state, then repeat the request.",
      internal: undefined,
      errors: [],
      retryAfterSeconds: 1,
    });
  });

  it("the values of the context: the error has a context", () => {
    const cause = new Error("cause");
    const errors = [{ pointer: "/body/name", code: "required", detail: "is required" }];
    const context = { internal: "row 7", errors, retryAfterSeconds: 5, cause };

    const error = new AppError("rate_limited", { ...context, detail: "A sentence." });

    expect(error).toMatchObject({ ...context, message: "A sentence." });
  });

  it("401 with a reason for the log: authentication failed", () => {
    expect(authenticationFailed("no such key")).toMatchObject({
      code: "authentication_failed",
      status: 401,
      internal: "no such key",
    });
  });

  it("422 with one field: a value is invalid", () => {
    expect(invalidField("/query/page", "minimum", "must be >= 1")).toMatchObject({
      code: "validation_error",
      status: 422,
      errors: [{ pointer: "/query/page", code: "minimum", detail: "must be >= 1" }],
    });
  });
});

describe("problemBody", () => {
  it("only the public values: the error has public and internal values", () => {
    const errors = [{ pointer: "/body/name", code: "required", detail: "is required" }];
    const context = { detail: "A sentence.", internal: "row 7", cause: new Error("secret") };

    expect(problemBody(new AppError("conflict", { ...context, errors }), "req_1")).toEqual({
      type: "/errors/conflict",
      title: "Conflict",
      status: 409,
      detail: "A sentence.",
      code: "conflict",
      request_id: "req_1",
      retryable: false,
      errors,
    });
  });

  it("the decision and the next action: the error has them", () => {
    const decision = { available: "1.00", required: "2.50" };
    const nextAction = { type: "add_funds", actor: "human" as const };

    expect(problemBody(new AppError("conflict", { decision, nextAction }), "req_1")).toMatchObject({
      decision,
      next_action: nextAction,
    });
  });

  it("the same detail for every 401", () => {
    const error = new AppError("authentication_failed", { detail: "The key is revoked." });

    expect(problemBody(error, "req_1").detail).toBe(problemBody(authenticationFailed("no such key"), "req_1").detail);
  });

  it.each<[ErrorCode, boolean]>([
    ["rate_limited", true],
    ["service_unavailable", true],
    ["provider_unavailable", true],
    ["idempotency_in_flight", true],
    ["conflict", false],
    ["internal_error", false],
    ["provider_error", false],
    ["slow_down", false],
  ])("retryable %s: %s", (code, retryable) => {
    expect(problemBody(new AppError(code), "req_1").retryable).toBe(retryable);
  });

  it("the code also in the member error: the code is an OAuth error code", () => {
    expect(problemBody(new AppError("slow_down"), "req_1")).toMatchObject({ error: "slow_down" });
    expect(problemBody(new AppError("conflict"), "req_1")).not.toHaveProperty("error");
  });
});
