import { describe, expect, it } from "vitest";
import { SignatureVerificationError, verifyPaymentReceipt } from "../src/index.ts";
import { newSigner, sha256 } from "./audit-chain.ts";

const signer = newSigner();
const jwks = { keys: [signer.jwk] };

const facts = {
  payment_id: "pay_01k",
  mode: "test",
  agent_id: "6f1c1c36-6a0b-4f0e-9f39-6d8f1a1f9f10",
  wallet_id: "wal_01k",
  network: "base",
  token: "USDC",
  paid_amount: "5.00",
  to: { type: "address", address: "0x52908400098527886E0F7030069857D2E4169EE7" },
  settled_at: "2026-11-23T10:00:00.000Z",
};

const canonical = `{"agent_id":"${facts.agent_id}","mode":"test","network":"base","paid_amount":"5.00","payee_address":"${facts.to.address}","payment_id":"pay_01k","settled_at":"2026-11-23T10:00:00.000Z","token":"USDC","wallet_id":"wal_01k"}`;

const receiptSignedBy = (by: ReturnType<typeof newSigner>, domain = "purser-payment-receipt-v1") => ({
  payment_id: facts.payment_id,
  hash: sha256(canonical),
  signature: by.sign(`${domain}\n${sha256(canonical)}`),
  alg: "ed25519",
  kid: by.keyId,
});

const receipt = receiptSignedBy(signer);
const payment = { ...facts, receipt };

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

describe("verifyPaymentReceipt", () => {
  it("passes: the payment is as the server signed it, with other fields beside", async () => {
    await expect(verifyPaymentReceipt(payment, jwks)).resolves.toBeUndefined();
    const shown = { ...payment, status: "partially_refunded", refunded_amount: "1.00" };
    await expect(verifyPaymentReceipt(shown, jwks)).resolves.toBeUndefined();
  });

  it("passes: the keys' own `kid` says something else", async () => {
    const keys = [{ ...signer.jwk, kid: "other" }];
    await expect(verifyPaymentReceipt(payment, { keys })).resolves.toBeUndefined();
  });

  it.each([
    ["payment_id", { payment_id: "pay_01m" }],
    ["mode", { mode: "live" }],
    ["agent_id", { agent_id: "6f1c1c36-6a0b-4f0e-9f39-6d8f1a1f9f11" }],
    ["wallet_id", { wallet_id: "wal_01m" }],
    ["network", { network: "polygon" }],
    ["token", { token: "USDT" }],
    ["paid_amount", { paid_amount: "5.0" }],
    ["paid_amount, missing", { paid_amount: null }],
    ["payee's address", { to: { address: facts.to.address.toLowerCase() } }],
    ["settled_at", { settled_at: "2026-11-23T10:00:00.001Z" }],
    ["settled_at, missing", { settled_at: null }],
  ])("fails: the payment's %s was changed", async (_, changed) => {
    await expect(verifyPaymentReceipt({ ...payment, ...changed }, jwks)).rejects.toThrow(SignatureVerificationError);
  });

  it.each([
    ["payment_id", { payment_id: "pay_01m" }],
    ["hash", { hash: sha256("other") }],
    ["hash, in capitals", { hash: receipt.hash.toUpperCase() }],
    ["alg", { alg: "none" }],
    ["kid", { kid: newSigner().keyId }],
    ["signature, missing", { signature: "" }],
    ["signature, padded", { signature: `${receipt.signature}==` }],
    ["signature, with a foreign character", { signature: `${receipt.signature}\n` }],
  ])("fails: the receipt's %s was changed", async (_, changed) => {
    const other = { ...payment, receipt: { ...receipt, ...changed } };
    await expect(verifyPaymentReceipt(other, jwks)).rejects.toThrow(SignatureVerificationError);
  });

  it("fails: any character of the signature was changed to any other", async () => {
    const changes = [...receipt.signature].flatMap((own, at) =>
      [...ALPHABET]
        .filter((other) => other !== own)
        .map((other) => receipt.signature.slice(0, at) + other + receipt.signature.slice(at + 1)),
    );

    const results = await Promise.all(changes.map((signature) => passes({ ...receipt, signature })));

    expect(changes).toHaveLength(86 * 63);
    expect(results).not.toContain(true);
  });

  it("fails: another key signed, and the receipt names the trusted one", async () => {
    expect(await passes({ ...receiptSignedBy(newSigner()), kid: signer.keyId })).toBe(false);
  });

  it("fails: the key is not among the trusted ones", async () => {
    expect(await passes(receiptSignedBy(newSigner()))).toBe(false);
  });

  it("fails: the signature is of a statement of another kind", async () => {
    expect(await passes(receiptSignedBy(signer, "purser-kill-switch-v1"))).toBe(false);
    expect(await passes({ ...receipt, signature: signer.sign(receipt.hash) })).toBe(false);
  });

  it("fails: the payment is not settled", async () => {
    await expect(verifyPaymentReceipt({ ...payment, receipt: null }, jwks)).rejects.toThrow(
      "The payment has no receipt.",
    );
  });

  it("fails: a field is missing", async () => {
    const { token: _, ...rest } = payment;
    await expect(verifyPaymentReceipt(JSON.parse(JSON.stringify(rest)), jwks)).rejects.toThrow(
      "The payment receipt has no canonical form.",
    );
  });
});

describe("verifyPaymentReceipt of a live payment", () => {
  const chain = { chain_id: "eip155:8453", tx_hash: `0x${"ab".repeat(32)}` };
  const live = canonical
    .replace('"mode":"test"', `"chain_id":"${chain.chain_id}","mode":"live"`)
    .replace('"wallet_id"', `"tx_hash":"${chain.tx_hash}","wallet_id"`);
  const signature = signer.sign(`purser-payment-receipt-v2\n${sha256(live)}`);
  const sent = {
    ...{ ...facts, mode: "live", onchain: { tx_hash: chain.tx_hash } },
    receipt: { ...receipt, chain_id: chain.chain_id, hash: sha256(live), signature },
  };

  it("passes: the payment and its transaction are as the server signed them", async () => {
    await expect(verifyPaymentReceipt(sent, jwks)).resolves.toBeUndefined();
  });

  it.each([
    ["mode", { mode: "test" }],
    ["transaction", { onchain: { tx_hash: `0x${"ac".repeat(32)}` } }],
    ["transaction, missing", { onchain: null }],
    ["chain", { receipt: { ...sent.receipt, chain_id: "eip155:1" } }],
    ["chain, missing", { receipt: { ...receipt, hash: sha256(live), signature } }],
  ])("fails: the payment's %s was changed", async (_, changed) => {
    await expect(verifyPaymentReceipt({ ...sent, ...changed }, jwks)).rejects.toThrow(SignatureVerificationError);
  });
});

async function passes(given: typeof receipt): Promise<boolean> {
  try {
    await verifyPaymentReceipt({ ...payment, receipt: given }, jwks);
    return true;
  } catch {
    return false;
  }
}
