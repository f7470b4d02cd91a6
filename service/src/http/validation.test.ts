import { Type } from "typebox";
import { expect, it } from "vitest";
import { compileValidator } from "./validation.ts";

it("validators of different schemas with the same $id are independent", () => {
  const validatorFor = (name: string) =>
    compileValidator({
      schema: Type.Object({ [name]: Type.String() }, { $id: "TwoProfiles" }),
      method: "POST",
      url: "/",
      httpPart: "body",
    });
  const ofOne = validatorFor("one");
  const ofOther = validatorFor("other");

  expect([ofOne({ one: "a" }), ofOther({ other: "a" })]).toEqual([true, true]);
  expect([ofOne({ other: "a" }), ofOther({ one: "a" })]).not.toContain(true);
});
