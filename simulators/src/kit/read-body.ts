import { parse } from "qs";
import type { RequestProblem, VendorBodies } from "./vendor-simulator.ts";

const MEDIA_TYPES: Readonly<Record<VendorBodies, string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
};

interface ReadBody {
  readonly body: unknown;
  readonly problems: readonly RequestProblem[];
}

/** Returns the encoding that the body must have. If the route accepts JSON and forms, the Content-Type decides. */
export function bodiesOf(bodies: VendorBodies | "json or form", contentType: string | undefined): VendorBodies {
  if (bodies !== "json or form") return bodies;
  return mediaTypeOf(contentType) === MEDIA_TYPES.json ? "json" : "form";
}

/** Parses a body in the expected encoding. An empty body is parsed as undefined, regardless of the Content-Type. */
export function readBody(rawBody: string, contentType: string | undefined, bodies: VendorBodies): ReadBody {
  if (rawBody === "") return { body: undefined, problems: [] };
  if (mediaTypeOf(contentType) !== MEDIA_TYPES[bodies]) return unreadable(`must be ${MEDIA_TYPES[bodies]}`);
  if (bodies === "form") return { body: readForm(rawBody), problems: [] };
  try {
    return { body: JSON.parse(rawBody), problems: [] };
  } catch {
    return unreadable("must be JSON");
  }
}

/** Parses a form or a query string. Nested fields are written as `a[b][0]=c`. */
export function readForm(text: string): Record<string, unknown> {
  return parse(text, { depth: 10, arrayLimit: 100, parameterLimit: 1_000 });
}

function mediaTypeOf(contentType: string | undefined): string | undefined {
  return contentType?.split(";")[0]?.trim().toLowerCase();
}

function unreadable(message: string): ReadBody {
  return { body: undefined, problems: [{ path: "", message }] };
}
