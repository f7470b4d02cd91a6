import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";

describe("GET and DELETE /projects/{project_id}/variables", () => {
  const harness = useHarness();

  async function arrange(...names: string[]) {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one" });
    const path = `/projects/${body.project_id}/variables`;
    for (const name of names) await tenant.put(`${path}/${name}`, { value: `value of ${name}` });
    return { tenant, path };
  }

  const names = ({ body }: { body: { data: { name: string }[] } }) => body.data.map(({ name }) => name);

  it("200: lists variables sorted by name, in pages, without values", async () => {
    const { tenant, path } = await arrange("B", "A_B", "AB", "_Z", "A");

    const first = await tenant.get(`${path}?limit=3`);
    const second = await tenant.get(`${path}?limit=3&cursor=${first.body.next_cursor}`);

    expect([first, second].map(names)).toEqual([
      ["A", "AB", "A_B"],
      ["B", "_Z"],
    ]);
    expect(first.body).toMatchObject({ object: "list", has_more: true });
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    expect(first.text + second.text).not.toContain("value of");
    expect(first.body.data[0]).toEqual({
      object: "variable",
      name: "A",
      environments: ["development", "production"],
      sensitive: true,
      version: 1,
      updated_at: harness.clock.now().toISOString(),
    });
  });

  it("200: returns one variable without its value", async () => {
    const { tenant, path } = await arrange("ONE");

    const { status, body, text } = await tenant.get(`${path}/ONE`);

    expect([status, body.name, body.version]).toEqual([200, "ONE", 1]);
    expect(text).not.toContain("value of");
  });

  it("200: deletes the variable from all environments; it is 404 afterwards", async () => {
    const { tenant, path } = await arrange("DELETED", "OTHER");

    expect(await tenant.delete(`${path}/DELETED`)).toMatchObject({
      status: 200,
      body: {
        object: "variable",
        name: "DELETED",
        environments: ["development", "production"],
        deleted: true,
      },
    });
    expect(names(await tenant.get(path))).toEqual(["OTHER"]);
    const after = [await tenant.get(`${path}/DELETED`), await tenant.delete(`${path}/DELETED`)];
    expect(after.map(({ status, body }) => [status, body.code])).toEqual([
      [404, "variable_not_found"],
      [404, "variable_not_found"],
    ]);
  });

  it("200: a variable that is set after its deletion starts at version 1", async () => {
    const { tenant, path } = await arrange("AGAIN");
    await tenant.delete(`${path}/AGAIN`);

    const { body } = await tenant.put(`${path}/AGAIN`, {
      value: "x",
      environments: ["production"],
    });

    expect(body).toMatchObject({ version: 1, environments: ["production"] });
  });

  it.each([
    ["limit=0", "/query/limit"],
    ["limit=101", "/query/limit"],
    ["cursor=AAAA", "/query/cursor"],
    ["cursor=QQ%3D%3D", "/query/cursor"],
    ["page=1", "/query/page"],
  ])("422: ?%s", async (query, pointer) => {
    const { tenant, path } = await arrange();

    const answer = await tenant.get(`${path}?${query}`);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });
});
