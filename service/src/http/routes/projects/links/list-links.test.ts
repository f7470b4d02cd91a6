import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { AnyBody } from "../../../../../test/harness.ts";
import { asSuperuser } from "../../../../../test/project-seeds.ts";
import { useLinking } from "../../../../../test/vendors/linking.ts";

const idsOf = ({ data }: AnyBody) => data.map(({ link_id }: { link_id: string }) => link_id);

describe("GET /projects/{project_id}/links", () => {
  const { harness, arrange } = useLinking();

  it("200: returns all links, newest first, in pages, without their secrets", async () => {
    const { tenant, id, begin } = await arrange();
    const linkIds: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      linkIds.unshift((await begin(index % 2 === 0 ? "neon" : "supabase")).link_id);
      if (index > 2) harness.clock.advanceSeconds(1);
    }

    const all = (await tenant.get(`/projects/${id}/links`)).body;
    const first = (await tenant.get(`/projects/${id}/links?limit=2`)).body;
    const second = (await tenant.get(`/projects/${id}/links?limit=2&cursor=${first.next_cursor}`)).body;
    const third = (await tenant.get(`/projects/${id}/links?limit=2&cursor=${second.next_cursor}`)).body;

    expect(idsOf(all)).toEqual(linkIds);
    expect(all).toMatchObject({ object: "list", has_more: false, next_cursor: null });
    expect([first, second, third].flatMap(idsOf)).toEqual(linkIds);
    expect(third).toMatchObject({ has_more: false, next_cursor: null });
    for (const link of all.data) expect(link).toMatchObject({ url: null, state: null });
  });

  it.each(["limit=0", "limit=101", "cursor=x", "cursor=%20", "status=linked"])(
    "422: invalid query %s",
    async (query) => {
      const { tenant, id } = await arrange();

      expect((await tenant.get(`/projects/${id}/links?${query}`)).status).toBe(422);
    },
  );
});

describe("GET /projects/{project_id}/links/{link_id}", () => {
  const { harness, arrange } = useLinking();

  it("200: returns a pending link unchanged until it expires after ten minutes", async () => {
    const { begin, read } = await arrange();
    const paste = await begin("neon");
    const consent = await begin("supabase");

    expect(await read(paste.link_id)).toEqual(paste);
    expect(await read(consent.link_id)).toEqual(consent);
    harness.clock.advanceSeconds(599);
    expect((await read(paste.link_id)).status).toBe("pending_auth");
    harness.clock.advanceSeconds(1);
    expect(await read(paste.link_id)).toEqual({
      ...paste,
      status: "expired",
      url: null,
      next_action: null,
    });
    expect(await read(consent.link_id)).toMatchObject({ status: "expired", state: null });
  });

  it("200: url and state are null for keys that cannot link providers", async () => {
    const agentId = randomUUID();
    const { tenant, id, begin } = await arrange({ agent_ids: [agentId] });
    const { link_id } = await begin("supabase");
    const agent = await harness.seedKey(tenant.tenantId, { agentIds: [agentId] });
    const reader = await harness.seedKey(tenant.tenantId, { scopes: ["projects:read"] });

    for (const key of [agent, reader]) {
      const { status, body } = await key.get(`/projects/${id}/links/${link_id}`);
      expect({ status, ...body }).toMatchObject({ link_id, url: null, state: null });
      expect((await key.get(`/projects/${id}/links`)).status).toBe(200);
    }
  });

  it("500: an encrypted secret was moved to another link", async () => {
    const { tenant, id, begin, read } = await arrange();
    const one = await begin("neon");
    const two = await begin("supabase");
    await asSuperuser(harness.database.superuserUrl, (client) =>
      client.query(
        `update provider_link_secrets set pending_sealed =
           (select pending_sealed from provider_link_secrets where link_id = $1) where link_id = $2`,
        [one.link_id, two.link_id],
      ),
    );

    const answer = await tenant.get(`/projects/${id}/links/${two.link_id}`);

    expect(answer.status).toBe(500);
    expect(await read(one.link_id)).toEqual(one);
  });
});
