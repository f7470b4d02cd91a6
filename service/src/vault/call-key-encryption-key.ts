import { AppError } from "../foundation/errors.ts";

/** What the key encryption key answers, or `service_unavailable`: without it there is nothing to fall back to. */
export function callKeyEncryptionKey<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return asked.catch((cause: unknown) => {
    const internal = "the key encryption key does not answer, or refuses a data key";
    throw new AppError("service_unavailable", { internal, cause });
  });
}
