import { onTestFinished } from "vitest";
import { withTransaction } from "../../src/db/transaction.ts";
import { runDueWork } from "../../src/due-work/run-due-work.ts";
import type { LinkId, TenantId } from "../../src/foundation/ids.ts";
import { type AccessSecret, openAccess } from "../../src/modules/links/link-secrets.ts";
import { linkSecretRows } from "../../src/modules/links/queries.ts";
import { revokeTokens } from "../../src/modules/links/revocations/revoke-tokens.ts";
import type { ProviderOAuth, ProviderTokens } from "../../src/ports/service-provider.ts";
import { VendorError } from "../../src/ports/vendor-error.ts";
import { openVault } from "../../src/vault/vault.ts";
import type { useHarness } from "../harness.ts";
import { servicesOf, type Tenant } from "../services.ts";

const REVOKE_OPERATIONS = { supabase: "v1-revoke-token", "acme-queue": "revokeToken" } as const;
type RevokingProvider = keyof typeof REVOKE_OPERATIONS;

/** Helpers that link projects to simulated providers and check the tokens there. */
export function linkTokensOf(harness: ReturnType<typeof useHarness>) {
  const services = servicesOf(harness);
  const providerOf = (name: string) => {
    const provider = harness.app.providers.get(name);
    if (provider === undefined || provider.oauth === null) throw new Error(`${name} has no app.`);
    return { provider, oauth: provider.oauth };
  };

  /** Links a project to Supabase. By default, the project and its tenant are new. */
  async function link({
    tenant,
    projectId,
    persona = "ada",
    fields = {},
  }: {
    readonly tenant?: Tenant;
    readonly projectId?: string;
    readonly persona?: string;
    readonly fields?: object;
  } = {}) {
    const caller = tenant ?? (await harness.seedTenant());
    const project = projectId ?? (await services.newProject(caller));
    const { linkId, answer } = await services.linkSupabase(caller, project, persona, fields);
    const key = { tenantId: caller.tenantId, linkId: linkId as LinkId };
    const end = () => caller.delete(`/projects/${project}/links/${linkId}`);
    return { tenant: caller, projectId: project, ...key, key, answer, end };
  }

  /** Returns a link's stored tokens. */
  async function tokensOf(key: { readonly tenantId: TenantId; readonly linkId: LinkId }) {
    const { accessSealed, version } = await withTransaction(
      harness.app.db,
      key.tenantId,
      async (tx) => (await linkSecretRows.find(tx, key)) ?? { accessSealed: null, version: 0 },
    );
    if (accessSealed === null) throw new Error("The link has no tokens.");
    const vault = await openVault(harness.app, key.tenantId);
    return openAccess(vault, { linkId: key.linkId, version }, accessSealed);
  }

  /** Returns the tokens that the provider accepts. Uses up the refresh token. */
  async function acceptedOf({ accessToken, refreshToken }: AccessSecret, name: RevokingProvider = "supabase") {
    const { provider, oauth } = providerOf(name);
    const isAccepted = (call: Promise<unknown>) =>
      call.then(
        () => true,
        (error: unknown) => {
          if (error instanceof VendorError) return false;
          throw error;
        },
      );
    return {
      access: await isAccepted(provider.find({ accessToken, accountId: null }, "svc-none")),
      refresh: await isAccepted(oauth.refresh(refreshToken ?? "")),
    };
  }

  /** Runs `work` after each exchange of a code, until the test ends. */
  function afterExchange(work: (tokens: ProviderTokens) => void | Promise<void>) {
    const { oauth } = providerOf("supabase");
    const { exchangeCode } = oauth;
    oauth.exchangeCode = async (grant) => {
      const tokens = await exchangeCode(grant);
      await work(tokens);
      return tokens;
    };
    onTestFinished(() => {
      oauth.exchangeCode = exchangeCode;
    });
  }

  /** Replaces a method of Supabase's OAuth app until the test ends. `work` gets the replaced method. */
  function replace<Method extends "refresh" | "revoke">(
    method: Method,
    work: (original: NonNullable<ProviderOAuth[Method]>) => NonNullable<ProviderOAuth[Method]>,
  ) {
    const { oauth } = providerOf("supabase");
    const original = oauth[method];
    if (original === undefined) throw new Error(`There is no method ${method}.`);
    oauth[method] = work(original as NonNullable<ProviderOAuth[Method]>);
    onTestFinished(() => {
      oauth[method] = original;
    });
  }

  return {
    services,
    link,
    tokensOf,
    acceptedOf,
    afterExchange,
    replace,
    /** Runs the job that revokes tokens. */
    revokeDue: () => runDueWork(harness.app, revokeTokens),
    /** Returns the calls to revoke tokens that the provider has got. */
    revokeCalls: (name: RevokingProvider = "supabase") =>
      harness.sandbox.requests(name).filter(({ operation }) => operation === REVOKE_OPERATIONS[name]),
    /** Returns the tokens that are to be revoked. */
    waiting: () =>
      services.rows(
        "select * from token_revocations join due_work on subject = link_id || ' ' || version order by created_at, link_id",
      ),
    /** Ends all links in the database, because tests share the accounts at Supabase. */
    reset: async () => {
      await services.rows("update provider_links set status = 'failed' where status = 'linked'");
      await services.rows("delete from token_revocations");
      await services.rows("delete from due_work");
    },
  };
}
