import { Type } from "typebox";
import { expect, expectTypeOf, it } from "vitest";
import { Nullable, Timestamp } from "./fields.ts";
import { toWire } from "./to-wire.ts";

const BoxResource = Type.Object({
  object: Type.Literal("box"),
  box_id: Type.String(),
  agent_ids: Type.Array(Type.String()),
  amount: Type.String(),
  note: Type.Optional(Type.String()),
  opened_at: Nullable(Timestamp),
  created_at: Timestamp,
});

const row = {
  boxId: "box_1",
  agentIds: ["a"] as readonly string[],
  amount: 5n,
  openedAt: null as Date | null,
  createdAt: new Date(0),
  secretSealed: Buffer.from("secret"),
};

it("returns the properties of the schema, dates as texts, and what differs from the row", () => {
  const wire = toWire(BoxResource, row, { amount: "0.05" });

  expect(wire).toEqual({
    object: "box",
    box_id: "box_1",
    agent_ids: ["a"],
    amount: "0.05",
    opened_at: null,
    created_at: "1970-01-01T00:00:00.000Z",
  });
  expectTypeOf(wire.created_at).toEqualTypeOf<string>();
});

it("a property that the row lacks, or has with another type, is an error of the type check", () => {
  // @ts-expect-error The amount of the row is a bigint.
  toWire(BoxResource, row, {});
  // @ts-expect-error The row has no box_id.
  toWire(BoxResource, { ...row, boxId: undefined }, { amount: "0.05" });
  // @ts-expect-error The schema has no such property.
  const wire = toWire(BoxResource, row, { amount: "0.05", secret_sealed: "x" });
  expect(wire).not.toHaveProperty("secret_sealed");
});
