import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly "x-codeSamples"?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
type Content = Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;

const document = JSON.parse(await readFile(new URL("../../../openapi/openapi.json", import.meta.url), "utf8"));
const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((methods) =>
  Object.values(methods),
);

it("names the schema of every JSON response", () => {
  const unnamed = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status, { content }]) => {
        const schema = content?.["application/json"]?.schema;
        return status.startsWith("2") && schema !== undefined && schema.$ref === undefined;
      })
      .map(([status]) => `${operationId} ${status}`),
  );

  expect(operations.length).toBeGreaterThan(70);
  expect(unnamed).toEqual([]);
});

it("shows how to call every signed operation with the SDKs and with curl", () => {
  const signed = operations.filter(({ security }) => security.some((one) => "apiKey" in one));

  expect(signed.length).toBeGreaterThan(35);
  expect(signed.filter((one) => one["x-codeSamples"]?.length !== 3)).toEqual([]);
});

it("has summaries of at most six words, without a full stop", () => {
  const summaries = operations.map(({ summary }) => summary);

  expect(summaries.filter((summary) => !/^[A-Z]\S*( \S+){1,5}$/.test(summary))).toEqual([]);
  expect(summaries.filter((summary) => summary.endsWith("."))).toEqual([]);
});

it("gives every operation one tag, which the document describes", () => {
  const tags: readonly { name: string; description?: string }[] = document.tags;
  const described = tags.filter(({ description }) => description).map(({ name }) => name);

  expect(operations.filter((one) => one.tags.length !== 1)).toEqual([]);
  expect(described).toEqual(expect.arrayContaining(operations.flatMap((one) => one.tags)));
});
