import { randomBytes, randomUUID } from "node:crypto";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { totpCode } from "@purser/service/crypto/totp.ts";
import { KEYED_PROVIDERS } from "@purser/service/foundation/vocabulary.ts";
import { expect } from "vitest";
import { loginSecretsOf } from "../../service/src/modules/developers/identities/login-secrets.ts";
import { accountsOf, cookieOf } from "../../service/test/accounts.ts";
import { adminsOf } from "../../service/test/admins.ts";
import { devicesOf } from "../../service/test/devices.ts";
import type { Answer, useHarness } from "../../service/test/harness.ts";
import { servicesOf } from "../../service/test/services.ts";
import { providerLoginsOf } from "../../service/test/vendors/provider-logins.ts";

const KEYS = "/developers/me/keys";
const TOTP_STEP_SECONDS = 30;
const KEYS_OF_AN_ACCOUNT = 12;
const VARIABLES_OF_AN_ACCOUNT = 70;

type Harness = ReturnType<typeof useHarness>;

export interface Pair {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** All that was told in confidence, by what it is, and the addresses of those who told it. */
export interface KnownSecrets {
  readonly secrets: Map<string, string>;
  readonly addresses: string[];
  /** Pairs that work. */
  readonly pairs: Pair[];
}

/** Has people do everything with the service that begins, hands out or takes a secret, and writes down each. */
export async function assertNoSecrets(
  harness: Harness,
  accountCount: number,
): Promise<KnownSecrets> {
  const known: KnownSecrets = { secrets: new Map(), addresses: [], pairs: [] };
  const teller = tellerOf(harness, known);
  for (let number = 0; number < accountCount; number += 1) {
    await teller.tellAdmin(await teller.tellAll(number));
  }
  await harness.deliverMails();
  return known;
}

function tellerOf(harness: Harness, { secrets, addresses, pairs }: KnownSecrets) {
  const accounts = accountsOf(harness);
  const devices = devicesOf(harness, accounts);
  const admins = adminsOf(harness);
  const logins = providerLoginsOf(harness, accounts);
  const services = servicesOf(harness);

  function note(kind: string, secret: unknown): string {
    if (typeof secret !== "string" || secret === "") throw new Error(`There is no ${kind}.`);
    secrets.set(`${kind} ${secrets.size}`, secret);
    return secret;
  }

  const newPassword = () => note("password", randomBytes(18).toString("base64"));

  /** Both texts of a new pair, and the key that requests are signed under. */
  function notePair(answer: Answer): Pair {
    requireOk(answer);
    const { api_key: apiKey, api_secret: apiSecret } = answer.body;
    note("API key", apiKey);
    note("API secret", apiSecret);
    note("signing key", sha256Hex(apiSecret));
    return { apiKey, apiSecret };
  }

  /** Of an access token its signature: the rest of it says nothing that is secret. */
  function noteSession(answer: Answer) {
    requireOk(answer);
    const { access_token: token, refresh_token: refreshToken } = answer.body;
    note("access token", String(token).split(".")[2]);
    note("refresh token", refreshToken);
    const headers = { authorization: `Bearer ${token}` };
    const developerId = String(answer.body.developer.developer_id);
    return { developerId, refreshToken: String(refreshToken), as: { headers } };
  }

  async function mailed(email: string, form: RegExp): Promise<string> {
    await harness.deliverMails();
    const mails = harness.mails.filter(({ to }) => to === email);
    return note("mailed token", mails.flatMap(({ text }) => form.exec(text)?.[1] ?? []).at(-1));
  }

  async function signUp(email: string) {
    const password = newPassword();
    addresses.push(email);
    requireOk(await accounts.signUp(email, { password }));
    const token = await mailed(email, /verify-email\?token=([\w-]+)/);
    const followed = await accounts.call("GET", `/verify-email?token=${token}`);
    requireOk(followed);
    const headers = { cookie: cookieOf(followed, "svc_verification") };
    const first = noteSession(await accounts.logIn(email, password, { headers }));
    const body = { refresh_token: first.refreshToken };
    const session = noteSession(await accounts.call("POST", "/token/refresh", body));
    return { email, password, ...session };
  }

  type Account = Awaited<ReturnType<typeof signUp>>;

  async function setUpSecondFactor({ as, email, password }: Account): Promise<void> {
    const begun = await accounts.call("POST", "/dashboard/mfa/totp", {}, as);
    const secret = note("TOTP secret", begun.body.secret);
    const body = { code: totpCode(secret, harness.clock.now()) };
    const confirmed = await accounts.call("POST", "/dashboard/mfa/totp/confirm", body, as);
    requireOk(confirmed);
    for (const code of confirmed.body.recovery_codes) note("recovery code", code);
    harness.clock.advanceSeconds(TOTP_STEP_SECONDS);
    const { mfa_token: token } = (await accounts.logIn(email, password)).body;
    const [code] = confirmed.body.recovery_codes;
    const factor = { mfa_token: note("token of a login", token), code };
    noteSession(await accounts.call("POST", "/login/totp", factor));
    note("token of a login", (await accounts.logIn(email, password)).body.mfa_token);
  }

  /** Pairs of every way to get one: registered, replaced by its account, issued, rotated, collected by a device. */
  async function getPairs({ as }: Account) {
    const headers = () => ({ headers: { ...as.headers, "idempotency-key": randomUUID() } });
    notePair(await accounts.call("POST", "/register", {}, headers()));
    const pair = notePair(await accounts.call("POST", "/rotate-key", {}, headers()));
    const client = harness.clientOf(pair.apiKey, pair.apiSecret);
    pairs.push(pair);
    for (let number = 0; number < KEYS_OF_AN_ACCOUNT; number += 1) {
      const issued = await client.post(KEYS, { name: `key ${number}` }, headersOfOnce());
      pairs.push(notePair(issued));
      const path = `${KEYS}/${issued.body.key_id}/rotate`;
      pairs.push(notePair(await client.post(path, {}, headersOfOnce())));
    }
    const { deviceCode, userCode } = await devices.seed();
    note("device code", deviceCode);
    note("user code", userCode);
    requireOk(await devices.decide({ as }, { user_code: userCode }));
    pairs.push(notePair(await devices.poll(deviceCode)));
    const waiting = await devices.seed();
    note("device code", waiting.deviceCode);
    note("user code", waiting.userCode);
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
      for (const value of Object.values(credentials)) note(`key of ${provider}`, value);
    }
    const refused = { credentials: { api_key: `sandbox-refused-${randomUUID()}` } };
    note("refused key", refused.credentials.api_key);
    await client.put("/developers/provider-keys/helius", refused);
  }

  async function fillProject(client: Client): Promise<string> {
    const projectId = await services.newProject(client);
    note("token of a provider", (await services.linkNeon(client, projectId)).token);
    for (let number = 0; number < VARIABLES_OF_AN_ACCOUNT; number += 1) {
      const value = note("variable", randomBytes(24).toString("base64"));
      const path = `/projects/${projectId}/variables/SECRET_${number}`;
      requireOk(await client.put(path, { value, sensitive: true }));
    }
    return projectId;
  }

  async function addDatabase(client: Client, projectId: string): Promise<void> {
    const added = await services.add(client, projectId, {}, headersOfOnce());
    requireOk(added);
    note("password of a database", added.body.env.PGPASSWORD);
    const environment = await client.get(`/projects/${projectId}/env`);
    note("password of a database", new URL(environment.body.env.DATABASE_URL).password);
  }

  async function logInByProviders(number: number): Promise<void> {
    const begun = await logins.begin();
    const state = note("state of a login", begun.state);
    const browserSecret = note("browser's secret", begun.cookie.split("=")[1]);
    const { codeVerifier, nonce } = loginSecretsOf({ state, browserSecret });
    note("PKCE verifier", codeVerifier);
    note("nonce", nonce);
    const email = `grace-${number}-${randomUUID()}@example.org`;
    addresses.push(email);
    const code = note("code of a provider", await logins.codeOf(begun.url, { email }));
    const answer = await logins.finish(begun, code);
    noteSession(answer);
    note("access cookie", cookieOf(answer, "svc_access").split(".")[2]);
    const left = await logins.begin();
    note("state of a login", left.state);
    note("browser's secret", left.cookie.split("=")[1]);
    const other = `tom-${number}-${randomUUID()}@example.org`;
    addresses.push(other);
    const token = await logins.tokenFor(other, { claims: { name: "Tom" } });
    note("ID token", token.split(".")[2]);
    noteSession(await logins.sendToken(token));
  }

  async function resetPassword({ email }: Account): Promise<void> {
    await accounts.call("POST", "/password/forgot", { email });
    const token = await mailed(email, /login\/reset\?token=([\w-]+)/);
    const password = newPassword();
    requireOk(await accounts.call("POST", "/password/reset", { token, password }));
    await accounts.call("POST", "/password/forgot", { email });
    await mailed(email, /login\/reset\?token=([\w-]+)/);
  }

  /** Gives the id of the developer who did it. */
  async function tellAll(number: number): Promise<string> {
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

  /** An admin decides about the developer's business. */
  async function tellAdmin(developerId: string): Promise<void> {
    const admin = await admins.seedSession();
    addresses.push(admin.email);
    note("admin's password", admin.password);
    note("admin's TOTP secret", admin.totpSecret);
    note("admin's access token", admin.accessToken.split(".")[2]);
    note("token of an admin's login", await admins.beginLogin(admin));
    const decision = { developer_id: developerId, status: "verified", legal_name: "Ada GmbH" };
    const headers = { ...admin.as.headers, "idempotency-key": randomUUID() };
    requireOk(await admins.post("/developers/verify-kyb", decision, { headers }));
  }

  return { tellAll, tellAdmin };
}

function headersOfOnce() {
  return { headers: { "idempotency-key": randomUUID() } };
}

function requireOk({ status, text }: Answer): void {
  expect(status, text).toBeLessThan(400);
}
