import type { Profile } from "../profile.ts";
import { acmeDb } from "./acme-db.ts";
import { bridge } from "./bridge.ts";
import { fireblocks } from "./fireblocks.ts";
import { github } from "./github.ts";
import { google } from "./google.ts";
import { helius } from "./helius.ts";
import { neon } from "./neon.ts";
import { pimlico } from "./pimlico.ts";
import { stripe } from "./stripe.ts";
import { supabase } from "./supabase.ts";
import { turnkey } from "./turnkey.ts";
import { turnstile } from "./turnstile.ts";
import type { Vendor, VendorKind } from "./vendor.ts";

/** All vendors. Configuration problems are listed in this order. */
const VENDORS = [
  neon,
  supabase,
  stripe,
  github,
  google,
  turnstile,
  pimlico,
  turnkey,
  fireblocks,
  bridge,
  helius,
  acmeDb,
] as const;

/** `VENDORS` with a general type, for code that handles every vendor in the same way. */
export const vendors: readonly Vendor[] = VENDORS;

type Facts = (typeof VENDORS)[number];
type FactsWith<Field extends keyof Vendor> = Extract<Facts, Readonly<Record<Field, unknown>>>;
type KeyOfEach<Value> = Value extends unknown ? keyof Value : never;

export type VendorName = Facts["name"];
export type VendorNameOf<Kind extends VendorKind> = Extract<Facts, { readonly kind: Kind }>["name"];

/** Names of the environment variables for vendor URLs. */
export type VendorUrlName = KeyOfEach<Facts["urls"]>;
export type SecretKeyName = KeyOfEach<FactsWith<"secretKeys">["secretKeys"]>;
export type WebhookSecretName = KeyOfEach<FactsWith<"webhookSecrets">["webhookSecrets"]>;
export type PollName = KeyOfEach<FactsWith<"pollMs">["pollMs"]>;
export type SandboxTokenName = FactsWith<"sandboxToken">["sandboxToken"];
/** Prefixes of the variables for OAuth apps: `GITHUB` for `GITHUB_CLIENT_ID`. */
export type AppPrefix = FactsWith<"app">["app"];

/** Returns the names of the vendors of a kind, in the order of `VENDORS`. */
export function vendorNamesOf<Kind extends VendorKind>(kind: Kind): readonly VendorNameOf<Kind>[] {
  const names = VENDORS.filter((vendor) => vendor.kind === kind).map(({ name }) => name);
  return names as VendorNameOf<Kind>[];
}

export function displayNameOf(vendorName: VendorName): string {
  return vendors.find(({ name }) => name === vendorName)?.displayName ?? vendorName;
}

/** Returns true if the vendor is available in the profile. */
export function hasVendor(profile: Profile, name: string): boolean {
  return vendors.some((vendor) => vendor.name === name && vendor.profiles.includes(profile));
}
