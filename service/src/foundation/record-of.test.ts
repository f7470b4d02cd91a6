import { expect, it } from "vitest";
import { recordOf } from "./record-of.ts";

it("maps each name to a value", () => {
  expect(recordOf(["a", "bc"], (name) => name.length)).toEqual({ a: 1, bc: 2 });
});
