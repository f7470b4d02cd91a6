import { describe, expect, it } from "vitest";
import { conversionsOf } from "../../../../test/fiat/conversions.ts";
import { useHarness } from "../../../../test/harness.ts";

describe("a conversion that waits", () => {
  const harness = useHarness({ vendors: true });
  const conversions = conversionsOf(harness);
  const looks = () => harness.sandbox.requests("bridge").filter(({ operation }) => operation === "getTransfer").length;

  it("is looked at less often the longer it waits, and a look that finds nothing new does not change it", async () => {
    const { onRamp, read } = await conversions.seed();
    const { body } = await onRamp("100.00");

    await conversions.advance(120);

    expect(looks()).toBeGreaterThan(5);
    expect(looks()).toBeLessThan(25);
    expect((await read(body.conversion_id)).updated_at).toBe(body.updated_at);
  });
});
