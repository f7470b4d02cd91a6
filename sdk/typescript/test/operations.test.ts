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
import { useService } from "./service.ts";

const named = { project_id: "proj_1", operation_id: "op_1" };

function answer(status: Operation["status"], more: Partial<Operation> = {}) {
  return { body: { object: "operation", ...named, status, steps: [], error: null, ...more } };
}

describe("waiting for an operation", () => {
  const test = useService();
  const operations = () => test.signedClient().projects.operations;

  it("asks less and less often until it has succeeded, and tells each time how far it is", async () => {
    test.service.script(...Array.from({ length: 12 }, () => answer("running")));
    test.service.script(answer("succeeded"));
    const seen: string[] = [];

    const ended = await operations().waitFor(named, {
      onProgress: ({ status }) => seen.push(status),
    });

    expect(ended.status).toBe("succeeded");
    expect(seen).toEqual([...Array(12).fill("running"), "succeeded"]);
    expect(test.slept.slice(0, 3)).toEqual([250, 375, 562.5]);
    expect(test.slept.slice(-2)).toEqual([5_000, 5_000]);
    expect(new Set(test.service.received.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(["GET /api/v1/svc/projects/proj_1/operations/op_1"]),
    );
  });

  it("asks for what belongs to no project by its id alone, while it waits for a person too", async () => {
    const more = { project_id: null, subject: { type: "wallet", id: "wal_1" } };
    const script = [answer("requires_approval", more), answer("succeeded", more)];
    test.service.script(...script, ...script);

    const { operations: all, projects } = test.signedClient();
    expect(await all.waitFor(named)).toMatchObject(more);
    expect(await projects.operations.waitFor({ ...named, project_id: null })).toMatchObject(more);

    expect(test.service.received.map(({ path }) => path)).toEqual(
      Array(4).fill("/api/v1/svc/operations/op_1"),
    );
  });

  it.each(["failed", "compensated", "needs_operator"] as const)(
    "throws what it ended as, where that is %s",
    async (status) => {
      const error = {
        type: "about:blank",
        title: "Provider error",
        status: 502,
        code: "provider_error",
        detail: "The provider refused.",
        request_id: "req_1",
        retryable: false,
        errors: [],
      };
      test.service.script(answer("running"), answer(status, { error }));

      const failure = await operations()
        .waitFor(named)
        .catch((thrown: unknown) => thrown);

      expect(failure).toBeInstanceOf(OperationFailedError);
      expect(failure).toMatchObject({
        message: `The operation op_1 ended as ${status}: The provider refused.`,
        operation: { status, error },
      });
    },
  );

  it("throws where it still runs at the deadline, and waits no longer than that", async () => {
    test.service.script(...Array.from({ length: 50 }, () => answer("running")));

    const failure = await operations()
      .waitFor(named, { deadlineMs: 2_000 })
      .catch((thrown: unknown) => thrown);

    expect(failure).toBeInstanceOf(OperationTimeoutError);
    expect(failure).toMatchObject({ operation: { status: "running" } });
    const sleptMs = test.slept.reduce((sum, ms) => sum + ms, 0);
    expect(sleptMs).toBeGreaterThan(1_000);
    expect(sleptMs).toBeLessThanOrEqual(2_000);
  });

  it("ends with the signal's reason, in the middle of a wait too", async () => {
    test.service.script(...Array.from({ length: 50 }, () => answer("running")));
    const abort = new AbortController();
    const reason = new Error("nobody wants it any more");
    const { projects } = test.signedClient({
      sleep: async (_ms, signal) => {
        expect(signal).toBe(abort.signal);
        abort.abort(reason);
      },
    });

    const waiting = projects.operations.waitFor(named, { signal: abort.signal });

    await expect(waiting).rejects.toBe(reason);
    expect(test.service.received).toHaveLength(1);
  });
});

describe("refusals on the way to a service", () => {
  const test = useService();
  const nextAction = { type: "open_url", actor: "human", url: "https://purser.example.com/x" };

  it.each([
    [402, PaymentRequiredError, "payment_method_required"],
    [409, ConflictError, "provider_not_linked"],
    [502, BadGatewayError, "provider_error"],
    [503, ServiceUnavailableError, "provider_unavailable"],
  ])("%i is an error of its own class, with what to do next", async (status, type, code) => {
    const problem = { status, code, retryable: false, next_action: nextAction };
    test.service.script({ status, body: problem });

    const failure = await test
      .signedClient()
      .projects.services.add("proj_1", { service: "neon/postgres" })
      .catch((thrown: unknown) => thrown);

    expect(failure).toBeInstanceOf(type);
    expect(failure instanceof ServerError).toBe(status >= 500);
    expect(failure).toMatchObject({ status, code, nextAction });
  });
});
