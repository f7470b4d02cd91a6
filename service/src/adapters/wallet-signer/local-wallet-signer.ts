import * as Address from "ox/Address";
import * as Hex from "ox/Hex";
import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";
import type { KeyMaker } from "../../ports/wallet-signer.ts";

/** A signer whose secrets are the private keys themselves. */
export function createLocalWalletSigner(): KeyMaker {
  return {
    createKey: async () => {
      const secret = Secp256k1.randomPrivateKey({ as: "Bytes" });
      const publicKey = Secp256k1.getPublicKey({ privateKey: secret });
      const address = Address.fromPublicKey(publicKey, { checksum: true });
      return { address, secret };
    },
    signDigest: async ({ secret }, digest) =>
      Signature.toHex(Secp256k1.sign({ payload: digest, privateKey: Hex.fromBytes(secret) })),
    discardKey: async () => {},
  };
}
