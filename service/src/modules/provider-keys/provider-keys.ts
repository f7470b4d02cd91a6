import type { App } from "../../app.ts";
import { GENESIS_HASH } from "../../audit/chains/chain.ts";
import { auditHeadRows } from "../../audit/chains/queries.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError, type InvalidField } from "../../foundation/errors.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { normalizeCredential, normalizePem } from "../../foundation/text.ts";
import { displayNameOf } from "../../foundation/vendors.ts";
import { KEYED_PROVIDERS, type KeyedProvider, type Mode } from "../../foundation/vocabulary.ts";
import type { ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { openVault } from "../../vault/vault.ts";
import {
  listProviderKeyRows,
  listSecrets,
  type ProviderKeyOwner,
  type ProviderKeys,
  touchProviderKeys,
} from "./queries.ts";
import { providerSecretContext } from "./sealed-columns.ts";

/** The kinds of providers (docs/rules/provider-keys.md). API paths accept a kind in place of a provider name. */
export const PROVIDER_KINDS = ["bundler", "key_management", "custody", "stablecoin_payments", "solana_access"] as const;
type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** The fields of a provider's keys, in display order (docs/rules/provider-keys.md). */
interface KeyFields {
  readonly kind: ProviderKind;
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** The name of the optional field that contains a URL to call instead of the vendor's default URL. */
  readonly address?: string;
}

const SHAPES: Readonly<Record<KeyedProvider, KeyFields>> = {
  pimlico: {
    kind: "bundler",
    required: ["api_key"],
    optional: ["sponsorship_policy_id", "chains"],
  },
  turnkey: {
    kind: "key_management",
    required: ["organization_id", "api_public_key", "api_private_key"],
    optional: ["base_url"],
    address: "base_url",
  },
  fireblocks: {
    kind: "custody",
    required: ["api_key", "api_secret_pem"],
    optional: ["vault_account_id", "base_url"],
    address: "base_url",
  },
  bridge: {
    kind: "stablecoin_payments",
    required: ["api_key"],
    optional: ["webhook_public_key", "environment"],
  },
  helius: {
    kind: "solana_access",
    required: ["api_key"],
    optional: ["rpc_url"],
    address: "rpc_url",
  },
};

export function keyFieldsOf(provider: KeyedProvider): KeyFields {
  return SHAPES[provider];
}

export function getKeyedProvider(name: KeyedProvider | ProviderKind): KeyedProvider {
  const provider = KEYED_PROVIDERS.find((one) => one === name || SHAPES[one].kind === name);
  invariant(provider !== undefined, "each kind has a provider");
  return provider;
}

/** Minimum time between two updates of `lastUsedAt`. */
const USE_RECORDED_EVERY_MS = 60_000;

/** The only field whose value is a list. */
const LIST_FIELD = "chains";

/**
 * Decrypts the tenant's keys for a provider, for use in a single vendor call, and records the use. Returns undefined if
 * no keys are configured. Callers must not store the keys.
 */
export async function openProviderCredentials(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  owner: ProviderKeyOwner,
): Promise<ProviderCredentials | undefined> {
  const vault = await openVault(app, owner.tenantId);
  const at = app.clock.now();
  const secrets = await withTransaction(app.db, owner.tenantId, async (tx) => {
    await touchProviderKeys(tx, owner, {
      at,
      recordedBefore: new Date(at.getTime() - USE_RECORDED_EVERY_MS),
    });
    return listSecrets(tx, owner);
  });
  if (secrets.length === 0) return undefined;
  const entries = secrets.map(({ field, version, sealed }) => {
    const context = providerSecretContext({ ...owner, field, version });
    const text = vault.open(context, sealed).toString("utf8");
    return [field, field === LIST_FIELD ? JSON.parse(text) : text] as const;
  });
  return Object.fromEntries(entries);
}

/** The error if neither the developer nor the operator has keys for a provider, or if the provider refuses the developer's. */
export function providerNotConfigured(
  provider: KeyedProvider,
  mode: Mode,
  refused?: { readonly internal: string; readonly cause: unknown; readonly detail: string },
): AppError {
  const name = displayNameOf(provider);
  return new AppError("provider_not_configured", {
    internal: `${name} has no keys in ${mode} mode`,
    detail: `There are no keys for ${name} in ${mode} mode. Save your own with PUT /developers/provider-keys/${provider}, or ask the operator of this server to configure ${name}.`,
    nextAction: {
      ...{ type: "save_provider_keys", actor: "human" },
      url: `/api/v1/svc/developers/provider-keys/${provider}`,
    },
    ...refused,
  });
}

export interface ProviderKeyStatus {
  readonly provider: KeyedProvider;
  /** Null if no keys are configured for the provider. */
  readonly keys: ProviderKeys | null;
}

/**
 * Returns all providers with the metadata of their keys, and the latest hash of the tenant's audit chain for provider
 * keys.
 */
export async function listProviderKeys(
  app: Pick<App, "db">,
  scope: { readonly tenantId: TenantId; readonly mode: Mode },
): Promise<{ readonly statuses: readonly ProviderKeyStatus[]; readonly auditHead: string }> {
  const rows = await listProviderKeyRows(app.db, scope);
  const head = await auditHeadRows.find(app.db, { tenantId: scope.tenantId, chain: "provider_keys" });
  const statuses = KEYED_PROVIDERS.map((provider) => ({
    provider,
    keys: rows.find((row) => row.provider === provider && row.configured) ?? null,
  }));
  return { statuses, auditHead: head?.hash ?? GENESIS_HASH };
}

const VALUE_BYTES_MAX = 8 * 1024;

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
