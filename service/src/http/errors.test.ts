import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";

describe("a refusal", () => {
  const harness = useHarness();

  it("is found in the log by the request's id, and with its cause", async () => {
    const answer = await harness.send({ method: "GET", url: "/api/v1/svc/projects" });

    const lines = harness.logLines.map((line) => JSON.parse(line));
    const requestId = answer.body.request_id;
    expect(answer.headers["x-request-id"]).toBe(requestId);
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: "request refused",
        requestId,
        code: "authentication_failed",
        internal: "step 1: no API key",
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: "answered", requestId, status: 401 }),
    );
  });
});
