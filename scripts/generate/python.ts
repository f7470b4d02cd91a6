import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Document, nameOf, type Operation, type Schema } from "./operations.ts";

const PACKAGE = "sdk/python/src/purser_sdk";
/** The classes in `_async/parts.py`, from which classes of the same name inherit, and their methods. */
const PARTS: ReadonlySet<string> = new Set([
  ...["Operations", "ProjectsOperations", "Approvals", "ProjectsEnv", "Audit", "Events", "Webhooks"],
]);
const HAND_WRITTEN: ReadonlySet<string> = new Set(["pullEnv", "exportAuditChain", "streamEvents"]);
const HEADER = `# Generated from openapi/openapi.json by \`npm run generate\`. Do not edit.
# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict
`;
const MODELS = `${HEADER}
from ._model import Amount as Amount, Model as Model

if TYPE_CHECKING:
    from typing_extensions import NotRequired
`;
const RESOURCES = `${HEADER}
from .._call import NOT_GIVEN, NotGiven, RequestOptions, given, path_segment
from ..models import *
from . import parts
from .pages import AsyncPages
from .resource import AsyncResource
`;
const SCALARS = Object.entries({ string: "str", integer: "int", number: "float", boolean: "bool", null: "None" });
const KEYWORDS =
  /^(and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)$/;

/** A field of a class, or an argument of a method. */
interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

const AGENT: Field = { name: "agent_id", type: "str", isRequired: false, description: "Default: the client's agent." };

/** Returns the files of the Python SDK that are not written by hand, by their path in the repository. */
export function pythonFiles(document: Document, operations: readonly Operation[]): Readonly<Record<string, string>> {
  const [models, params] = [new Types(document, { isRequest: false }), new Types(document, { isRequest: true })];
  const methods = new Map<string, string[]>();
  for (const operation of operations) {
    const paths = operation.sdk.map((_, end) => operation.sdk.slice(0, end).join("."));
    for (const path of paths) methods.set(path, methods.get(path) ?? []);
    const text = method(operation, models, params);
    if (!HAND_WRITTEN.has(operation.operationId)) methods.get(paths.at(-1) ?? "")?.push(text);
  }
  const paths = [...methods.keys()];
  const classes = paths.map((path) => resourceClass(path, paths, methods.get(path) ?? []));
  const resources = [RESOURCES, ...classes].join("\n\n");
  const folder = path.join(import.meta.dirname, "../..", PACKAGE, "_async");
  const files: Record<string, string> = {
    [`${PACKAGE}/models.py`]: [MODELS, ...new Map([...models.classes, ...params.classes]).values()].join("\n\n"),
    [`${PACKAGE}/_async/resources.py`]: resources,
  };
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".py"))) {
    const text = file === "resources.py" ? resources : readFileSync(path.join(folder, file), "utf8");
    files[`${PACKAGE}/_sync/${file}`] = toSync(text);
  }
  return files;
}

/** Returns the text of a module in `_sync`, made from that of the module in `_async`. */
function toSync(text: string): string {
  const sync = text
    .replace(/^# Generated .*\n/, "")
    .replace("client for asyncio.", "client. Several threads can use it.")
    .replace(/Awaitable\[(\w+)\]/g, "$1")
    .replace(/\basyncio\b/g, "time")
    .replace(/\b(async|await) |Awaitable, |(?<=handle_)async_|(?<=\.|__)a(?=close|read|iter|enter|exit)/g, "")
    .replace(/\bAsync(?=[A-Z])/g, "");
  return `# Generated from \`_async\` by \`npm run generate\`. Do not edit.\n${sync}`;
}

/** Translates schemas into Python types, and collects the classes that they need. */
class Types {
  readonly classes = new Map<string, string>();
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #isRequest: boolean;

  /** Objects of responses are models with attributes. Objects in requests are dicts. */
  constructor({ components }: Document, { isRequest }: { isRequest: boolean }) {
    this.#schemas = components.schemas;
    this.#isRequest = isRequest;
  }

  /** Returns the type of a value. `name` names the class of an object whose schema has no name. */
  of(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return this.#ofNamed(nameOf(schema.$ref));
    const constants = schema.enum ?? [schema.const].filter((one) => one !== undefined);
    if (constants.length > 0) return `Literal[${constants.map(literal).join(", ")}]`;
    if (schema.format === "decimal" && this.#isRequest) return "Amount";
    const alternatives = schema.anyOf ?? schema.oneOf;
    const types = alternatives
      ? alternatives.map((one, at) => this.of(one, at === 0 ? name : `${name}${at + 1}`))
      : [schema.type ?? []].flat().map((type) => this.#ofType(type, schema, name));
    return [...new Set(types)].sort((a, b) => Number(a === "None") - Number(b === "None")).join(" | ") || "Any";
  }

  /** An enum that has a name keeps it, and is the same in requests and responses. */
  #ofNamed(name: string): string {
    const schema = this.#schemas[name] ?? {};
    const type = this.of(schema, name);
    if (schema.enum === undefined) return type;
    this.classes.set(name, `${name} = ${type}\n`);
    return name;
  }

  /** Returns the fields of an object. `parent` starts the names of the classes that they need. */
  fieldsOf(schema: Schema, parent: string): Field[] {
    const { properties = {}, required = [] } = this.#schemas[nameOf(schema.$ref ?? "")] ?? schema;
    return Object.entries(properties).map(([name, one]) => {
      const type = this.of(one, parent + pascalCase(name));
      return { name, type, isRequired: required.includes(name), description: one.description };
    });
  }

  #ofType(type: string, schema: Schema, name: string): string {
    const { items = {}, additionalProperties: values } = schema;
    const item = name.replace(/(?<![su])s$/, "");
    if (type === "array") return `${this.#isRequest ? "Sequence" : "list"}[${this.of(items, item)}]`;
    if (type !== "object") return new Map(SCALARS).get(type) ?? "Any";
    if (schema.properties) return this.#classOf(schema, this.#isRequest ? `${name}Param` : name);
    return `dict[str, ${this.of(typeof values === "object" ? values : {}, name)}]`;
  }

  #classOf(schema: Schema, name: string): string {
    const before = this.classes.get(name);
    if (before === "") return name; // The schema contains itself.
    this.classes.set(name, "");
    const fields = this.fieldsOf(schema, name.replace(/Param$/, ""));
    const text = this.#isRequest ? typedDict(name, fields) : model(name, schema, fields);
    if (before && before !== text) throw new Error(`Two schemas need the Python class ${name}.`);
    this.classes.set(name, text);
    return name;
  }
}

function model(name: string, { description }: Schema, fields: readonly Field[]): string {
  const lines = fields.map(({ name: field, type, isRequired, description: text }) => {
    return `    ${identifier(field)}: ${type}${isRequired || type.endsWith("None") ? "" : " | None"}\n${docstring(4, text)}`;
  });
  return `class ${name}(Model):\n${docstring(4, description)}${lines.join("")}`;
}

/** Keys can be keywords, so the class is not written as a class statement. */
function typedDict(name: string, fields: readonly Field[]): string {
  const lines = fields.map(({ name: key, type, isRequired, description }) => {
    const value = isRequired ? type : `NotRequired[${type}]`;
    return `${description ? `    # ${description}\n` : ""}    ${literal(key)}: ${literal(value)},\n`;
  });
  return `${name} = TypedDict("${name}", {\n${lines.join("")}})\n`;
}

function resourceClass(path: string, paths: readonly string[], methods: readonly string[]): string {
  const name = pascalCase(path) || "Root";
  const children = paths.filter((one) => one !== "" && one.split(".").slice(0, -1).join(".") === path);
  const named = (one: string) =>
    `self.${snakeCase(one.split(".").at(-1))} = Async${pascalCase(one)}Resource(*self._parts)`;
  const attributes = children.map((one) => `        ${named(one)}\n`).join("");
  const create = attributes ? [`    def _create(self) -> None:\n${attributes}`] : [];
  const base = PARTS.has(name) ? `parts.Async${name}Part` : "AsyncResource";
  return `class Async${name}Resource(${base}):\n${[...create, ...methods].join("\n") || "    pass\n"}`;
}

function method(operation: Operation, models: Types, params: Types): string {
  const { sdk, method: verb, access, requiresAgent, pathParameters, operationId, item } = operation;
  // `simulate` is a method, so it is no argument of `send`, whose response is then a payment.
  const response = operationId === "sendPayment" ? { $ref: "Payment" } : operation.response;
  const bodyName = nameOf(operation.body?.$ref ?? pascalCase(operationId));
  const body = params.fieldsOf(operation.body ?? {}, bodyName).filter(({ name }) => name !== "simulate");
  const query = operation.query.map((one) => ({ ...one, type: params.of(one.schema, "") }));
  const fields: Field[] = [...body, ...query];
  const keywords = requiresAgent ? [AGENT, ...fields.filter(({ name }) => name !== AGENT.name)] : fields;
  const docs = keywords.flatMap((one) => (one.description ? [`    ${identifier(one.name)}: ${one.description}`] : []));
  const paragraphs = [`${operation.summary}.`, operation.description, ["Args:", ...docs].join("\n")];
  const doc = docstring(8, paragraphs.slice(0, docs.length > 0 ? 3 : 2).join("\n\n"));
  const result = response ? models.of(response, pascalCase(operationId)) : "None";
  const path = operation.path.replace(/\{(\w+)\}/g, (_, id: string) => `{path_segment(${identifier(id)})}`);
  const sent = `${operation.body ? `, body=${dictOf(body)}` : ""}${query.length > 0 ? `, query=${dictOf(query)}` : ""}`;
  const target = `f"${path}", "${access}", ${result}, options${sent}`;
  const ids = pathParameters.map(({ name }) => `${identifier(name)}: str`);
  const lines = ["self", ...ids, "*", ...keywords.map(argument), "options: RequestOptions | None = None"];
  const head = `def ${snakeCase(sdk.at(-1))}(\n${lines.map((line) => `        ${line},\n`).join("")}    )`;
  const acting = requiresAgent ? "        agent_id, options = self._acting(agent_id, options)\n" : "";
  return item
    ? `    ${head} -> AsyncPages[${models.of(item, "")}, ${result}]:\n${doc}        return self._pages(${target})\n`
    : `    async ${head} -> ${result}:\n${doc}${acting}        return await self._call("${verb}", ${target})\n`;
}

function argument({ name, type, isRequired }: Field): string {
  const constant = /^Literal\[("[^"]*")\]$/.exec(type)?.[1];
  if (isRequired) return `${identifier(name)}: ${type}${constant ? ` = ${constant}` : ""}`;
  return `${identifier(name)}: ${type} | ${type.endsWith("None") ? "NotGiven = NOT_GIVEN" : "None = None"}`;
}

/** Returns the call that collects the fields which the caller gave. */
function dictOf(fields: readonly Field[]): string {
  const dict = (some: readonly Field[]) => `{${some.map(({ name }) => `"${name}": ${identifier(name)}`).join(", ")}}`;
  const [nullable, others] = [true, false].map((is) => fields.filter(({ type }) => type.endsWith("None") === is));
  return `given(${dict(others ?? [])}, ${dict(nullable ?? [])})`;
}

function docstring(indent: number, text = ""): string {
  const margin = " ".repeat(indent);
  const lines = text.replaceAll("\\", "\\\\").split(/\n(?=[^\n])/);
  return text && `${margin}"""${lines.join(`\n${margin}`)}${lines.length > 1 ? `\n${margin}` : ""}"""\n`;
}

function literal(value: unknown): string {
  return typeof value === "boolean" ? pascalCase(`${value}`) : JSON.stringify(value);
}

function identifier(name: string): string {
  return KEYWORDS.test(name) ? `${name}_` : name;
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|[._-])(\w)/g, (_, first: string) => first.toUpperCase());
}

function snakeCase(name = ""): string {
  return name.replace("GitHub", "Github").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
