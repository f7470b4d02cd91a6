import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import { api } from "../api/client.ts";

/** Gets a captcha challenge and solves it, which takes about a second. Returns the value of `captcha_token`. */
export async function solveCaptcha(): Promise<string> {
  const { data } = await api.GET("/developers/captcha");
  const challenge = data as unknown as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}
