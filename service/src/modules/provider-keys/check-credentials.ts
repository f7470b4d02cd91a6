import { AppError, type InvalidField } from "../../foundation/errors.ts";
import type { KeyedProvider } from "../../foundation/vocabulary.ts";
import type {
  ProviderCredentials,
  ProviderKeyVerifier,
} from "../../ports/provider-key-verifier.ts";
import { keyShapeOf } from "./provider-kinds.ts";

const VALUE_BYTES_MAX = 8 * 1024;

/** A value as it is sealed: a list as its JSON. */
export function credentialText(value: string | readonly string[]): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Refuses, all at once, fields that the provider's keys do not have or lack, values that are too long, and an address that is
 * not the vendor's own: a call to it would carry the keys there. Whether the keys work is not looked at. No error repeats a
 * value.
 */
export function checkCredentials(
  provider: KeyedProvider,
  credentials: ProviderCredentials,
  verifier: ProviderKeyVerifier | undefined,
): void {
  const { required, optional, address } = keyShapeOf(provider);
  const known = [...required, ...optional];
  const errors = [
    ...required
      .filter((name) => !Object.hasOwn(credentials, name))
      .map((name) => fault(name, "required", `must be given for ${provider}`)),
    ...Object.entries(credentials).flatMap(([name, value]) => {
      if (!known.includes(name)) {
        return [fault(name, "additionalProperties", `is not a field of ${provider}'s keys`)];
      }
      if (Buffer.byteLength(credentialText(value)) > VALUE_BYTES_MAX) {
        return [fault(name, "maxLength", "must not take more than 8 KiB in UTF-8")];
      }
      const isForeign = name === address && verifier?.isOwnAddress(String(value)) !== true;
      return isForeign ? [fault(name, "not_allowed", `must be an address of ${provider}'s`)] : [];
    }),
  ];
  if (errors.length > 0) throw new AppError("validation_error", { errors });
}

function fault(name: string, code: string, detail: string): InvalidField {
  return { pointer: `/body/credentials/${name}`, code, detail };
}
