import { describe, expect, it } from "vitest";
import { isUuid } from "../foundation/ids.ts";
import { operationKey } from "./operation-key.ts";

describe("the idempotency key of an effect at a vendor", () => {
  it("is a UUIDv5, the same at every attempt", () => {
    const key = operationKey("op_1", "customer");

    expect(isUuid(key)).toBe(true);
    expect(key[14]).toBe("5");
    expect("89ab").toContain(key[19]);
    expect(operationKey("op_1", "customer")).toBe(key);
  });

  it("differs by the id and by the effect", () => {
    const keys = [
      operationKey("op_1", "customer"),
      operationKey("op_2", "customer"),
      operationKey("op_1", "setup"),
    ];

    expect(new Set(keys).size).toBe(3);
  });
});
