import * as Address from "ox/Address";
import { ASSETS } from "../../../foundation/money/assets.ts";
import { blockchainNetworkOf } from "../../../foundation/money/blockchain-networks.ts";
import { type PolicyRule, TEXT_FACTS } from "./rule-schema.ts";

type TextFact = (typeof TEXT_FACTS)[number];
type Conditions = NonNullable<PolicyRule["when"]>;

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/;

/** Returns the rules with each text in the form in which operations have it. A text that has no such form is only trimmed. */
export function canonicalRules(rules: readonly PolicyRule[]): PolicyRule[] {
  return rules.map(({ when, ...rule }) => (when === undefined ? rule : { ...rule, when: canonicalConditions(when) }));
}

function canonicalConditions(when: Conditions): Conditions {
  const texts = TEXT_FACTS.flatMap((fact) => {
    const condition = when[fact];
    if (condition === undefined) return [];
    const operators = Object.entries(condition).map(([operator, value]) => [
      operator,
      typeof value === "string"
        ? canonicalText(fact, value)
        : [...new Set(value.map((text) => canonicalText(fact, text)))],
    ]);
    return [[fact, Object.fromEntries(operators)]];
  });
  return { ...when, ...Object.fromEntries(texts) };
}

/** Returns a token in uppercase, a network's name, an address with its checksum, or the id of a catalog in lowercase. */
export function canonicalText(fact: TextFact, text: string): string {
  const trimmed = text.trim();
  const lowerCase = trimmed.toLowerCase();
  switch (fact) {
    case "token":
      return Object.hasOwn(ASSETS, lowerCase) ? lowerCase.toUpperCase() : trimmed;
    case "network":
      return blockchainNetworkOf(lowerCase) ?? blockchainNetworkOf(trimmed) ?? trimmed;
    case "payee":
      return EVM_ADDRESS.test(lowerCase) ? Address.checksum(lowerCase as Address.Address) : trimmed;
    default:
      return lowerCase;
  }
}
