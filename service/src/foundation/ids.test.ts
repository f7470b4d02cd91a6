import { TypeID } from "typeid-js";
import { describe, expect, it } from "vitest";
import { isId, newId, newRequestId } from "./ids.ts";

describe("newRequestId", () => {
  it("creates request ids in the form of other ids, with the current millisecond", () => {
    const before = Date.now();
    const requestId = newRequestId();
    const after = Date.now();

    const uuid = TypeID.fromString(requestId, "req").toUUID();
    const madeAt = Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16);
    expect(isId("req", requestId)).toBe(true);
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(madeAt).toBeGreaterThanOrEqual(before);
    expect(madeAt).toBeLessThanOrEqual(after);
  });

  it("creates different ids", () => {
    const made = Array.from({ length: 10_000 }, newRequestId);

    expect(new Set(made).size).toBe(made.length);
  });
});

describe("newId", () => {
  it("creates ids in ascending order, also within a millisecond", () => {
    const made = Array.from({ length: 10_000 }, () => newId("dev"));

    expect(made.toSorted()).toEqual(made);
  });
});
