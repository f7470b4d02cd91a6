import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf } from "../../../../../test/second-factors.ts";
import { startSession } from "../../../../modules/developers/sessions/start-session.ts";

const PATH = "/dashboard/identities";

describe("/developers/dashboard/identities", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const secondFactors = secondFactorsOf(harness, accounts);
  type Account = Awaited<ReturnType<typeof accounts.seedAccount>>;

  /** Creates an account that logs in with the given providers, with or without a password. */
  async function seed(providers: readonly string[], { password = true } = {}) {
    const account = await accounts.seedAccount();
    for (const provider of providers) await link(provider, account);
    if (!password) {
      const { developerId } = account;
      await accounts.query("delete from developer_passwords where tenant_id = $1", [developerId]);
    }
    return account;
  }

  async function link(provider: string, { developerId, email }: Account) {
    const subject = `${provider}-${developerId}`;
    await accounts.query("insert into developer_identities values ($1, $2, $3, $4, $5, $5)", [
      developerId,
      provider,
      subject,
      email,
      harness.clock.now(),
    ]);
  }

  const unlink = (provider: string, { as }: Account, body?: object) =>
    accounts.call("DELETE", `${PATH}/${provider}`, body, as);

  it("200: lists the identities of the account only", async () => {
    await seed(["google"]);
    const { as, email } = await seed(["google", "github"]);
    const at = harness.clock.now().toISOString();
    const identity = { object: "identity", email, linked_at: at, last_used_at: at };

    const { status, body } = await accounts.call("GET", PATH, undefined, as);

    expect(status).toBe(200);
    expect(body).toEqual({
      object: "list",
      data: [
        { ...identity, provider: "github" },
        { ...identity, provider: "google" },
      ],
      has_more: false,
    });
  });

  it("204: unlinks an identity, writes an audit entry and notifies the owner", async () => {
    const account = await seed(["google", "github"]);

    const answer = await unlink("github", account);

    expect(answer).toMatchObject({ status: 204, text: "" });
    const { body } = await accounts.call("GET", "/dashboard/me", undefined, account.as);
    expect(body.auth_methods).toEqual(["password", "google"]);
    expect(
      await accounts.query("select provider from developer_identities where tenant_id = $1", [account.developerId]),
    ).toEqual([{ provider: "google" }]);
    expect(
      await accounts.query(
        "select facts from audit_entries where tenant_id = $1 and action = 'developer.identity_unlinked'",
        [account.developerId],
      ),
    ).toEqual([{ facts: { provider: "github" } }]);
    await harness.deliverMails();
    const mail = harness.mails.findLast(({ to }) => to === account.email);
    expect(mail?.subject).toBe("You can no longer log in to Purser with GitHub");
  });

  it("401: a login with the unlinked identity that waited for its second factor", async () => {
    const device = await secondFactors.seed();
    await link("github", device);
    const { mfaToken } = (await startSession(harness.app, {
      tenantId: device.developerId as `dev_${string}`,
      client: { network: "192.0.2.1", userAgent: null, requestId: "req_test" },
      method: "github",
      subject: `github-${device.developerId}`,
    })) as { mfaToken: string };

    expect((await unlink("github", device)).status).toBe(204);

    expect((await secondFactors.finish(mfaToken, device.code())).status).toBe(401);
  });

  it("404: the provider is unknown, not linked, or linked to another account", async () => {
    const account = await seed(["google"]);
    await seed(["github"]);

    for (const provider of ["github", "gitlab", "GOOGLE"]) {
      expect(await unlink(provider, account)).toMatchObject({
        status: 404,
        body: { code: "identity_not_found" },
      });
    }
  });

  it("409: the account's last login method, including two concurrent calls", async () => {
    for (let round = 0; round < 3; round += 1) {
      const account = await seed(["google", "github"], { password: false });

      const answers = await Promise.all(["google", "github"].map((provider) => unlink(provider, account)));

      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.body.code).toBe("conflict");
    }
  });

  it("403: the login is older than 15 minutes and no password is sent", async () => {
    const account = await seed(["google", "github"]);
    harness.clock.advanceSeconds(901);
    const { refreshToken: refresh_token } = account;
    const refreshed = await accounts.call("POST", "/token/refresh", { refresh_token });
    const authorization = `Bearer ${refreshed.body.access_token}`;
    const old = { ...account, as: { headers: { authorization } } };

    expect(await unlink("google", old)).toMatchObject({
      status: 403,
      body: { code: "reauthentication_required" },
    });
    expect((await unlink("google", old, { password: PASSWORD })).status).toBe(204);
  });
});
