import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";

/** Solves an ALTCHA challenge as the browser widget does. Returns the captcha token, which contains the solution. */
export async function solveCaptcha(received: object): Promise<string> {
  const challenge = received as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (solution === null) throw new Error("The captcha could not be solved in time.");
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}
