import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPasswordHasher } from "./passwords.ts";

describe("a password hasher", () => {
  it("knows a password again, however its characters were composed, and no other", async () => {
    const passwords = createPasswordHasher({ concurrencyMax: 2 });
    const stored = await passwords.hash("cafe\u0301 by the river");

    expect(await passwords.verify(stored, "caf\u00e9 by the river")).toBe(true);
    expect(await passwords.verify(stored, "cafe by the river")).toBe(false);
    expect(await passwords.verifyNothing("caf\u00e9 by the river")).toBe(false);
  });

  it("503 at once for those that come while two hundred wait, and for nobody else", async () => {
    const passwords = createPasswordHasher({ concurrencyMax: 2 });
    const stored = await createPasswordHasher({ concurrencyMax: 1 }).hash("right");

    const flood = await Promise.allSettled(
      Array.from({ length: 210 }, () => passwords.verify(stored, "wrong")),
    );

    const refused = flood.filter((call) => call.status === "rejected");
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ reason: { code: "service_unavailable" } });
    expect(await passwords.verify(stored, "right")).toBe(true);
  });

  it("lets the next one begin only after a pause", async () => {
    const passwords = createPasswordHasher({ concurrencyMax: 1 });
    const stored = await createPasswordHasher({ concurrencyMax: 1 }).hash("right");
    const verifyWithoutPause = (hash: string) =>
      createPasswordHasher({ concurrencyMax: 1 }).verify(hash, "right");
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());

    expect(await passwords.verify(stored, "right")).toBe(true);
    const ended: string[] = [];
    const next = passwords.verify(stored, "right").then(() => ended.push("next"));
    // Longer than `next` takes by itself.
    for (let time = 0; time < 3; time += 1) await verifyWithoutPause(stored);
    ended.push("three others");
    vi.runAllTimers();
    await next;

    expect(ended).toEqual(["three others", "next"]);
  });
});
