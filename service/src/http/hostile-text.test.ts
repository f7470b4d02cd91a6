import { describe, expect, it } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { useHarness } from "../../test/harness.ts";

const REVERSED = "invoice\u202e4.99";
const ISOLATED = "a\u2066b\u2069";

describe("text that is shown to others", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  it.each<["post" | "put", string, string, (text: string) => object]>([
    ["post", "/projects", "/body/name", (name) => ({ name })],
    ["post", "/projects", "/body/description", (description) => ({ name: "a", description })],
    ["post", "/agents", "/body/name", (name) => ({ name })],
    ["post", "/agents", "/body/description", (description) => ({ name: "a", description })],
    ["post", "/agents", "/body/software/name", (name) => ({ name: "a", software: { name } })],
    ["post", "/policies", "/body/name", (name) => ({ name, rules: [] })],
    ["post", "/developers/me/keys", "/body/name", (name) => ({ name })],
    [
      "put",
      "/developers/provider-keys/helius",
      "/body/label",
      (label) => ({ credentials: { api_key: "k" }, verify: "skip", label }),
    ],
    [
      "post",
      "/kill-switch",
      "/body/reason",
      (reason) => ({ scope: "agent", id: "3b241101-e2bb-4255-8caf-4136c566a962", reason }),
    ],
    ["post", "/payments/send", "/body/purpose", (purpose) => ({ amount: "1.00", token: "USDC", to: "a", purpose })],
  ])("422: %s %s, %s: direction controls", async (method, path, pointer, body) => {
    const tenant = await harness.seedTenant();

    for (const text of [REVERSED, ISOLATED]) {
      const { status, body: problem } = await tenant[method](path, body(text));

      expect([path, status]).toEqual([path, 422]);
      const named = problem.errors.find((error: { pointer: string }) => error.pointer === pointer);
      expect(named?.detail).toContain("change the direction of the text");
    }
  });

  it("422: direction controls in the names of signups and devices", async () => {
    const signup = await accounts.signUp(accounts.newEmail(), { name: REVERSED });
    const device = await accounts.call("POST", "/oauth/device", { client_name: ISOLATED });

    expect([signup.status, device.status]).toEqual([422, 422]);
  });

  it.each(["\u200b\u200b", "\u3164", "\u2800", "\u00ad"])("422: a name of %j shows nothing", async (name) => {
    const { post } = await harness.seedTenant();

    for (const path of ["/projects", "/agents", "/developers/me/keys"]) {
      expect((await post(path, { name })).status).toBe(422);
    }
  });

  it("409: a project's name differs only in characters that are not displayed", async () => {
    const { post } = await harness.seedTenant();
    await post("/projects", { name: "Production" });

    expect((await post("/projects", { name: "Produc\u200btion" })).status).toBe(409);
  });

  it("201: names in right-to-left scripts and emoji with joiners", async () => {
    const { post } = await harness.seedTenant();

    for (const name of ["مشروع", "פרויקט", "👩‍💻 lab"]) {
      expect((await post("/projects", { name })).status).toBe(201);
    }
  });
});
