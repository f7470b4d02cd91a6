import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";

/** Solves an ALTCHA challenge as its widget does in a browser. Returns the token: challenge and solution in base64. */
export async function solveCaptcha(received: object): Promise<string> {
  const challenge = received as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (solution === null) throw new Error("The captcha could not be solved in time.");
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}
