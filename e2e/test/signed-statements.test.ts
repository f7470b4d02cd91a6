import {
  type KillSwitch,
  type Payment,
  SignatureVerificationError,
  verifyFreezeProof,
  verifyPaymentReceipt,
  verifyRevocation,
  type WalletFreezeReport,
} from "@purser/sdk";
import { describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../service/test/harness.ts";
import { seedPayer } from "../../service/test/payments/pay.ts";

type Verify = (object: AnyBody) => Promise<void>;

/** What the server signs, verified with the SDK and the keys that the server publishes. */
describe("signed statements", () => {
  const harness = useHarness();

  async function publishedKeys() {
    return (await harness.send({ method: "GET", url: "/.well-known/jwks.json" })).body;
  }

  /** Returns the statements that a server signs about one agent. */
  async function seedStatements() {
    const { tenant, agentId, walletId, pay } = await seedPayer(harness);
    const { body: payment } = await pay({ network: "base" });
    const freeze = await tenant.post(`/wallets/${walletId}/freeze-on-chain`, {
      reason: "anomaly",
    });
    const killed = await tenant.post("/kill-switch", {
      ...{ scope: "agent", id: agentId, reason: "Zoë's laptop is stolen" },
    });
    return {
      payment: payment as Payment,
      freeze: freeze.body as WalletFreezeReport,
      killed: killed.body as KillSwitch,
    };
  }

  it("are valid with the published keys", async () => {
    const jwks = await publishedKeys();
    const { payment, freeze, killed } = await seedStatements();

    await expect(verifyPaymentReceipt(payment, jwks)).resolves.toBeUndefined();
    await expect(verifyFreezeProof(freeze, jwks)).resolves.toBeUndefined();
    await expect(verifyRevocation(killed, jwks)).resolves.toBeUndefined();
    expect(payment.receipt).not.toBeNull();
    expect(killed.targets.map(({ type }) => type)).toEqual(["agent", "wallet"]);
  });

  it("are not valid with another server's keys, or as a statement of another kind", async () => {
    const { freeze, killed } = await seedStatements();
    const jwks = await publishedKeys();
    const none = { keys: [] };

    await expect(verifyFreezeProof(freeze, none)).rejects.toThrow(SignatureVerificationError);
    await expect(verifyRevocation(killed, none)).rejects.toThrow(SignatureVerificationError);
    await expect(verifyRevocation(freeze as AnyBody, jwks)).rejects.toThrow(SignatureVerificationError);
    await expect(verifyFreezeProof(killed as AnyBody, jwks)).rejects.toThrow(SignatureVerificationError);
  });

  it("of a kill switch that is running do not exist", async () => {
    const { killed } = await seedStatements();
    const jwks = await publishedKeys();

    await expect(verifyRevocation({ ...killed, proof: null }, jwks)).rejects.toThrow("The kill switch has no proof.");
  });

  it("notice each changed byte, and each field that was added or removed", async () => {
    const jwks = await publishedKeys();
    const { freeze, killed } = await seedStatements();

    for (const [object, verify] of [
      [freeze, (changed) => verifyFreezeProof(changed, jwks)],
      [killed, (changed) => verifyRevocation(changed, jwks)],
    ] satisfies [object, Verify][]) {
      const texts = [...changedTexts(JSON.stringify(object))];
      expect(texts.length).toBeGreaterThan(300);
      const results = await Promise.all(texts.map((text) => passes(verify(JSON.parse(text)))));
      expect(results).not.toContain(true);
      for (const name of Object.keys(object)) {
        const rest = Object.fromEntries(Object.entries(object).filter(([own]) => own !== name));
        expect(await passes(verify(rest)), name).toBe(false);
      }
      expect(await passes(verify({ ...object, note: "added" }))).toBe(false);
    }
  });
});

function passes(verified: Promise<void>): Promise<boolean> {
  return verified.then(
    () => true,
    () => false,
  );
}

/** Yields the JSON texts that differ from the text in one byte. */
function* changedTexts(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 1) {
    const next = String.fromCharCode(text.charCodeAt(at) + 1);
    const changed = text.slice(0, at) + next + text.slice(at + 1);
    if (isJson(changed)) yield changed;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
