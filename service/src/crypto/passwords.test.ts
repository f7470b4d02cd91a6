import { hashSync } from "@node-rs/argon2";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPasswordHasher } from "./passwords.ts";

describe("createPasswordHasher", () => {
  it("verifies a password in any Unicode normalization form, and rejects a different password", async () => {
    const passwords = createPasswordHasher({ concurrencyMax: 2 });
    const stored = await passwords.hash("cafe\u0301 by the river");

    expect(await passwords.verify(stored, "caf\u00e9 by the river")).toBe(true);
    expect(await passwords.verify(stored, "cafe by the river")).toBe(false);
    expect(await passwords.verifyDecoy("caf\u00e9 by the river")).toBe(false);
  });

  it("503 immediately: 200 calls are already waiting", async () => {
    const passwords = createPasswordHasher({ concurrencyMax: 2 });
    // Fast to verify, because 200 verifications of a real hash take long on a busy machine.
    const stored = hashSync("right", { memoryCost: 8, timeCost: 1 });

    const flood = await Promise.allSettled(Array.from({ length: 210 }, () => passwords.verify(stored, "wrong")));

    const rejected = flood.filter((call) => call.status === "rejected");
    expect(rejected).toHaveLength(8);
    expect(rejected[0]).toMatchObject({ reason: { code: "service_unavailable" } });
    expect(await passwords.verify(stored, "right")).toBe(true);
  });

  it("starts the next hash after a pause", async () => {
    const passwords = createPasswordHasher({ concurrencyMax: 1 });
    const stored = await createPasswordHasher({ concurrencyMax: 1 }).hash("right");
    const verifyWithoutPause = (hash: string) => createPasswordHasher({ concurrencyMax: 1 }).verify(hash, "right");
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());

    expect(await passwords.verify(stored, "right")).toBe(true);
    const ended: string[] = [];
    const next = passwords.verify(stored, "right").then(() => ended.push("next"));
    // If `passwords` did not pause after its first verification, `next` would end before these three verifications.
    for (let time = 0; time < 3; time += 1) await verifyWithoutPause(stored);
    ended.push("three others");
    vi.runAllTimers();
    await next;

    expect(ended).toEqual(["three others", "next"]);
  });
});
