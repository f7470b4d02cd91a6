import { describe, expect, it } from "vitest";
import { isUuid } from "../foundation/ids.ts";
import { vendorIdempotencyKey } from "./vendor-idempotency-key.ts";

describe("vendorIdempotencyKey", () => {
  it("is a UUIDv5, the same for every attempt", () => {
    const key = vendorIdempotencyKey("op_1", "customer");

    expect(isUuid(key)).toBe(true);
    expect(key[14]).toBe("5");
    expect("89ab").toContain(key[19]);
    expect(vendorIdempotencyKey("op_1", "customer")).toBe(key);
  });

  it.each([
    ["op_1", "customer", "bd0cf352-d824-526c-b8eb-d6d440e81d16"],
    ["op_1", "setup", "71312b3f-dc62-5d01-86c9-500e435d7ded"],
    ["op_ü😀", "customer", "783c583b-bb1d-5480-9418-7b1740761155"],
  ])("vendorIdempotencyKey(%s, %s) never changes", (id, effect, key) => {
    expect(vendorIdempotencyKey(id, effect)).toBe(key);
  });

  it("differs between ids and between effects", () => {
    const keys = [
      vendorIdempotencyKey("op_1", "customer"),
      vendorIdempotencyKey("op_2", "customer"),
      vendorIdempotencyKey("op_1", "setup"),
    ];

    expect(new Set(keys).size).toBe(3);
  });
});
