import { AppError, type InvalidField } from "../../foundation/errors.ts";
import { normalizeCredential, normalizePem } from "../../foundation/text/pasted-text.ts";
import type { KeyedProvider } from "../../foundation/vocabulary.ts";
import type { ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { keyFieldsOf } from "./provider-kinds.ts";

const VALUE_BYTES_MAX = 8 * 1024;

/** Returns the text to encrypt. A list is converted to JSON. */
export function credentialText(value: string | readonly string[]): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const PEM_FIELDS: readonly string[] = ["api_secret_pem", "webhook_public_key"];
const OTHER_FIELDS: readonly string[] = ["base_url", "rpc_url", "environment"];

/** Removes from pasted credentials what is not part of them, such as quotes and a final line break. */
export function normalizeCredentials(credentials: ProviderCredentials): ProviderCredentials {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => {
      if (typeof value !== "string" || OTHER_FIELDS.includes(name)) return [name, value];
      const isPem = PEM_FIELDS.includes(name);
      return [name, isPem ? normalizePem(value) : normalizeCredential(value)];
    }),
  );
}

/**
 * Throws `validation_error` with a list of all invalid fields: missing or unknown fields, values that are too long, and
 * URLs that do not belong to the vendor. A call to such a URL would leak the keys. Error details never contain values.
 */
export function checkCredentials(
  provider: KeyedProvider,
  credentials: ProviderCredentials,
  verifier: ProviderKeyVerifier | undefined,
): void {
  const { required, optional, address } = keyFieldsOf(provider);
  const known = [...required, ...optional];
  const errors = [
    ...required
      .filter((name) => !Object.hasOwn(credentials, name))
      .map((name) => invalidCredential(name, "required", `is required for ${provider}`)),
    ...Object.entries(credentials).flatMap(([name, value]) => {
      if (!known.includes(name)) {
        return [invalidCredential(name, "additionalProperties", `is not a field of ${provider} keys`)];
      }
      if (Buffer.byteLength(credentialText(value)) > VALUE_BYTES_MAX) {
        return [invalidCredential(name, "maxLength", "must be at most 8 KiB in UTF-8")];
      }
      const isForeign = name === address && verifier?.isVendorUrl(String(value)) !== true;
      return isForeign ? [invalidCredential(name, "not_allowed", `must be a URL of ${provider}`)] : [];
    }),
  ];
  if (errors.length > 0) throw new AppError("validation_error", { errors });
}

function invalidCredential(name: string, code: string, detail: string): InvalidField {
  return { pointer: `/body/credentials/${name}`, code, detail };
}
