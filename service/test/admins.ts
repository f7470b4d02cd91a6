import { totpCode } from "../src/crypto/totp.ts";
import { createAdmin, type NewAdmin } from "../src/modules/admins/admins.ts";
import { type ApiResponse, PREFIX, type useHarness } from "./harness.ts";

type Harness = ReturnType<typeof useHarness>;

/** The period after which TOTP codes change, in seconds. */
export const STEP_SECONDS = 30;

export interface AdminCallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string;
}

/** Helpers for requests from an admin's browser or script. */
export function adminsOf(harness: Harness) {
  let created = 0;
  const next = () => {
    created += 1;
    return created;
  };
  const newAddress = () => {
    const number = next();
    return `203.0.${Math.floor(number / 250)}.${(number % 250) + 1}`;
  };

  function post(
    path: string,
    payload?: object,
    { headers = {}, from = newAddress() }: AdminCallOptions = {},
  ): Promise<ApiResponse> {
    return harness.send({
      method: "POST",
      url: PREFIX + path,
      remoteAddress: from,
      headers: {
        ...(payload === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    });
  }

  const seedAdmin = (email = `admin${next()}@purser.test`): Promise<NewAdmin> =>
    createAdmin(harness.app, { email, password: undefined });

  const codeOf = ({ totpSecret }: NewAdmin) => totpCode(totpSecret, harness.clock.now());

  const logIn = ({ email, password }: NewAdmin, options?: AdminCallOptions) =>
    post("/admin/login", { email, password }, options);

  /** Completes the password step of a login and returns the `mfa_token`. */
  async function beginLogin(admin: NewAdmin, options?: AdminCallOptions): Promise<string> {
    return (await logIn(admin, options)).body.mfa_token;
  }

  const sendCode = (mfaToken: string, code: string, options?: AdminCallOptions) =>
    post("/admin/login/totp", { mfa_token: mfaToken, code }, options);

  /** Creates an admin and logs in. */
  async function seedSession() {
    const admin = await seedAdmin();
    const { body, headers } = await sendCode(await beginLogin(admin), codeOf(admin));
    const accessToken: string = body.access_token;
    return {
      ...admin,
      accessToken,
      cookie: String(headers["set-cookie"]).split(";")[0] ?? "",
      as: { headers: { authorization: `Bearer ${accessToken}` } },
    };
  }

  return { post, newAddress, seedAdmin, codeOf, logIn, beginLogin, sendCode, seedSession };
}
