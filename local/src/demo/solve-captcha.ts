import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";

/** Does what ALTCHA's widget does in a browser: finds the solution, and packs it with its challenge into a token. */
export async function solveCaptcha(handedOut: object): Promise<string> {
  const challenge = handedOut as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (solution === null) throw new Error("The captcha could not be solved in time.");
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}
