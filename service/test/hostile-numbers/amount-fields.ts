import { PREFIX } from "../harness.ts";

/** The JSON Schema keywords that this module reads. */
interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
}

interface Operation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly schema?: SchemaNode;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: SchemaNode }>>;
  };
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, SchemaNode>> };
}

export interface RequestField {
  /** For example `PATCH /projects/{project_id}`. */
  readonly route: string;
  /** JSON pointer to the field, for example `/body/provider_caps/neon`. `*` stands for any name and any index. */
  readonly pointer: string;
  readonly isDecimal: boolean;
  readonly isNullable: boolean;
}

/** Returns every field of every request: the parameters, and the fields of the bodies at any depth. */
export function requestFields({ paths, components }: Document): RequestField[] {
  const schemas = components?.schemas ?? {};
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      const route = `${method.toUpperCase()} ${path.slice(PREFIX.length)}`;
      const parts = [
        ...parameters.map(({ in: part, name, schema = {} }) => ({
          pointer: `/${part}/${name}`,
          node: schema,
        })),
        ...Object.values(requestBody?.content ?? {}).map(({ schema = {} }) => ({
          pointer: "/body",
          node: schema,
        })),
      ];
      return parts.flatMap(({ pointer, node }) =>
        fieldsOf(node, pointer, schemas).map((field) => ({ route, ...field })),
      );
    }),
  );
}

function fieldsOf(
  node: SchemaNode,
  pointer: string,
  schemas: Readonly<Record<string, SchemaNode>>,
): Omit<RequestField, "route">[] {
  const members = membersOf(node, schemas);
  const own = {
    pointer,
    isDecimal: members.some(({ format }) => format === "decimal"),
    isNullable: members.some(({ type }) => [type].flat().includes("null")),
  };
  const inner = members.flatMap(({ properties, patternProperties = {}, additionalProperties, items }) => [
    ...Object.entries(properties ?? {}),
    ...[...Object.values(patternProperties), additionalProperties, items]
      .filter((one) => typeof one === "object")
      .map((one): [string, SchemaNode] => ["*", one]),
  ]);
  return [own, ...inner.flatMap(([name, one]) => fieldsOf(one, `${pointer}/${name}`, schemas))];
}

/** Returns the schema and the members of its unions and intersections, with references resolved. */
function membersOf({ $ref, ...node }: SchemaNode, schemas: Readonly<Record<string, SchemaNode>>): SchemaNode[] {
  const { anyOf = [], oneOf = [], allOf = [] } = node;
  const referenced = $ref === undefined ? [] : [schemas[$ref.split("/").at(-1) ?? ""] ?? {}];
  const inner = [...referenced, ...anyOf, ...oneOf, ...allOf];
  return [node, ...inner.flatMap((one) => membersOf(one, schemas))];
}
