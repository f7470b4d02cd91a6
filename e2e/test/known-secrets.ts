import { randomBytes, randomUUID } from "node:crypto";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { totpCode } from "@purser/service/crypto/totp.ts";
import { KEYED_PROVIDERS } from "@purser/service/foundation/vocabulary.ts";
import { expect } from "vitest";
import { loginSecretsOf } from "../../service/src/modules/developers/identities/redirect-login.ts";
import { accountsOf, cookieOf } from "../../service/test/accounts.ts";
import { adminsOf } from "../../service/test/admins.ts";
import { devicesOf } from "../../service/test/devices.ts";
import type { ApiResponse, useHarness } from "../../service/test/harness.ts";
import { servicesOf } from "../../service/test/services.ts";
import { providerLoginsOf } from "../../service/test/vendors/provider-logins.ts";

const KEYS = "/developers/me/keys";
const TOTP_STEP_SECONDS = 30;
const KEYS_PER_ACCOUNT = 12;
const VARIABLES_PER_ACCOUNT = 70;

type Harness = ReturnType<typeof useHarness>;

export interface Pair {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** All secrets and email addresses that were sent or received. `secrets` maps a description to each secret. */
export interface KnownSecrets {
  readonly secrets: Map<string, string>;
  readonly addresses: string[];
  /** Valid key pairs. */
  readonly pairs: Pair[];
}

/** Uses every feature that creates, returns or receives a secret, and records the secrets. */
export async function createKnownSecrets(harness: Harness, accountCount: number): Promise<KnownSecrets> {
  const known: KnownSecrets = { secrets: new Map(), addresses: [], pairs: [] };
  const recorder = createRecorder(harness, known);
  for (let number = 0; number < accountCount; number += 1) {
    await recorder.runAsAdmin(await recorder.runAsDeveloper(number));
  }
  await harness.deliverMails();
  return known;
}

function createRecorder(harness: Harness, { secrets, addresses, pairs }: KnownSecrets) {
  const accounts = accountsOf(harness);
  const devices = devicesOf(harness, accounts);
  const admins = adminsOf(harness);
  const logins = providerLoginsOf(harness, accounts);
  const services = servicesOf(harness);

  function record(kind: string, secret: unknown): string {
    if (typeof secret !== "string" || secret === "") throw new Error(`The response contains no ${kind}.`);
    secrets.set(`${kind} ${secrets.size}`, secret);
    return secret;
  }

  const newPassword = () => record("password", randomBytes(18).toString("base64"));

  /** Records a new key pair and the signing key derived from it. */
  function recordPair(response: ApiResponse): Pair {
    requireOk(response);
    const { api_key: apiKey, api_secret: apiSecret } = response.body;
    record("API key", apiKey);
    record("API secret", apiSecret);
    record("signing key", sha256Hex(apiSecret));
    return { apiKey, apiSecret };
  }

  /** Records only the access token's signature, because the rest of the token is not secret. */
  function recordSession(response: ApiResponse) {
    requireOk(response);
    const { access_token: token, refresh_token: refreshToken } = response.body;
    record("access token", String(token).split(".")[2]);
    record("refresh token", refreshToken);
    const headers = { authorization: `Bearer ${token}` };
    const developerId = String(response.body.developer.developer_id);
    return { developerId, refreshToken: String(refreshToken), as: { headers } };
  }

  async function mailedToken(email: string, form: RegExp): Promise<string> {
    await harness.deliverMails();
    const mails = harness.mails.filter(({ to }) => to === email);
    return record("emailed token", mails.flatMap(({ text }) => form.exec(text)?.[1] ?? []).at(-1));
  }

  async function signUp(email: string) {
    const password = newPassword();
    addresses.push(email);
    requireOk(await accounts.signUp(email, { password }));
    const token = await mailedToken(email, /verify-email\?token=([\w-]+)/);
    const followed = await accounts.call("GET", `/verify-email?token=${token}`);
    requireOk(followed);
    const headers = { cookie: cookieOf(followed, "svc_verification") };
    const first = recordSession(await accounts.logIn(email, password, { headers }));
    const body = { refresh_token: first.refreshToken };
    const session = recordSession(await accounts.call("POST", "/token/refresh", body));
    return { email, password, ...session };
  }

  type Account = Awaited<ReturnType<typeof signUp>>;

  async function setUpSecondFactor({ as, email, password }: Account): Promise<void> {
    const started = await accounts.call("POST", "/dashboard/mfa/totp", {}, as);
    const secret = record("TOTP secret", started.body.secret);
    const body = { code: totpCode(secret, harness.clock.now()) };
    const confirmed = await accounts.call("POST", "/dashboard/mfa/totp/confirm", body, as);
    requireOk(confirmed);
    for (const code of confirmed.body.recovery_codes) record("recovery code", code);
    harness.clock.advanceSeconds(TOTP_STEP_SECONDS);
    const { mfa_token: token } = (await accounts.logIn(email, password)).body;
    const [code] = confirmed.body.recovery_codes;
    const factor = { mfa_token: record("login token", token), code };
    recordSession(await accounts.call("POST", "/login/totp", factor));
    record("login token", (await accounts.logIn(email, password)).body.mfa_token);
  }

  /**
   * Creates key pairs in every possible way: registration, account key rotation, key creation, key rotation and device
   * login.
   */
  async function getPairs({ as }: Account) {
    const headers = () => ({ headers: { ...as.headers, "idempotency-key": randomUUID() } });
    recordPair(await accounts.call("POST", "/register", {}, headers()));
    const pair = recordPair(await accounts.call("POST", "/rotate-key", {}, headers()));
    const client = harness.clientOf(pair.apiKey, pair.apiSecret);
    pairs.push(pair);
    for (let number = 0; number < KEYS_PER_ACCOUNT; number += 1) {
      const issued = await client.post(KEYS, { name: `key ${number}` }, newIdempotencyKey());
      pairs.push(recordPair(issued));
      const path = `${KEYS}/${issued.body.key_id}/rotate`;
      pairs.push(recordPair(await client.post(path, {}, newIdempotencyKey())));
    }
    const { deviceCode, userCode } = await devices.seed();
    record("device code", deviceCode);
    record("user code", userCode);
    requireOk(await devices.decide({ as }, { user_code: userCode }));
    pairs.push(recordPair(await devices.poll(deviceCode)));
    const waiting = await devices.seed();
    record("device code", waiting.deviceCode);
    record("user code", waiting.userCode);
    requireOk(await devices.decide({ as }, { user_code: waiting.userCode }));
    return client;
  }

  type Client = Awaited<ReturnType<typeof getPairs>>;

  async function saveProviderKeys(client: Client): Promise<void> {
    for (const provider of KEYED_PROVIDERS) {
      const credentials = { ...harness.sandbox[provider].credentials };
      if ("api_key" in credentials && /^sandbox-/.test(credentials["api_key"] ?? "")) {
        credentials["api_key"] = `sandbox-${randomUUID()}`;
      }
      const path = `/developers/provider-keys/${provider}`;
      requireOk(await client.put(path, { credentials }));
      for (const value of Object.values(credentials)) record(`${provider} key`, value);
    }
    const refused = { credentials: { api_key: `sandbox-refused-${randomUUID()}` } };
    record("rejected key", refused.credentials.api_key);
    await client.put("/developers/provider-keys/helius", refused);
  }

  async function fillProject(client: Client): Promise<string> {
    const projectId = await services.newProject(client);
    record("provider token", (await services.linkNeon(client, projectId)).token);
    for (let number = 0; number < VARIABLES_PER_ACCOUNT; number += 1) {
      const value = record("variable", randomBytes(24).toString("base64"));
      const path = `/projects/${projectId}/variables/SECRET_${number}`;
      requireOk(await client.put(path, { value, sensitive: true }));
    }
    return projectId;
  }

  async function addDatabase(client: Client, projectId: string): Promise<void> {
    const added = await services.add(client, projectId, {}, newIdempotencyKey());
    requireOk(added);
    record("database password", added.body.env.PGPASSWORD);
    const environment = await client.get(`/projects/${projectId}/env`);
    record("database password", new URL(environment.body.env.DATABASE_URL).password);
  }

  async function logInByProviders(number: number): Promise<void> {
    const started = await logins.begin();
    const state = record("login state", started.state);
    const browserSecret = record("browser's secret", started.cookie.split("=")[1]);
    const { codeVerifier, nonce } = loginSecretsOf({ state, browserSecret });
    record("PKCE verifier", codeVerifier);
    record("nonce", nonce);
    const email = `grace-${number}-${randomUUID()}@example.org`;
    addresses.push(email);
    const code = record("provider code", await logins.codeOf(started.url, { email }));
    const response = await logins.finish(started, code);
    recordSession(response);
    record("access cookie", cookieOf(response, "svc_access").split(".")[2]);
    const unfinished = await logins.begin();
    record("login state", unfinished.state);
    record("browser's secret", unfinished.cookie.split("=")[1]);
    const other = `tom-${number}-${randomUUID()}@example.org`;
    addresses.push(other);
    const token = await logins.tokenFor(other, { claims: { name: "Tom" } });
    record("ID token", token.split(".")[2]);
    recordSession(await logins.sendToken(token));
  }

  async function resetPassword({ email }: Account): Promise<void> {
    await accounts.call("POST", "/password/forgot", { email });
    const token = await mailedToken(email, /login\/reset\?token=([\w-]+)/);
    const password = newPassword();
    requireOk(await accounts.call("POST", "/password/reset", { token, password }));
    await accounts.call("POST", "/password/forgot", { email });
    await mailedToken(email, /login\/reset\?token=([\w-]+)/);
  }

  /** Uses all features as a new developer and returns the developer's ID. */
  async function runAsDeveloper(number: number): Promise<string> {
    const account = await signUp(`ada-${number}-${randomUUID()}@example.org`);
    const billing = `bills-${number}-${randomUUID()}@example.org`;
    addresses.push(billing);
    const profile = { billing_email: billing };
    requireOk(await accounts.call("PUT", "/dashboard/me", profile, account.as));
    const client = await getPairs(account);
    await saveProviderKeys(client);
    const projectId = await fillProject(client);
    if (number === 0) await addDatabase(client, projectId);
    await logInByProviders(number);
    await setUpSecondFactor(account);
    await resetPassword(account);
    return account.developerId;
  }

  /** Logs in as an admin and verifies the developer's company. */
  async function runAsAdmin(developerId: string): Promise<void> {
    const admin = await admins.seedSession();
    addresses.push(admin.email);
    record("admin's password", admin.password);
    record("admin's TOTP secret", admin.totpSecret);
    record("admin's access token", admin.accessToken.split(".")[2]);
    record("admin login token", await admins.beginLogin(admin));
    const decision = { developer_id: developerId, status: "verified", legal_name: "Ada GmbH" };
    const headers = { ...admin.as.headers, "idempotency-key": randomUUID() };
    requireOk(await admins.post("/developers/verify-kyb", decision, { headers }));
  }

  return { runAsDeveloper, runAsAdmin };
}

function newIdempotencyKey() {
  return { headers: { "idempotency-key": randomUUID() } };
}

function requireOk({ status, text }: ApiResponse): void {
  expect(status, text).toBeLessThan(400);
}
