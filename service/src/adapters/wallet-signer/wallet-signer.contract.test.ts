import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";
import { describe, expect, it } from "vitest";
import { createLocalWalletSigner } from "./local-wallet-signer.ts";

/** All `WalletSigner` adapters. */
const ADAPTERS = [{ name: "local", create: () => createLocalWalletSigner() }] as const;

const DIGEST = `0x${"5a".repeat(32)}` as const;

describe.each(ADAPTERS)("wallet signer $name", ({ create }) => {
  it("makes a different key each time, and names its address with a checksum", async () => {
    const signer = create();

    const [first, second] = [await signer.createKey(), await signer.createKey()];

    expect(first.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(first.address).not.toBe(first.address.toLowerCase());
    expect(second.address).not.toBe(first.address);
  });

  it("signs a digest with 65 bytes from which the key's address is recovered", async () => {
    const signer = create();
    const key = await signer.createKey();

    const signature = await signer.signDigest(key, DIGEST);

    expect(signature).toMatch(/^0x[0-9a-f]{128}(1b|1c)$/);
    const recovered = Secp256k1.recoverAddress({
      payload: DIGEST,
      signature: Signature.fromHex(signature),
    });
    expect(recovered.toLowerCase()).toBe(key.address.toLowerCase());
  });
});
