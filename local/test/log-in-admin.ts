import { totpCode } from "@purser/service/crypto/totp.ts";
import { sendOnce } from "../../e2e/src/signed-client.ts";
import type { StartLine } from "./local-profile.ts";

/** Logs in with the admin credentials that `npm start` prints. Returns the HTTP status of the last request. */
export async function logInAdmin({ base_url, admin }: StartLine): Promise<number> {
  const { email, password, totp_secret } = admin;
  const post = (path: string, body: object) =>
    sendOnce(`${base_url}/api/v1/svc/admin/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const first = await post("login", { email, password });
  if (first.status !== 200) return first.status;
  const { mfa_token } = JSON.parse(first.text);
  const code = totpCode(totp_secret, new Date());
  return (await post("login/totp", { mfa_token, code })).status;
}
