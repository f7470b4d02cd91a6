import { describe, expect, it, vi } from "vitest";
import { APITimeoutError } from "../src/index.ts";
import { type ReceivedRequest, useTestServer } from "./test-server.ts";

describe("waiting for an approval", () => {
  const test = useTestServer();

  it("repeats the long poll until the approval is no longer pending", async () => {
    const pending = { body: { object: "approval", approval_id: "apr_1", status: "pending" } };
    const denied = { body: { ...pending.body, status: "denied" } };
    test.server.script(pending, pending, denied);

    const approval = await test.signedClient().approvals.waitFor("apr_1");

    expect(approval.status).toBe("denied");
    expect(test.server.received.map(({ path }) => path)).toEqual(
      Array(3).fill("/api/v1/svc/approvals/apr_1?wait_seconds=30"),
    );
  });

  it("returns a pending approval after `deadlineMs`", async () => {
    const pending = { object: "approval", approval_id: "apr_1", status: "pending" };
    const late = ({ path }: ReceivedRequest) => {
      test.clock.nowMs += 1_000 * Number(new URL(path, test.server.baseUrl).searchParams.get("wait_seconds"));
      return { body: pending };
    };
    test.server.script(late, late, late);

    const approval = await test.signedClient().approvals.waitFor("apr_1", { deadlineMs: 45_000 });

    expect(approval.status).toBe("pending");
    expect(test.server.received.map(({ path }) => path.split("=")[1])).toEqual(["30", "15"]);
  });

  it("gives the server the client's timeout in addition to the time that it was asked to wait", async () => {
    const fetch = (_input: unknown, init?: RequestInit) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    const client = test.signedClient({
      maxRetries: 0,
      fetch: fetch as typeof globalThis.fetch,
    });
    let failure: unknown;
    vi.useFakeTimers();
    const ended = client.approvals.get("apr_1", { wait_seconds: 30 }, { timeoutMs: 30_000 }).catch((error: unknown) => {
      failure = error;
    });

    await vi.advanceTimersByTimeAsync(59_900);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(200);
    vi.useRealTimers();
    await ended;

    expect(failure).toBeInstanceOf(APITimeoutError);
  });
});
