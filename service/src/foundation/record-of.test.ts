import { expect, it } from "vitest";
import { recordOf } from "./record-of.ts";

it("one value for each name: names are given", () => {
  expect(recordOf(["a", "bc"], (name) => name.length)).toEqual({ a: 1, bc: 2 });
});
