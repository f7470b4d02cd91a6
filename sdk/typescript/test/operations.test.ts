import { describe, expect, it } from "vitest";
import {
  BadGatewayError,
  ConflictError,
  type Operation,
  OperationFailedError,
  OperationTimeoutError,
  PaymentRequiredError,
  ServerError,
  ServiceUnavailableError,
} from "../src/index.ts";
import { useTestServer } from "./test-server.ts";

const operationIds = { project_id: "proj_1", operation_id: "op_1" };

function operationResponse(status: Operation["status"], more: Partial<Operation> = {}) {
  return {
    body: { object: "operation", ...operationIds, status, steps: [], error: null, ...more },
  };
}

describe("waiting for an operation", () => {
  const test = useTestServer();
  const operations = () => test.signedClient().projects.operations;

  it("polls with growing delays until the operation succeeds, and reports each poll", async () => {
    test.server.script(...Array.from({ length: 12 }, () => operationResponse("running")));
    test.server.script(operationResponse("succeeded"));
    const seen: string[] = [];

    const ended = await operations().waitFor(operationIds, {
      onProgress: ({ status }) => seen.push(status),
    });

    expect(ended.status).toBe("succeeded");
    expect(seen).toEqual([...Array(12).fill("running"), "succeeded"]);
    expect(test.slept.slice(0, 3)).toEqual([250, 375, 562.5]);
    expect(test.slept.slice(-2)).toEqual([5_000, 5_000]);
    expect(new Set(test.server.received.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(["GET /api/v1/svc/projects/proj_1/operations/op_1"]),
    );
  });

  it("polls an operation without a project by its ID, also while it requires approval", async () => {
    const more = { project_id: null, subject: { type: "wallet", id: "wal_1" } };
    const script = [operationResponse("requires_approval", more), operationResponse("succeeded", more)];
    test.server.script(...script, ...script);

    const { operations: all, projects } = test.signedClient();
    expect(await all.waitFor("op_1")).toMatchObject(more);
    expect(await projects.operations.waitFor({ ...operationIds, project_id: null })).toMatchObject(more);

    expect(test.server.received.map(({ path }) => path)).toEqual(Array(4).fill("/api/v1/svc/operations/op_1"));
  });

  it.each(["failed", "compensated", "needs_operator"] as const)(
    "throws OperationFailedError if the operation ends as %s",
    async (status) => {
      const error = {
        type: "about:blank",
        title: "Provider error",
        status: 502,
        code: "provider_error" as const,
        detail: "The provider rejected the request.",
        request_id: "req_1",
        retryable: false,
        errors: [],
      };
      test.server.script(operationResponse("running"), operationResponse(status, { error }));

      const failure = await operations()
        .waitFor(operationIds)
        .catch((thrown: unknown) => thrown);

      expect(failure).toBeInstanceOf(OperationFailedError);
      expect(failure).toMatchObject({
        message: `The operation op_1 ended as ${status}: The provider rejected the request.`,
        operation: { status, error },
      });
    },
  );

  it("throws OperationTimeoutError at the deadline, not later", async () => {
    test.server.script(...Array.from({ length: 50 }, () => operationResponse("running")));

    const failure = await operations()
      .waitFor(operationIds, { deadlineMs: 2_000 })
      .catch((thrown: unknown) => thrown);

    expect(failure).toBeInstanceOf(OperationTimeoutError);
    expect(failure).toMatchObject({
      operation: { status: "running" },
      message: "The operation op_1 has not ended. Its status is running.",
    });
    const sleptMs = test.slept.reduce((sum, ms) => sum + ms, 0);
    expect(sleptMs).toBeGreaterThan(1_000);
    expect(sleptMs).toBeLessThanOrEqual(2_000);
  });

  it("rejects with the signal's reason if aborted during a delay", async () => {
    test.server.script(...Array.from({ length: 50 }, () => operationResponse("running")));
    const abort = new AbortController();
    const reason = new Error("aborted by the test");
    const { projects } = test.signedClient({
      sleep: async (_ms, signal) => {
        expect(signal).toBe(abort.signal);
        abort.abort(reason);
      },
    });

    const waiting = projects.operations.waitFor(operationIds, { signal: abort.signal });

    await expect(waiting).rejects.toBe(reason);
    expect(test.server.received).toHaveLength(1);
  });
});

describe("errors of services.add", () => {
  const test = useTestServer();
  const nextAction = { type: "open_url", actor: "human", url: "https://purser.example.com/x" };

  it.each([
    [402, PaymentRequiredError, "payment_method_required"],
    [409, ConflictError, "provider_not_linked"],
    [502, BadGatewayError, "provider_error"],
    [503, ServiceUnavailableError, "provider_unavailable"],
  ])("%i throws its error class with nextAction", async (status, type, code) => {
    const problem = { status, code, retryable: false, next_action: nextAction };
    test.server.script({ status, body: problem });

    const failure = await test
      .signedClient()
      .projects.services.add("proj_1", { service: "neon/postgres" })
      .catch((thrown: unknown) => thrown);

    expect(failure).toBeInstanceOf(type);
    expect(failure instanceof ServerError).toBe(status >= 500);
    expect(failure).toMatchObject({ status, code, nextAction });
  });
});
