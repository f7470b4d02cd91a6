import { TypeID } from "typeid-js";
import { describe, expect, it } from "vitest";
import { isId, isUuid, newId } from "./ids.ts";

describe("newId", () => {
  it("creates a UUIDv7 with the current millisecond", () => {
    const before = Date.now();
    const requestId = newId("req");
    const after = Date.now();

    const uuid = TypeID.fromString(requestId, "req").toUUID();
    const madeAt = Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16);
    expect(isId("req", requestId)).toBe(true);
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(madeAt).toBeGreaterThanOrEqual(before);
    expect(madeAt).toBeLessThanOrEqual(after);
  });

  it("creates different ids", () => {
    const made = Array.from({ length: 10_000 }, () => newId("dev"));

    expect(new Set(made).size).toBe(made.length);
  });

  it("creates ids in ascending order, even within a millisecond", () => {
    const made = Array.from({ length: 10_000 }, () => newId("dev"));

    expect(made.toSorted()).toEqual(made);
  });
});

describe("isId", () => {
  it("true: an id was created with this prefix", () => {
    for (let count = 0; count < 100; count += 1) expect(isId("proj", newId("proj"))).toBe(true);
  });

  const digits = "01kajq7v4hef7b9z2m5n8p3rst";

  it.each([
    ["proj", `dev_${digits}`],
    ["proj", `abcd_${digits}`],
    ["pro", `proj_${digits}`],
    ["proj", `proj-${digits}`],
    ["proj", `proj_${digits.toUpperCase()}`],
    ["proj", `proj_${digits.slice(1)}`],
    ["proj", `proj_${digits}0`],
    ["proj", `proj_0${digits}`],
    ["proj", ` proj_${digits}`],
    ["proj", `proj_${digits}\n`],
    ["proj", `proj_8${"0".repeat(25)}`],
    ["proj", `proj_0${"i".repeat(25)}`],
    ["proj", `proj_0${"l".repeat(25)}`],
    ["proj", `proj_0${"o".repeat(25)}`],
    ["proj", `proj_0${"u".repeat(25)}`],
    ["proj", "proj_"],
    ["proj", ""],
  ])("false: the prefix is %s and the text %j", (prefix, text) => {
    expect(isId(prefix, text)).toBe(false);
  });

  it("true: a text has the lowest or the highest digits", () => {
    expect(isId("proj", `proj_${"0".repeat(26)}`)).toBe(true);
    expect(isId("proj", `proj_7${"z".repeat(25)}`)).toBe(true);
  });
});

describe("isUuid", () => {
  const uuid = "018f2c7e-9a3b-7c4d-8e5f-0123456789ab";

  it.each([uuid, uuid.toUpperCase(), "00000000-0000-0000-0000-000000000000"])("true: %s", (text) => {
    expect(isUuid(text)).toBe(true);
  });

  it.each([
    "",
    ` ${uuid}`,
    `${uuid}\n`,
    `${uuid}0`,
    `0${uuid}`,
    uuid.slice(1),
    uuid.slice(0, -1),
    uuid.replaceAll("-", ""),
    uuid.replace("a", "g"),
    `{${uuid}}`,
    ...[8, 13, 18, 23].map((at) => `${uuid.slice(0, at)}0${uuid.slice(at + 1)}`),
    "018f2c7-e9a3b-7c4d-8e5f-0123456789ab",
    "018f2c7e-9a3b7-c4d-8e5f-0123456789ab",
    "018f2c7e-9a3b-7c4d8-e5f-0123456789ab",
  ])("false: %j", (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
