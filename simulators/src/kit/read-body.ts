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

/** The media type that a body has to have; what is sent decides where the route takes either. */
export function bodiesOf(
  bodies: VendorBodies | "json or form",
  contentType: string | undefined,
): VendorBodies {
  if (bodies !== "json or form") return bodies;
  return mediaTypeOf(contentType) === MEDIA_TYPES.json ? "json" : "form";
}

/** A body in the one form that the route takes. An empty body is none, whatever it claims to be. */
export function readBody(
  rawBody: string,
  contentType: string | undefined,
  bodies: VendorBodies,
): ReadBody {
  if (rawBody === "") return { body: undefined, problems: [] };
  if (mediaTypeOf(contentType) !== MEDIA_TYPES[bodies])
    return unreadable(`must be ${MEDIA_TYPES[bodies]}`);
  if (bodies === "form") return { body: readForm(rawBody), problems: [] };
  try {
    return { body: JSON.parse(rawBody), problems: [] };
  } catch {
    return unreadable("must be JSON");
  }
}

/** Nested names as `a[b][0]=c`: the way of Stripe's forms, and of queries. */
export function readForm(text: string): Record<string, unknown> {
  return parse(text, { depth: 10, arrayLimit: 100, parameterLimit: 1_000 });
}

function mediaTypeOf(contentType: string | undefined): string | undefined {
  return contentType?.split(";")[0]?.trim().toLowerCase();
}

function unreadable(message: string): ReadBody {
  return { body: undefined, problems: [{ path: "", message }] };
}
