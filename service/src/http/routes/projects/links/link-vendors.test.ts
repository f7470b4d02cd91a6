import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { servicesOf } from "../../../../../test/services.ts";
import { oneTimeFieldOf } from "../../../../../test/vendors/linking.ts";
import { systemActor } from "../../../../audit/actors.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import type { LinkId, TenantId } from "../../../../foundation/ids.ts";
import { endLink } from "../../../../modules/links/links.ts";
import { linkRows } from "../../../../modules/links/queries.ts";

/** Tests the production adapters against simulated vendors. */
describe("linking with simulated vendors", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);

  async function arrange() {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one" });
    const begin = async (provider: string) =>
      (await tenant.post(`/projects/${body.project_id}/link`, { provider, force: true })).body;
    const read = async (linkId: string) => (await tenant.get(`/projects/${body.project_id}/links/${linkId}`)).body;
    return { begin, read };
  }

  /** Submits the vendor's consent page, then calls the callback URL that the vendor redirects to. */
  async function consent(url: string, decision: "allow" | "deny") {
    const page = await (await fetch(url)).text();
    const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
    const answer = await fetch(new URL(action ?? "", url), {
      method: "POST",
      body: new URLSearchParams({ persona: "ada", decision }),
      redirect: "manual",
    });
    const callback = new URL(answer.headers.get("location") ?? "");
    return harness.send({ method: "GET", url: callback.pathname + callback.search });
  }

  it("200: links Supabase through its consent page, and reports a denied consent", async () => {
    const { begin, read } = await arrange();
    const link = await begin("supabase");

    const denied = await consent((await begin("supabase")).url, "deny");
    const late = await consent(link.url, "allow");
    const good = await begin("supabase");
    const allowed = await consent(good.url, "allow");

    expect(denied.body).toMatchObject({ status: "failed", error: "access_denied" });
    expect(late.status).toBe(422);
    expect(allowed.body).toMatchObject({ link_id: good.link_id, status: "linked" });
    expect(await read(good.link_id)).toMatchObject({ account_label: "Ada's organization" });
  });

  it("200: links Neon with a pasted token, and rejects invalid tokens", async () => {
    const { begin, read } = await arrange();
    const link = await begin("neon");
    const { pathname, search } = new URL(link.url);
    const url = pathname + search;
    const send = async (token: string) => {
      const { text } = await harness.send({ method: "GET", url });
      const payload = new URLSearchParams({ once: oneTimeFieldOf(text), token }).toString();
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return harness.send({ method: "POST", url, headers, payload });
    };

    const refused = [await send("sandbox-refused"), await send("no sandbox"), await send("two\nlines")];
    const good = await send("sandbox-ada");

    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(good.status).toBe(200);
    expect(await read(link.link_id)).toMatchObject({
      status: "linked",
      account_label: expect.stringMatching(/./),
    });
  });

  it("200: a deletion that failed because of an expired link succeeds with a new link", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    const { linkId, token } = await services.linkNeon(tenant, projectId);
    const { body } = await services.add(tenant, projectId);
    const path = `/projects/${projectId}`;
    await endLinkOf(tenant.tenantId, linkId);

    const stuck = await tenant.delete(path);
    await services.allEnded(projectId);
    const failed = await tenant.get(path);
    const linked = await services.linkNeon(tenant, projectId, token);
    const again = await tenant.delete(path);

    expect([stuck.body.status, failed.body.status]).toEqual(["deleting", "delete_failed"]);
    expect(linked.answer.body).toMatchObject({ status: "linked" });
    expect([again.status, again.body.status]).toEqual([200, "deleted"]);
    expect(await services.resourcesOf("neon", [body.service.service_id])).toEqual([]);
  });

  /** Expires a link, as if the provider had rejected its refresh token. */
  function endLinkOf(tenantId: TenantId, linkId: string) {
    return withTransaction(harness.app.db, tenantId, async (tx) => {
      const link = await linkRows.lock(tx, { tenantId, linkId: linkId as LinkId });
      if (link === undefined) throw new Error("The link does not exist.");
      await endLink(tx, systemActor(link), {
        link,
        end: { status: "expired" },
        at: harness.clock.now(),
      });
    });
  }
});
