import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { type ApiResponse, PREFIX, type useHarness } from "./harness.ts";

type Harness = ReturnType<typeof useHarness>;

export const PASSWORD = "tin whistle under glass";

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's IP address. By default every call has a new address, so that calls share no rate limit. */
  readonly from?: string;
}

/** Returns the named cookie as the browser sends it (`name=value`), or an empty string. */
export function cookieOf({ headers }: Pick<ApiResponse, "headers">, name: string): string {
  const set = [headers["set-cookie"] ?? []].flat();
  return set.find((cookie) => cookie.startsWith(`${name}=`))?.split(";")[0] ?? "";
}

/** Helpers for unsigned requests from a browser or script. Tests supply the tokens or cookies. */
export function accountsOf(harness: Harness) {
  let callers = 0;
  const newAddress = () => {
    callers += 1;
    return `198.51.${Math.floor(callers / 250)}.${(callers % 250) + 1}`;
  };

  async function call(
    method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE",
    path: string,
    payload?: string | object,
    { headers = {}, from = newAddress() }: CallOptions = {},
  ): Promise<ApiResponse> {
    const body = typeof payload === "object" ? JSON.stringify(payload) : payload;
    return harness.send({
      method,
      url: `${PREFIX}/developers${path}`,
      remoteAddress: from,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    });
  }

  const newEmail = () => `ada-${randomUUID()}@example.com`;

  async function signUp(email = newEmail(), more: object = {}): Promise<ApiResponse> {
    return call("POST", "/signup", {
      email,
      password: PASSWORD,
      captcha_token: "sandbox-pass",
      ...more,
    });
  }

  const logIn = (email: string, password = PASSWORD, options: CallOptions = {}) =>
    call("POST", "/login", { email, password }, options);

  /** Returns the tokens in the verification emails sent to this email address, oldest first. */
  async function verificationTokensOf(email: string): Promise<string[]> {
    await harness.deliverMails();
    return harness.mails
      .filter(({ to }) => to === email)
      .flatMap(({ text }) => /verify-email\?token=([\w-]+)/.exec(text)?.[1] ?? []);
  }

  /** Requests a password reset and returns the token in the newest password reset email. */
  async function requestResetToken(email: string): Promise<string> {
    await call("POST", "/password/forgot", { email });
    await harness.deliverMails();
    const tokens = harness.mails
      .filter(({ to }) => to === email)
      .flatMap(({ text }) => /login\/reset\?token=([\w-]+)/.exec(text)?.[1] ?? []);
    return tokens.at(-1) ?? "";
  }

  /**
   * Creates a developer who has signed up, verified their email address and logged in. By default, the login sends the
   * cookie that the verification link sets. The cookie proves that the owner of the email address chose the password.
   * If `proven` is false, the login sends no cookie.
   */
  async function seedAccount({ verified = true, proven = true, email = newEmail() } = {}) {
    await signUp(email);
    let cookie = "";
    if (verified) {
      const [token = ""] = await verificationTokensOf(email);
      const followed = await call("GET", `/verify-email?token=${token}`);
      if (proven) cookie = cookieOf(followed, "svc_verification");
    }
    const { body } = await logIn(email, PASSWORD, { headers: { cookie } });
    const authorization = `Bearer ${body.access_token}`;
    return {
      email,
      developerId: body.developer.developer_id as string,
      refreshToken: body.refresh_token as string,
      accessToken: body.access_token as string,
      as: { headers: { authorization } },
    };
  }

  /** Returns every row of every table as text, read as a superuser. */
  async function everyRow(): Promise<string> {
    const client = new Client({ connectionString: harness.database.superuserUrl });
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query(`select to_jsonb(t)::text as row from "${name}" t`);
      texts.push(`# ${name}`, ...rows.map(({ row }) => String(row)));
    }
    await client.end();
    return texts.join("\n");
  }

  async function query(text: string, values: readonly unknown[] = []) {
    const client = new Client({ connectionString: harness.database.superuserUrl });
    await client.connect();
    const { rows } = await client.query(text, [...values]);
    await client.end();
    return rows;
  }

  return {
    call,
    newAddress,
    newEmail,
    signUp,
    logIn,
    verificationTokensOf,
    requestResetToken,
    seedAccount,
    everyRow,
    query,
  };
}
