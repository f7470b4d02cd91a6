import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { onceIn } from "../../../../test/linking.ts";

/** The adapters that go into production, against the vendors' simulators. */
describe("linking over the vendors' wires", () => {
  const harness = useHarness({ vendors: true });

  async function arrange() {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one" });
    const begin = async (provider: string) =>
      (await tenant.post(`/projects/${body.project_id}/link`, { provider, force: true })).body;
    const read = async (linkId: string) =>
      (await tenant.get(`/projects/${body.project_id}/links/${linkId}`)).body;
    return { begin, read };
  }

  /** Answers the consent page as a person does, and comes back with what they are sent back with. */
  async function consent(url: string, decision: "allow" | "deny") {
    const page = await (await fetch(url)).text();
    const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
    const answer = await fetch(new URL(action ?? "", url), {
      method: "POST",
      body: new URLSearchParams({ persona: "ada", decision }),
      redirect: "manual",
    });
    const back = new URL(answer.headers.get("location") ?? "");
    return harness.send({ method: "GET", url: back.pathname + back.search });
  }

  it("200: links Supabase by its consent page, and tells a no", async () => {
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

  it("200: links Neon by a pasted token, and refuses one that it does not take", async () => {
    const { begin, read } = await arrange();
    const link = await begin("neon");
    const { pathname, search } = new URL(link.url);
    const url = pathname + search;
    const send = async (token: string) => {
      const { text } = await harness.send({ method: "GET", url });
      const payload = new URLSearchParams({ once: onceIn(text), token }).toString();
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return harness.send({ method: "POST", url, headers, payload });
    };

    const refused = [
      await send("sandbox-refused"),
      await send("no sandbox"),
      await send("two\nlines"),
    ];
    const good = await send("sandbox-ada");

    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(good.status).toBe(200);
    expect(await read(link.link_id)).toMatchObject({
      status: "linked",
      account_label: expect.stringMatching(/./),
    });
  });
});
