import { request as requestHttp } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import {
  allowWaitingForEvents,
  EVENTS_TIMEOUT_MS,
  untilEventsAreReadable,
} from "../../../../test/events/until-readable.ts";
import { useHarness } from "../../../../test/harness.ts";
import { EVENT_TYPES } from "../../../events/event-types.ts";
import { newId, type TenantId } from "../../../foundation/ids.ts";
import { QUOTAS } from "../../../foundation/wire/quotas.ts";

allowWaitingForEvents();

const cursorOf = (xid: string) => `cursor=${Buffer.from(`${xid} evt_${"0".repeat(26)}`).toString("base64url")}`;

describe("/events", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  type Tenant = Awaited<ReturnType<typeof harness.seedTenant>>;

  const project = async (tenant: Pick<Tenant, "post">, name: string) => (await tenant.post("/projects", { name })).body;
  const namesOf = (body: {
    readonly data: readonly { readonly data: { readonly object: { readonly name?: string } } }[];
  }) => body.data.map(({ data }) => data.object.name);

  it("200: the newest first, page by page", async () => {
    const tenant = await harness.seedTenant();
    for (const name of ["a", "b", "c"]) await project(tenant, name);
    await untilEventsAreReadable(harness.app);

    const first = await tenant.get("/events?limit=2");
    const second = await tenant.get(`/events?limit=2&cursor=${first.body.next_cursor}`);

    expect([first.status, namesOf(first.body), first.body.has_more]).toEqual([200, ["c", "b"], true]);
    expect([namesOf(second.body), second.body.has_more]).toEqual([["a"], false]);
  });

  it("200: with `after`, what came after that event, the oldest first", async () => {
    const tenant = await harness.seedTenant();
    for (const name of ["a", "b", "c", "d"]) await project(tenant, name);
    await untilEventsAreReadable(harness.app);
    const { body } = await tenant.get("/events");
    const after = body.data.at(-1).id;

    expect(namesOf((await tenant.get(`/events?after=${after}`)).body)).toEqual(["b", "c", "d"]);
    const first = await tenant.get(`/events?after=${after}&limit=2`);
    const second = await tenant.get(`/events?after=${after}&limit=2&cursor=${first.body.next_cursor}`);
    expect([namesOf(first.body), namesOf(second.body), second.body.next_cursor]).toEqual([["b", "c"], ["d"], null]);
  });

  it("200: only those of a type, subject, project or agent", async () => {
    const tenant = await harness.seedTenant();
    const agent = await postAgent(tenant);
    const { project_id } = await project(tenant, "P");
    await project(tenant, "Q");
    await tenant.patch(`/projects/${project_id}`, { description: "changed" });
    await untilEventsAreReadable(harness.app);
    const types = async (query: string) =>
      (await tenant.get(`/events?${query}`)).body.data.map(({ type }: { type: string }) => type);

    expect(await types("type=project.updated")).toEqual(["project.updated"]);
    expect(await types("type=project.*")).toEqual(["project.updated", "project.created", "project.created"]);
    expect(await types(`subject_id=${project_id}`)).toEqual(["project.updated", "project.created"]);
    expect(await types(`project_id=${project_id}`)).toEqual(["project.updated", "project.created"]);
    expect(await types(`agent_id=${agent.agent_id.toUpperCase()}`)).toEqual(["agent.created"]);
    const { body } = await tenant.get("/events?type=project.*&limit=1");
    expect(await types(`type=project.*&limit=2&cursor=${body.next_cursor}`)).toEqual([
      "project.created",
      "project.created",
    ]);
  });

  it("404: an event of another account or mode, or of none, answers exactly alike", async () => {
    const [tenant, other] = [await harness.seedTenant(), await harness.seedTenant()];
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    await project(tenant, "P");
    await untilEventsAreReadable(harness.app);
    const [{ id }] = (await tenant.get("/events")).body.data;
    expect((await tenant.get(`/events/${id}`)).body).toMatchObject({ object: "event", id, type: "project.created" });

    const answers = [
      await other.get(`/events/${id}`),
      await test.get(`/events/${id}`),
      await tenant.get(`/events/${newId("evt")}`),
    ];

    const texts = answers.map(({ status, text }) => [status, text.replaceAll(/req_\w+/g, "")]);
    expect(texts).toEqual(Array(3).fill([404, expect.stringContaining("event_not_found")]));
    expect(new Set(texts.map(String)).size).toBe(1);
    expect((await other.get("/events")).body.data).toEqual([]);
  });

  it.each([
    ["after", `after=${newId("evt")}`, "/query/after"],
    ["a cursor of another list", "cursor=cHJval9vbmU", "/query/cursor"],
    ["a type that is none", "type=payment", "/query/type"],
    ["an event that never happens", "type=payment.confirmd", "/query/type"],
    ["a subject that has no events", "type=invoice.*", "/query/type"],
    ["a cursor with a number that is too large", cursorOf("99999999999999999999"), "/query/cursor"],
    ["a cursor with an octal number", cursorOf("09"), "/query/cursor"],
  ])("422: %s", async (_what, query, pointer) => {
    const tenant = await harness.seedTenant();
    const { status, body } = await tenant.get(`/events?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it("names each type once", () => {
    expect(new Set(EVENT_TYPES).size).toBe(EVENT_TYPES.length);
  });

  describe("stream", () => {
    const open: { readonly end: () => void }[] = [];
    afterEach(() => {
      for (const stream of open.splice(0)) stream.end();
    });

    /** Opens a stream on a real connection, with the headers that `inject` would send. */
    async function stream(
      tenant: Pick<Tenant, "headersFor">,
      path = "/events/stream",
      headers: Record<string, string> = {},
    ) {
      if (harness.server.server.address() === null) await harness.server.listen({ host: "127.0.0.1", port: 0 });
      const address = harness.server.server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const signed = tenant.headersFor("GET", path, undefined, { headers });
      const lines: string[] = [];
      const ended = Promise.withResolvers<void>();
      const call = requestHttp({ host: "127.0.0.1", port, path: `/api/v1/svc${path}`, headers: signed });
      const status = new Promise<number>((resolve, reject) => {
        call.once("error", reject);
        call.once("response", (response) => {
          resolve(response.statusCode ?? 0);
          response.setEncoding("utf8").on("data", (text: string) => lines.push(...text.split("\n")));
          response.once("close", ended.resolve).on("error", () => {});
        });
      });
      call.end();
      open.push({ end: () => call.destroy() });
      const events = () =>
        lines.filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice("data: ".length)));
      return { status: await status, lines, events, ended: ended.promise };
    }
    const follow = () => harness.app.eventFeed.follow(harness.app);

    it("200: sends what happens, and after Last-Event-ID what was missed", async () => {
      const tenant = await harness.seedTenant();
      const first = await stream(tenant);
      expect(first.status).toBe(200);
      await project(tenant, "one");
      const seen = async (
        events: () => readonly { readonly data: { readonly object: { readonly name: string } } }[],
      ) => {
        await follow();
        return events().map(({ data }) => data.object.name);
      };
      await expect.poll(() => seen(first.events), { timeout: EVENTS_TIMEOUT_MS }).toEqual(["one"]);
      await project(tenant, "two");
      const [{ id }] = first.events();

      const second = await stream(tenant, "/events/stream?type=project.*", { "last-event-id": id });

      await expect.poll(() => seen(second.events), { timeout: EVENTS_TIMEOUT_MS }).toEqual(["two"]);
      expect(second.lines).toContain("event: project.created");
    });

    it("tells a client whose filter wants nothing where the log has been read to", async () => {
      const tenant = await harness.seedTenant();
      const { lines } = await stream(tenant, "/events/stream?type=wallet.*");
      await project(tenant, "one");
      const seen = async () => {
        await follow();
        const { body } = await tenant.get("/events?type=project.created");
        return body.data.some(({ id }: { readonly id: string }) => lines.includes(`id: ${id}`));
      };
      await expect.poll(seen, { timeout: EVENTS_TIMEOUT_MS }).toBe(true);
      expect(lines.filter((line) => line.startsWith("data:"))).toEqual([]);
    });

    it("ends when the key is revoked", async () => {
      const tenant = await harness.seedTenant();
      const key = await harness.seedKey(tenant.tenantId);
      const { ended, events } = await stream(key);
      const isEnded = { now: false };
      void ended.then(() => {
        isEnded.now = true;
      });
      await tenant.delete(`/developers/me/keys/${key.keyId}`);
      await project(tenant, "secret");

      const poll = async () => {
        await follow();
        return isEnded.now;
      };
      await expect.poll(poll, { timeout: EVENTS_TIMEOUT_MS }).toBe(true);
      expect(events()).toEqual([]);
    });

    it("ends within seconds when its session is logged out, although events keep coming", async () => {
      const { accessToken, refreshToken, developerId } = await accounts.seedAccount();
      const headers = { authorization: `Bearer ${accessToken}`, "x-svc-mode": "live" };
      const key = await harness.seedKey(developerId as TenantId);
      const { ended, status } = await stream({ headersFor: () => headers });
      expect(status).toBe(200);
      let isEnded = false;
      void ended.then(() => {
        isEnded = true;
      });
      expect((await accounts.call("POST", "/logout", { refresh_token: refreshToken })).status).toBe(204);

      for (let count = 0; count < 200 && !isEnded; count += 1) {
        await project(key, `n${count}`);
        await follow();
        await wait(100);
      }
      expect(isEnded).toBe(true);
    });

    it("429: more than 20 streams of an account", async () => {
      const tenant = await harness.seedTenant();
      const { max } = QUOTAS.eventStreams;
      for (let n = 0; n < max; n += 1) expect((await stream(tenant)).status).toBe(200);

      expect((await tenant.get("/events/stream")).status).toBe(429);
    });

    it("422: a Last-Event-ID that is not an event", async () => {
      const tenant = await harness.seedTenant();
      const { status, body } = await tenant.get("/events/stream", { headers: { "last-event-id": newId("evt") } });
      expect([status, body.errors[0].pointer]).toEqual([422, "/headers/last-event-id"]);
    });
  });
});
