import { describe, expect, it } from "vitest";
import { conversionsOf } from "../../../../test/fiat/conversions.ts";
import { useHarness } from "../../../../test/harness.ts";

describe("metadata of a quote", () => {
  const harness = useHarness({ vendors: true });
  const conversions = conversionsOf(harness);

  it("200: a quote is executed by the request with which it was made, whatever the order of its metadata", async () => {
    const { offRamp } = await conversions.seed({ funds: "100" });
    const metadata = { order: "1", id: "2", a: "3" };
    const { body } = await offRamp("10.00", { execute: false, metadata });

    const executed = await offRamp("10.00", { quote_id: body.quote.quote_id, metadata });

    expect([executed.status, executed.body.conversion_id]).toEqual([200, body.conversion_id]);
  });
});
