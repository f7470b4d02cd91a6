import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { Text } from "../../foundation/wire/fields.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { openVault } from "../../vault/vault.ts";
import { DeveloperResource, presentDeveloper } from "./developer-resource.ts";
import { recordAccountChange } from "./developers.ts";
import { ApiKeyResource, pairFields, presentApiKey, presentPair } from "./keys/api-key-resource.ts";
import { type IssuedApiKey, issueApiKey, recordKeyChange } from "./keys/api-keys.ts";
import { type DeveloperProfile, developerRows, getDeveloperProfile } from "./queries.ts";
import { requireLiveSession } from "./sessions/live-session.ts";

/**
 * The 249 codes of ISO 3166-1 alpha-2. `Intl` has no such list: its region names include groups of countries and former
 * countries.
 */
const CODES = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ
  BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM
  DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS
  GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN
  KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ
  MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
  PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV
  SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI
  VN VU WF WS YE YT ZA ZM ZW`;

const countries: ReadonlySet<string> = new Set(CODES.trim().split(/\s+/));

/** Returns true for a current ISO 3166-1 alpha-2 code in uppercase. */
export function isCountry(code: string): boolean {
  return countries.has(code);
}

/** A registered developer with the account's first key pair. */
export const RegisteredDeveloperResource = Type.Object(
  {
    developer: DeveloperResource,
    key: ApiKeyResource,
    ...pairFields,
    warning: Text("A reminder to store the key pair, because it is shown only once."),
  },
  {
    $id: "RegisteredDeveloper",
    description: "A registered developer and the account's first key pair. The key pair is shown only once.",
  },
);

export function presentRegisteredDeveloper(
  app: Pick<App, "clock" | "settings">,
  { developer, key, ...pair }: RegisteredDeveloper,
): Static<typeof RegisteredDeveloperResource> {
  return {
    developer: presentDeveloper(app, developer),
    key: presentApiKey(key, app.clock.now()),
    ...presentPair(pair),
    warning: "shown once",
  };
}

interface RegisterDeveloper {
  readonly actor: Actor;
  /** The company name stays unchanged if this is undefined. */
  readonly companyName: string | undefined;
  readonly keyName: string;
  readonly mode: Mode;
  /**
   * An Ed25519 public key. The caller must have checked proof of possession. If undefined, the key pair has a secret.
   */
  readonly publicKey: string | undefined;
}

export interface RegisteredDeveloper extends IssuedApiKey {
  readonly developer: DeveloperProfile;
}

/**
 * Registers a developer for the API and issues the account's first key pair (docs/rules/api-keys.md). Requires a
 * verified email address, which the caller must have checked.
 */
export async function registerDeveloper(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  { actor, companyName, keyName, mode, publicKey }: RegisterDeveloper,
  saveResponse: SaveResponse<RegisteredDeveloper>,
): Promise<RegisteredDeveloper> {
  const { tenantId } = actor;
  const at = app.clock.now();
  const vault = await openVault(app, tenantId);
  return withTransaction(app.db, tenantId, async (tx) => {
    const { registeredAt } = await developerRows.lockAndGet(tx, { tenantId });
    await requireLiveSession(tx, actor, at);
    if (registeredAt !== null) {
      throw new AppError("already_exists", {
        detail:
          "This account is already registered. To get a key pair of the other mode, or another one, call POST /api/v1/svc/developers/me/keys with mode test or live. To replace the account's own pair, call POST /api/v1/svc/developers/rotate-key.",
      });
    }
    await developerRows.updateAndGet(
      tx,
      { tenantId },
      {
        registeredAt: at,
        updatedAt: at,
        ...(companyName === undefined ? {} : { companyName }),
      },
    );
    const issued = await issueApiKey(tx, vault, {
      tenantId,
      mode,
      name: keyName,
      createdAt: at,
      isAccountPair: true,
      ...(publicKey === undefined ? {} : { publicKey }),
    });
    await recordAccountChange(tx, { ...actor, mode }, { action: "developer.registered", at });
    await recordKeyChange(tx, actor, {
      action: "api_key.created",
      key: issued.key,
      occurredAt: at,
    });
    const developer = await getDeveloperProfile(tx, tenantId);
    const registered = { ...issued, developer };
    await saveResponse(tx, registered);
    return registered;
  });
}
