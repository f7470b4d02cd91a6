import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, type TObject, type TProperties, Type } from "typebox";
import type { App } from "../../../app.ts";
import { AppError, type ErrorCode } from "../../../foundation/errors.ts";
import { isSameOrigin } from "../../auth/same-origin.ts";
import { endpoint, type NamesIn, type Route } from "../../route.ts";

/** A browser's request, and the reply to it. */
export interface Visit {
  readonly app: App;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Sent = FastifyReply | Promise<FastifyReply>;
type PathOf<Url extends string> = { readonly [Name in NamesIn<Url>]: string };

/** Returns the route of a page. Unknown query parameters are ignored. */
export function page<const Url extends string>(url: Url, show: (visit: Visit, path: PathOf<Url>) => Sent): Route {
  return endpoint(`GET|HEAD ${url as string}`, {
    auth: "public",
    page: true,
    ignoresUnknownQuery: true,
    run: async (app, request, reply) => show({ app, request, reply }, request.params as PathOf<Url>),
  });
}

/**
 * Returns the route to which a page's form is sent. Rejects forms from pages of other sites. `once` is the form's CSRF token,
 * which `submit` must check.
 */
export function form<const Url extends string, const Fields extends TProperties>({
  url,
  fields,
  submit,
}: {
  readonly url: Url;
  readonly fields: Fields;
  readonly submit: (visit: Visit, fields: Static<TObject<Fields>> & { once: string }, path: PathOf<Url>) => Sent;
}): Route {
  const body = Type.Object({ once: Type.String({ maxLength: 200 }), ...fields }, { additionalProperties: false });
  return endpoint(`POST ${url as string}`, {
    auth: "public",
    bodyFormat: "form",
    ignoresUnknownQuery: true,
    body,
    run: async (app, request, reply) => {
      if (!isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
      const sent = request.body as Static<TObject<Fields>> & { once: string };
      return submit({ app, request, reply }, sent, request.params as PathOf<Url>);
    },
  });
}

/** Returns the route of something that is not a page for people, such as a script or a health probe. */
export function asset(url: string, send: (visit: Visit) => Sent): Route {
  return endpoint(`GET|HEAD ${url}`, {
    auth: "public",
    page: true,
    run: async (app, request, reply) => send({ app, request, reply }),
  });
}

export function textInQuery({ query }: FastifyRequest, name: string): string {
  const text: unknown = typeof query === "object" && query !== null && Reflect.get(query, name);
  return typeof text === "string" ? text : "";
}

/** Returns the error if it has one of the codes, for which a page has a text. Throws any other error. */
export function expectError(thrown: unknown, ...codes: readonly ErrorCode[]): AppError {
  if (thrown instanceof AppError && codes.includes(thrown.code)) return thrown;
  throw thrown;
}
