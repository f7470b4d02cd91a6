import { expect, it } from "vitest";
import { invariant } from "./invariant.ts";

it("no error: the condition is true", () => {
  expect(() => invariant(true, "unused")).not.toThrow();
});

it("an error with the condition's text: the condition is false", () => {
  expect(() => invariant(false, "a row has a tenant")).toThrow("Invariant broken: a row has a tenant");
});
