import { withTransaction } from "../../src/db/transaction.ts";
import { type LinkId, newId, type ProjectId, type TenantId } from "../../src/foundation/ids.ts";
import type { ServiceStatus } from "../../src/foundation/vocabulary.ts";
import { type HarnessOptions, useHarness } from "../harness.ts";
import { linkableProvider } from "./linkable-provider.ts";

export const CALLBACK = "/api/v1/svc/projects/webhooks/oauth-callback";

/** Returns a harness with two fake providers. Neon is linked with a pasted token, Supabase on a consent page. */
export function useLinking({ settings }: Pick<HarnessOptions, "settings"> = {}) {
  const clock = { now: () => harness.clock.now() };
  const neon = linkableProvider("neon", clock);
  const supabase = linkableProvider("supabase", clock);
  const harness = useHarness({
    ...(settings === undefined ? {} : { settings }),
    replace: () => ({
      providers: new Map([
        ["neon", neon.byToken],
        ["supabase", supabase.byConsent],
      ]),
    }),
  });

  /** Creates a tenant with a project. Returns them with functions that link the project. */
  async function arrange(fields: object = {}) {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one", ...fields });
    const id = body.project_id as ProjectId;
    const begin = async (provider: string, change: object = {}) =>
      (await tenant.post(`/projects/${id}/link`, { provider, ...change })).body;
    return {
      tenant,
      id,
      begin,
      read: async (linkId: string) => (await tenant.get(`/projects/${id}/links/${linkId}`)).body,
      /** Links Supabase through its consent page. */
      linkByConsent: async (account = "ada", change: object = {}) => {
        const link = await begin("supabase", change);
        const code = supabase.consent(link.url, account);
        const answer = await callback({ state: link.state, code });
        return { linkId: link.link_id as LinkId, answer };
      },
      /** Links Neon by pasting a token into the form. */
      linkByToken: async (account = "ada", change: object = {}) => {
        const link = await begin("neon", change);
        const answer = await paste(link.url, `token-${account}`);
        return { linkId: link.link_id as LinkId, answer };
      },
    };
  }

  /** Calls the OAuth callback, as the redirect from the consent page does. */
  function callback(query: Record<string, string>, headers: Record<string, string> = {}) {
    const url = `${CALLBACK}?${new URLSearchParams(query)}`;
    return harness.send({ method: "GET", url, headers });
  }

  /** Opens the form for pasting a token. */
  function openForm(url: string) {
    return harness.send({ method: "GET", url: pathOf(url) });
  }

  /** Submits the form for pasting a token. */
  function sendForm(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    return harness.send({
      method: "POST",
      url: pathOf(url),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      payload: new URLSearchParams(fields).toString(),
    });
  }

  /** Opens the form and submits it with the token, as a user does. */
  async function paste(url: string, token: string, headers: Record<string, string> = {}) {
    const { text } = await openForm(url);
    return sendForm(url, { once: oneTimeFieldOf(text), token }, headers);
  }

  /** Inserts a service that uses a link. Columns that are irrelevant to links have placeholder values. */
  async function seedService(
    tenantId: TenantId,
    {
      linkId,
      projectId,
      provider,
      status = "active",
    }: {
      readonly linkId: LinkId;
      readonly projectId: ProjectId;
      readonly provider: string;
      readonly status?: ServiceStatus;
    },
  ) {
    const serviceId = newId("srv");
    const at = harness.clock.now();
    await withTransaction(harness.app.db, tenantId, (tx) =>
      tx
        .insertInto("services")
        .values({
          tenantId,
          serviceId,
          projectId,
          mode: "live",
          linkId,
          provider,
          service: `${provider}/it`,
          name: serviceId,
          plan: "free",
          region: "here",
          config: "{}",
          status,
          environments: ["development"],
          envPrefix: null,
          priceCents: 0n,
          billedBy: "vendor",
          agentId: null,
          metadata: "{}",
          createdAt: at,
          updatedAt: at,
        })
        .execute(),
    );
    return serviceId;
  }

  /** Sets a project status that no request in these tests can set. */
  async function setStatus(
    { tenantId }: { readonly tenantId: TenantId },
    projectId: ProjectId,
    status: "suspended" | "deleting" | "delete_failed",
  ) {
    await withTransaction(harness.app.db, tenantId, (tx) =>
      tx.updateTable("projects").set({ status }).where("projectId", "=", projectId).execute(),
    );
  }

  return {
    harness,
    neon,
    supabase,
    arrange,
    callback,
    openForm,
    sendForm,
    paste,
    seedService,
    setStatus,
  };
}

/** Returns the value of a form's one-time field. */
export function oneTimeFieldOf(html: string): string {
  return /name="once" value="([\w-]{43})"/.exec(html)?.[1] ?? "";
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
