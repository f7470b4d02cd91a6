import { describe, expect, it } from "vitest";
import { ServerClock } from "./server-clock.ts";

const LOCAL = new Date("2026-11-21T12:00:00.000Z");
const headerOf = (offsetSeconds: number) => new Date(LOCAL.getTime() + offsetSeconds * 1000).toUTCString();

describe("ServerClock", () => {
  it.each([
    ["ahead", -26],
    ["behind", 26],
    ["behind by a day", 86_400],
  ])("corrected: the local clock is %s", (_, offsetSeconds) => {
    const clock = new ServerClock({ now: () => LOCAL });

    expect(clock.correctFrom(headerOf(offsetSeconds))).toBe(true);
    expect(clock.offsetMs).toBe(offsetSeconds * 1000);
    expect(clock.now().toUTCString()).toBe(headerOf(offsetSeconds));
  });

  it.each([
    ["no header", null],
    ["no date", "soon"],
    ["the local time", headerOf(0)],
    ["25 seconds less", headerOf(-25)],
    ["25 seconds more", headerOf(25)],
  ])("not corrected: the response has %s", (_, header) => {
    const clock = new ServerClock({ now: () => LOCAL });

    expect(clock.correctFrom(header)).toBe(false);
    expect(clock.offsetMs).toBe(0);
    expect(clock.now()).toEqual(LOCAL);
  });

  it("compares a second response with the corrected time", () => {
    const clock = new ServerClock({ now: () => LOCAL });
    clock.correctFrom(headerOf(100));

    expect(clock.correctFrom(headerOf(100))).toBe(false);
    expect(clock.correctFrom(headerOf(160))).toBe(true);
    expect(clock.offsetMs).toBe(160_000);
  });
});
