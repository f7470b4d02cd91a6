import { AppError } from "../foundation/errors.ts";

/** Waits for a call that uses the key encryption key, such as a KMS call. Throws `service_unavailable` if it fails. */
export function callKeyEncryptionKey<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((cause: unknown) => {
    const internal = "the key encryption key is unavailable, or cannot decrypt a data key";
    throw new AppError("service_unavailable", { internal, cause });
  });
}
