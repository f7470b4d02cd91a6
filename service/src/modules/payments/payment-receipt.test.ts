import { createHash, generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { createStatementSigner } from "../../crypto/statement-signer.ts";
import { paymentReceipt } from "./payment-resource.ts";

const signer = createStatementSigner(
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
);

const settled = {
  payment_id: "pay_01",
  mode: "test",
  agent_id: "6f1c1c36-6a0b-4f0e-9f39-6d8f1a1f9f10",
  wallet_id: "wal_01",
  network: "base",
  token: "USDC",
  paid_amount: "5.00",
  to: { address: "0x52908400098527886E0F7030069857D2E4169EE7" },
  settled_at: "2026-11-23T10:00:00.000Z",
  onchain: null,
} as const;

it("a settled payment's receipt is the signed hash of what was paid, by whom, to whom and when", () => {
  const canonical = `{"agent_id":"${settled.agent_id}","mode":"test","network":"base","paid_amount":"5.00","payee_address":"${settled.to.address}","payment_id":"pay_01","settled_at":"2026-11-23T10:00:00.000Z","token":"USDC","wallet_id":"wal_01"}`;
  const hash = createHash("sha256").update(canonical).digest("hex");
  const receipt = paymentReceipt(signer, settled);

  expect(receipt).toEqual({
    payment_id: "pay_01",
    chain_id: null,
    hash,
    signature: signer.sign(`purser-payment-receipt-v1\n${hash}`),
    alg: "ed25519",
    kid: signer.keyId,
  });
});

it("the receipt of a live payment also covers its chain and its transaction, under a domain of its own", () => {
  const receipt = paymentReceipt(signer, { ...settled, mode: "live", onchain: { tx_hash: "0xab" } });

  const canonical = `{"agent_id":"${settled.agent_id}","chain_id":"eip155:8453","mode":"live","network":"base","paid_amount":"5.00","payee_address":"${settled.to.address}","payment_id":"pay_01","settled_at":"2026-11-23T10:00:00.000Z","token":"USDC","tx_hash":"0xab","wallet_id":"wal_01"}`;
  const hash = createHash("sha256").update(canonical).digest("hex");
  const signature = signer.sign(`purser-payment-receipt-v2\n${hash}`);
  expect(receipt).toMatchObject({ chain_id: "eip155:8453", hash, signature });
});

it("the receipt is the same each time that the payment is presented", () => {
  expect(paymentReceipt(signer, settled)).toEqual(paymentReceipt(signer, { ...settled }));
});

it("a payment that is not settled has no receipt", () => {
  expect(paymentReceipt(signer, { ...settled, settled_at: null })).toBeNull();
  expect(paymentReceipt(signer, { ...settled, paid_amount: null })).toBeNull();
});
