import { hashSync, verifySync } from "@node-rs/argon2";
import type { PasswordHasher } from "../src/crypto/passwords.ts";

/** Hashes with Argon2id as the service does, but at a small cost: tests hash many passwords. */
export const fastPasswords: PasswordHasher = {
  hash: async (password) => hashSync(password.normalize("NFC"), { memoryCost: 8, timeCost: 1 }),
  verify: async (stored, password) => verifySync(stored, password.normalize("NFC")),
  verifyDecoy: async () => false,
};
