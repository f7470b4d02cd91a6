import type { App } from "../../app.ts";
import { callStore } from "../../foundation/deadline.ts";
import { type AppError, invalidField } from "../../foundation/errors.ts";

/** A verifier may be somebody else's server. */
const TIMEOUT_MS = 3_000;

/** Goes on only with a token that solves a fresh challenge. A verifier that cannot tell lets nobody through. */
export async function requireCaptcha(
  app: Pick<App, "captcha" | "clock">,
  token: string | undefined,
): Promise<void> {
  if (token === undefined) throw refusal("required", "is needed here: solve a captcha first");
  const verdict = app.captcha.verify(token, app.clock.now());
  const isSolved = await callStore(verdict, TIMEOUT_MS, "checking a captcha");
  if (!isSolved) {
    throw refusal("captcha", "does not solve a captcha that is fresh: get a new one");
  }
}

function refusal(code: string, detail: string): AppError {
  return invalidField("/body/captcha_token", code, detail);
}
