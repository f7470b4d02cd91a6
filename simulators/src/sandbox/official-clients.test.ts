import { createRequire } from "node:module";
import { type BasePath, Fireblocks } from "@fireblocks/ts-sdk";
import { createApiClient } from "@neondatabase/api-client";
import { exchangeWebFlowCode, getWebFlowAuthorizationUrl } from "@octokit/oauth-methods";
import { request as octokitRequest } from "@octokit/request";
import { FireblocksSDK } from "fireblocks-sdk";
import * as oidc from "openid-client";
import Stripe from "stripe";
import { SupabaseManagementAPI } from "supabase-management-js";
import { recoverAddress, serializeSignature } from "viem";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase } from "../../../service/test/database.ts";
import { codeFrom, completeConsentPage } from "../../test/complete-consent-page.ts";
import { type Sandbox, startSandbox } from "./start-sandbox.ts";

// Importing these two packages would add DOM types to the whole project, and those conflict with Node's types.
// `require` loads the packages without their types.
const require = createRequire(import.meta.url);
const { ApiKeyStamper } = require("@turnkey/api-key-stamper");
const { TurnkeyClient } = require("@turnkey/http");

const REDIRECT_URI = "http://127.0.0.1:1/callback";

/** Calls the simulators with the vendors' official SDKs. */
describe("official SDKs", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let sandbox: Sandbox;
  beforeAll(async () => {
    database = await createTestDatabase();
    sandbox = await startSandbox({
      databaseUrl: database.url,
      neonAdminUrl: `${inject("postgres").superuserUrl}postgres`,
      host: "127.0.0.1",
      redirectUris: [REDIRECT_URI],
      loginRedirectUris: [REDIRECT_URI],
      supabaseReadyAfterMs: 0,
      // Calls are not checked against the OpenAPI descriptions, because compiling Stripe's takes seconds. The
      // simulators' own tests include this check.
      contractsDir: null,
    });
  });
  afterAll(async () => {
    await sandbox.close();
  });

  describe("@fireblocks/ts-sdk", () => {
    const clientOf = ({ api_key: apiKey, api_secret_pem: secretKey }: Record<string, string>) =>
      new Fireblocks({
        apiKey: `${apiKey}`,
        secretKey: `${secretKey}`,
        basePath: `${sandbox.fireblocks.url}/v1` as BasePath,
      });

    it("lists assets", async () => {
      const client = clientOf(sandbox.fireblocks.credentials);
      const { data } = await client.blockchainsAssets.getSupportedAssets();
      expect(data.map(({ id }) => id)).toEqual(["ETH", "USDC", "SOL"]);
    });

    it("401: unknown API key", async () => {
      const client = clientOf(sandbox.fireblocks.refusedCredentials);
      await expect(client.blockchainsAssets.getSupportedAssets()).rejects.toMatchObject({
        response: { statusCode: 401, data: { code: -1 } },
      });
    });

    it("429: rate limited", async () => {
      sandbox.force({
        vendor: "fireblocks",
        operation: "getSupportedAssets",
        outcome: "rate_limited",
      });
      const client = clientOf(sandbox.fireblocks.credentials);
      await expect(client.blockchainsAssets.getSupportedAssets()).rejects.toMatchObject({
        response: { statusCode: 429 },
      });
    });
  });

  describe("fireblocks-sdk", () => {
    const clientOf = ({ api_key: apiKey, api_secret_pem: secretKey }: Record<string, string>) =>
      new FireblocksSDK(`${secretKey}`, `${apiKey}`, sandbox.fireblocks.url);

    it("lists assets", async () => {
      const assets = await clientOf(sandbox.fireblocks.credentials).getSupportedAssets();
      expect(assets.map(({ id }) => id)).toContain("USDC");
    });

    it("401: unknown API key", async () => {
      const client = clientOf(sandbox.fireblocks.refusedCredentials);
      await expect(client.getSupportedAssets()).rejects.toMatchObject({
        response: { status: 401 },
      });
    });
  });

  describe("@turnkey/http", () => {
    const clientOf = (credentials: Readonly<Record<string, string>>) =>
      new TurnkeyClient(
        { baseUrl: sandbox.turnkey.url },
        new ApiKeyStamper({
          apiPublicKey: `${credentials["api_public_key"]}`,
          apiPrivateKey: `${credentials["api_private_key"]}`,
        }),
      );
    const organizationId = () => `${sandbox.turnkey.credentials["organization_id"]}`;

    it("returns the caller's identity", async () => {
      const client = clientOf(sandbox.turnkey.credentials);
      const who = await client.getWhoami({ organizationId: organizationId() });
      expect(who).toMatchObject({ organizationName: "Acme", username: "Acme's server" });
    });

    it("creates a wallet with an account, and signs with it; the same request is the same activity", async () => {
      const client = clientOf(sandbox.turnkey.credentials);
      const common = { organizationId: organizationId(), timestampMs: String(Date.now()) };
      const account = {
        ...{ curve: "CURVE_SECP256K1", pathFormat: "PATH_FORMAT_BIP32", path: "m/44'/60'/0'/0/0" },
        addressFormat: "ADDRESS_FORMAT_ETHEREUM",
      };
      const wallet = { type: "ACTIVITY_TYPE_CREATE_WALLET", ...common };
      const parameters = { walletName: "sdk", accounts: [account] };
      const { activity } = await client.createWallet({ ...wallet, parameters });
      const repeated = await client.createWallet({ ...wallet, parameters });
      const { addresses } = activity.result.createWalletResult;

      const payload = "5a".repeat(32);
      const encoding = { encoding: "PAYLOAD_ENCODING_HEXADECIMAL", hashFunction: "HASH_FUNCTION_NO_OP" };
      const signed = await client.signRawPayload({
        ...{ type: "ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2", ...common },
        parameters: { signWith: addresses[0], payload, ...encoding },
      });

      expect(repeated).toEqual({ activity });
      const { r, s, v } = signed.activity.result.signRawPayloadResult;
      const signature = serializeSignature({ r: `0x${r}`, s: `0x${s}`, yParity: Number(v) });
      expect(await recoverAddress({ hash: `0x${payload}`, signature })).toBe(addresses[0]);
    });

    it("an activity about a wallet that does not exist has failed", async () => {
      const { activity } = await clientOf(sandbox.turnkey.credentials).createWalletAccounts({
        ...{
          type: "ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS",
          organizationId: organizationId(),
          timestampMs: "1700000000000",
        },
        parameters: { walletId: "4f6c1a52-0d3e-4b8a-9c57-2e1d7a90b3c4", accounts: [] },
      });
      expect(activity).toMatchObject({ status: "ACTIVITY_STATUS_FAILED", failure: { code: 3 }, result: {} });
    });

    it("TurnkeyRequestError 16: unknown key", async () => {
      const client = clientOf(sandbox.turnkey.refusedCredentials);
      await expect(client.getWhoami({ organizationId: organizationId() })).rejects.toMatchObject({
        name: "TurnkeyRequestError",
        code: 16,
      });
    });

    it("TurnkeyRequestError 8: rate limited", async () => {
      sandbox.force({
        vendor: "turnkey",
        operation: "PublicApiService_GetWhoami",
        outcome: "rate_limited",
      });
      const client = clientOf(sandbox.turnkey.credentials);
      await expect(client.getWhoami({ organizationId: organizationId() })).rejects.toMatchObject({
        name: "TurnkeyRequestError",
        code: 8,
      });
    });
  });

  describe("@neondatabase/api-client", () => {
    const clientOf = (apiKey: string) => createApiClient({ apiKey, baseURL: sandbox.neon.url });

    it("creates, lists, reads and deletes a project", async () => {
      const neon = clientOf("sandbox-solo-sdk");
      const { status, data } = await neon.createProject({ project: { name: "atlas" } });
      expect(status).toBe(201);
      const { id } = data.project;
      const { data: list } = await neon.listProjects({ search: "atlas" });
      expect(list.projects.map((project) => project.id)).toEqual([id]);
      const { data: connection } = await neon.getConnectionUri({
        projectId: id,
        database_name: "neondb",
        role_name: "neondb_owner",
      });
      expect(connection.uri).toMatch(/^postgres/);
      expect((await neon.getProject(id)).data.project.name).toBe("atlas");
      expect((await neon.deleteProject(id)).status).toBe(200);
      await expect(neon.getProject(id)).rejects.toMatchObject({ response: { status: 404 } });
    });

    it.each([
      [401, "sandbox-refused", ""],
      [422, "sandbox-solo-full", "PROJECTS_LIMIT_EXCEEDED"],
    ])("%i: key %s", async (status, key, code) => {
      await expect(clientOf(key).createProject({ project: {} })).rejects.toMatchObject({
        response: { status, data: { code, message: expect.any(String) } },
      });
    });

    it("429: rate limited", async () => {
      sandbox.force({ vendor: "neon", operation: "listProjects", outcome: "rate_limited" });
      await expect(clientOf("sandbox-solo-sdk").listProjects({})).rejects.toMatchObject({
        response: { status: 429, headers: { "retry-after": "1" } },
      });
    });
  });

  describe("supabase-management-js", () => {
    const clientOf = (accessToken: string) => new SupabaseManagementAPI({ accessToken, baseUrl: sandbox.supabase.url });
    /** The example in Supabase's OpenAPI description. */
    const example = { db_pass: "correct-horse-battery-staple", name: "acme-prod" };

    it("creates, lists, reads and deletes a project", async () => {
      const supabase = clientOf("sandbox-sdk");
      const [organization] = (await supabase.listAllOrganizations()).data;
      const organization_slug = `${organization?.slug}`;
      const { status, data: created } = await supabase.createAProject({
        ...example,
        organization_slug,
        region: "us-east-1",
      });
      expect(status).toBe(201);
      const { data: projects } = await supabase.listAllProjects();
      expect(projects.map(({ id }) => id)).toEqual([created.id]);
      expect((await supabase.getProject(created.id)).data.status).toBe("ACTIVE_HEALTHY");
      const { data: keys } = await supabase.getProjectApiKeys(created.id, { reveal: true });
      expect(keys.map(({ type }) => type)).toEqual(["publishable", "secret"]);
      expect((await supabase.deleteAProject(created.id)).status).toBe(200);
      await expect(supabase.getProject(created.id)).rejects.toMatchObject({ status: 404 });
    });

    it("SupabaseManagementAPIError 401: invalid token", async () => {
      await expect(clientOf("sandbox-refused").listAllProjects()).rejects.toMatchObject({
        name: "SupabaseManagementAPIError",
        status: 401,
      });
    });

    it("SupabaseManagementAPIError 429: rate limited", async () => {
      const operation = "v1-list-all-projects";
      sandbox.force({ vendor: "supabase", operation, outcome: "rate_limited" });
      await expect(clientOf("sandbox-sdk").listAllProjects()).rejects.toMatchObject({
        status: 429,
      });
    });
  });

  describe("@octokit/oauth-methods", () => {
    const request = () => octokitRequest.defaults({ baseUrl: sandbox.github.apiUrl });
    const authorize = async () => {
      const { url } = getWebFlowAuthorizationUrl({
        clientType: "oauth-app",
        clientId: sandbox.github.clientId,
        redirectUrl: REDIRECT_URI,
        scopes: ["read:user", "user:email"],
        request: request(),
      });
      return codeFrom(url);
    };
    const exchange = (code: string, clientSecret = sandbox.github.clientSecret) =>
      exchangeWebFlowCode({
        clientType: "oauth-app",
        clientId: sandbox.github.clientId,
        clientSecret,
        code,
        request: request(),
      });

    it("logs a user in", async () => {
      const { authentication } = await exchange(await authorize());
      // GitHub separates scopes with commas. This SDK does not split them.
      expect(authentication.scopes).toEqual(["read:user,user:email"]);
      const headers = { authorization: `token ${authentication.token}` };
      const { data: user } = await request()("GET /user", { headers });
      expect(user.login).toBe("ada");
      const { data: emails } = await request()("GET /user/emails", { headers });
      expect(emails.find(({ primary }) => primary)?.email).toBe("ada@example.com");
    });

    it("RequestError: code used twice, wrong secret, unknown token", async () => {
      const code = await authorize();
      await exchange(code);
      await expect(exchange(code)).rejects.toThrow("bad_verification_code");
      await expect(exchange(await authorize(), "wrong")).rejects.toThrow("incorrect_client_credentials");
      const headers = { authorization: "token gho_unknown" };
      await expect(request()("GET /user", { headers })).rejects.toMatchObject({ status: 401 });
    });
  });

  describe("openid-client", () => {
    /**
     * Sends requests for accounts.google.com to the simulator. The simulator's ID tokens have Google's issuer, so the
     * client must be configured with Google's URL.
     */
    const fetchFromSimulator: oidc.CustomFetch = (url, options) =>
      fetch(url.replace("https://accounts.google.com", sandbox.google.accountsUrl), options as RequestInit);
    const discover = (method?: (secret: string) => oidc.ClientAuth, secret = sandbox.google.clientSecret) =>
      oidc.discovery(new URL("https://accounts.google.com"), sandbox.google.clientId, secret, method?.(secret), {
        execute: [oidc.allowInsecureRequests],
        [oidc.customFetch]: fetchFromSimulator,
      });
    async function signIn(config: oidc.Configuration) {
      const codeVerifier = oidc.randomPKCECodeVerifier();
      const state = oidc.randomState();
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT_URI,
        scope: "openid email",
        state,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      });
      const back = await completeConsentPage(url.href);
      const checks = { pkceCodeVerifier: codeVerifier, expectedState: state };
      return { back, checks, tokens: await oidc.authorizationCodeGrant(config, back, checks) };
    }

    it.each([
      ["client_secret_post", oidc.ClientSecretPost],
      ["client_secret_basic", oidc.ClientSecretBasic],
    ])("logs a user in with %s", async (_method, authentication) => {
      const config = await discover(authentication);
      const { tokens } = await signIn(config);
      const claims = tokens.claims();
      expect(claims).toMatchObject({
        iss: "https://accounts.google.com",
        email: "ada@example.com",
      });
      const user = await oidc.fetchUserInfo(config, tokens.access_token, `${claims?.sub}`);
      expect(user).toMatchObject({ email: "ada@example.com", email_verified: true });
    });

    it("ResponseBodyError: code used twice, wrong secret", async () => {
      const config = await discover();
      const { back, checks } = await signIn(config);
      await expect(oidc.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({
        error: "invalid_grant",
        status: 400,
      });
      for (const method of [oidc.ClientSecretPost, oidc.ClientSecretBasic]) {
        await expect(signIn(await discover(method, "wrong"))).rejects.toMatchObject({
          error: "invalid_client",
          status: 401,
        });
      }
    });

    it("WWWAuthenticateChallengeError: unknown access token", async () => {
      const user = oidc.fetchUserInfo(await discover(), "ya29.unknown", oidc.skipSubjectCheck);
      await expect(user).rejects.toMatchObject({ code: "OAUTH_WWW_AUTHENTICATE_CHALLENGE" });
    });
  });

  describe("stripe", () => {
    const clientOf = (key: string) => {
      const { hostname: host, port } = new URL(sandbox.stripe.url);
      return new Stripe(key, {
        host,
        port,
        protocol: "http",
        maxNetworkRetries: 0,
        telemetry: false,
      });
    };
    const stripe = () => clientOf(sandbox.stripe.secretKeys.test);

    it("creates a customer, attaches a card, lists, reads, detaches and deletes", async () => {
      const customer = await stripe().customers.create({ name: "Atlas" });
      const intent = await stripe().setupIntents.create({
        customer: customer.id,
        payment_method: "pm_card_visa",
        confirm: true,
        automatic_payment_methods: { enabled: true, allow_redirects: "never" },
      });
      expect(intent.status).toBe("succeeded");
      const { data } = await stripe().customers.listPaymentMethods(customer.id);
      expect(data.map(({ id }) => id)).toEqual([intent.payment_method]);
      await stripe().paymentMethods.detach(`${intent.payment_method}`);
      expect(await stripe().customers.del(customer.id)).toMatchObject({ deleted: true });
      expect(await stripe().customers.retrieve(customer.id)).toMatchObject({ deleted: true });
    });

    it.each([true, false])("StripeCardError: declined setup, confirm %s", async (confirm) => {
      const { id: customer } = await stripe().customers.create({});
      const automatic_payment_methods = { enabled: true, allow_redirects: "never" } as const;
      const payment_method = "pm_card_chargeDeclinedInsufficientFunds";
      const create = stripe().setupIntents.create({
        customer,
        payment_method,
        confirm,
        automatic_payment_methods,
      });
      const setup = confirm ? create : create.then(({ id }) => stripe().setupIntents.confirm(id));
      const error = await setup.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
      expect(error).toMatchObject({ decline_code: "insufficient_funds", statusCode: 402 });
      expect(error.payment_method?.card?.last4).toBe("9995");
      expect(error.setup_intent).toMatchObject({
        status: "requires_payment_method",
        payment_method: null,
        last_setup_error: { decline_code: "insufficient_funds" },
      });
      const stored = await stripe().setupIntents.retrieve(`${error.setup_intent?.id}`);
      expect(stored).toEqual(error.setup_intent);
    });

    it("200: a request without a version uses the account's version", async () => {
      const headers = { authorization: `Bearer ${sandbox.stripe.secretKeys.test}` };
      const response = await fetch(`${sandbox.stripe.url}/v1/customers`, {
        method: "POST",
        headers,
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("stripe-version")).toBe(Stripe.API_VERSION);
      expect(response.headers.get("request-id")).toMatch(/^req_/);
    });

    it("repeated request: the headers contain the version, the idempotency key and the original request ID", async () => {
      const options = { idempotencyKey: "order-7" };
      const first = (await stripe().customers.create({ name: "Atlas" }, options)).lastResponse;
      const second = (await stripe().customers.create({ name: "Atlas" }, options)).lastResponse;
      for (const { headers } of [first, second]) {
        expect(headers).toMatchObject({
          "stripe-version": Stripe.API_VERSION,
          "idempotency-key": "order-7",
          "original-request": first.requestId,
        });
      }
      expect(second.headers["idempotent-replayed"]).toBe("true");
      expect(second.requestId).not.toBe(first.requestId);
    });

    it("typed errors: not found, unauthorized, invalid, rate limited", async () => {
      const { StripeAuthenticationError, StripeInvalidRequestError, StripeRateLimitError } = Stripe.errors;
      const missing = stripe().customers.retrieve("cus_missing");
      await expect(missing).rejects.toMatchObject({ code: "resource_missing", statusCode: 404 });
      await expect(missing).rejects.toBeInstanceOf(StripeInvalidRequestError);
      await expect(clientOf("sk_test_wrong").customers.create({})).rejects.toBeInstanceOf(StripeAuthenticationError);
      sandbox.force({ vendor: "stripe", operation: "PostCustomers", outcome: "rate_limited" });
      await expect(stripe().customers.create({})).rejects.toBeInstanceOf(StripeRateLimitError);
    });
  });
});
