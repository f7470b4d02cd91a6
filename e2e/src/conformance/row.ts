import { credentialOf, type Name, successStatus } from "./api-document.ts";
import type { Attempt, Extra, Operation, WrongCall } from "./operation.ts";
import { wrongCredentials } from "./wrong-credentials.ts";

/**
 * Defines a row: one operation and how it is called. Method, credential class and status are those of the OpenAPI document.
 * Parameters of the path have the values that earlier operations saved under their names. The operation is also called with
 * each wrong credential of its class.
 */
export function row(name: Name, extra: Extra = {}): Operation {
  const credential = credentialOf(name);
  const wrong = [...wrongCredentials(credential), ...(extra.wrong ?? [])];
  return { ...extra, name, credential, status: successStatus(name), wrong };
}

/** Defines a wrong call. */
export function wrong(description: string, status: number, attempt: Attempt = {}): WrongCall {
  return { description, status, ...attempt };
}
