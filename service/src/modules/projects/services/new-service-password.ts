import { randomBytes } from "node:crypto";
import type { TenantVault } from "../../../vault/open-vault.ts";
import { passwordContext } from "./secret-context.ts";

/**
 * Generates and encrypts a password for a version of the service's credentials. It is stored before the provider is
 * called, so every attempt sends the same password.
 */
export function newServicePassword(vault: TenantVault, serviceId: string, version: number): Buffer {
  return vault.seal(passwordContext(serviceId, version), randomBytes(24).toString("base64url"));
}
