import { type Static, Type } from "typebox";

/** The version of the agentic provisioning protocol, sent with every call except those to the token endpoint. */
export const API_VERSION = "0.1d";

const Text = Type.String({ minLength: 1, maxLength: 2_000 });
/**
 * Ids are path segments and are stored. `.` and `..` are excluded, because they are other paths, and `~`, because it
 * separates the two ids of `ResourceIds`.
 */
const ResourceId = Type.String({ pattern: "^(?!\\.{1,2}$)[A-Za-z0-9_.:-]{1,100}$" });
const ServiceId = Type.String({ pattern: "^[a-z][a-z0-9_-]{0,49}$" });

const Paid = Type.Object({ freeform: Type.Optional(Text) });

const Service = Type.Object({
  id: ServiceId,
  kind: Type.Optional(Type.Enum(["plan", "deployable"])),
  description: Type.Optional(Text),
  categories: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
  /** Service ids, or objects with the id and whether the price rises or falls. */
  allowed_updates: Type.Optional(
    Type.Array(Type.Union([Type.String(), Type.Object({ service: Type.String() })]), {
      maxItems: 100,
    }),
  ),
  configuration_schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  pricing: Type.Object({
    type: Type.Enum(["free", "paid", "component"]),
    paid: Type.Optional(Paid),
    component: Type.Optional(
      Type.Object({
        options: Type.Array(
          Type.Object({
            parent_service_ids: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
            type: Type.Optional(Type.String()),
            paid: Type.Optional(Paid),
          }),
          { maxItems: 100 },
        ),
      }),
    ),
  }),
});
export type AgenticService = Static<typeof Service>;

const Cursor = Type.String({ maxLength: 2_000 });

export const Services = Type.Object({
  data: Type.Array(Service, { maxItems: 200 }),
  terms: Type.Optional(Type.Object({ version: Text, url: Text })),
  /** Absent, null or empty on the last page. */
  next_cursor: Type.Optional(Type.Union([Cursor, Type.Null()])),
});
export type ServicePage = Static<typeof Services>;
export type ServiceList = Pick<ServicePage, "data" | "terms">;

export const Health = Type.Object({
  status: Type.String(),
  supported_versions: Type.Array(Type.String(), { maxItems: 100 }),
});

export const AccountAnswer = Type.Object({
  type: Type.Enum(["oauth", "requires_auth", "error"]),
  oauth: Type.Optional(Type.Object({ code: Text })),
  requires_auth: Type.Optional(Type.Object({ redirect: Type.Optional(Type.Object({ url: Text })) })),
  error: Type.Optional(Type.Object({ code: Type.Optional(Type.String()) })),
});

export const Tokens = Type.Object({
  access_token: Text,
  refresh_token: Text,
  expires_in: Type.Integer({ minimum: 1, maximum: 31_536_000 }),
  account: Type.Optional(
    Type.Object({
      id: Type.String({ minLength: 1, maxLength: 200 }),
      payment_credentials: Type.Optional(Type.String()),
    }),
  ),
});

export const Resource = Type.Object({
  status: Type.Enum(["pending", "complete", "error"]),
  id: ResourceId,
  service_id: Type.Optional(Type.String()),
  project_id: Type.Optional(Type.String()),
  complete: Type.Optional(
    Type.Object({
      access_configuration: Type.Optional(Type.Record(Type.String(), Type.String(), { maxProperties: 20 })),
    }),
  ),
  error: Type.Optional(Type.Object({ code: Type.Optional(Type.String()) })),
});
export type AgenticResource = Static<typeof Resource>;

export const Resources = Type.Object({ data: Type.Array(Resource, { maxItems: 100 }) });
export const Removed = Type.Object({ id: Type.Optional(Type.String()) });
export const DeepLink = Type.Object({ url: Text, expires_at: Type.Optional(Type.String()) });

/**
 * The ids of a service's two resources. A deployable with component pricing needs a resource of its plan; with a provider
 * that answers both with one resource, and for other deployables, the ids are the same.
 */
export interface ResourceIds {
  readonly deployable: string;
  readonly plan: string;
}

export function joinIds({ deployable, plan }: ResourceIds): string {
  return deployable === plan ? deployable : `${deployable}~${plan}`;
}

export function splitIds(resourceId: string): ResourceIds {
  const [deployable = "", plan = deployable] = resourceId.split("~");
  return { deployable, plan };
}

/**
 * Returns the name of the variable for a credential. It starts with the provider's name, so that a provider cannot choose a
 * name that a program reads, or that another provider uses: `api_key` of `acme` becomes `ACME_API_KEY`.
 */
export function variableNameOf(provider: string, key: string): string {
  const [prefix, name] = [provider, key].map((text) => text.toUpperCase().replace(/[^A-Z0-9]+/g, "_"));
  return name?.startsWith(`${prefix}_`) ? name : `${prefix}_${name}`;
}
