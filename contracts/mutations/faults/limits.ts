import type { FaultsOfSource } from "../fault.ts";

/** Faults in the limits of an account. */
export const LIMIT_FAULTS: FaultsOfSource = {
  source: "SpendingPolicy.sol",
  faults: [
    {
      id: "limit-default-only",
      find: "limit = spending.hasLimit ? spending.limit : GUARDIAN.defaultLimit(token)",
      replace: "limit = GUARDIAN.defaultLimit(token)",
      meaning: "The account shows the default instead of its own limit.",
    },
    {
      id: "limit-own-only",
      find: "limit = spending.hasLimit ? spending.limit : GUARDIAN.defaultLimit(token)",
      replace: "limit = spending.limit",
      meaning: "The account does not show the default limit.",
    },
    {
      id: "limit-choice-negated",
      find: "limit = spending.hasLimit ?",
      replace: "limit = !spending.hasLimit ?",
      meaning: "The account shows the default although it has its own limit.",
    },
    {
      id: "limit-default-of-native-coin",
      find: "spending.limit : GUARDIAN.defaultLimit(token)",
      replace: "spending.limit : GUARDIAN.defaultLimit(NATIVE_COIN)",
      meaning: "The account shows the default limit of the native coin for every token.",
    },
    {
      id: "spent-of-other-token",
      find: "returns (uint256 limit, uint256 spent) {\n        AccountStorage.Spending storage spending = AccountStorage.load().spendings[token];",
      replace:
        "returns (uint256 limit, uint256 spent) {\n        AccountStorage.Spending storage spending = AccountStorage.load().spendings[NATIVE_COIN];",
      meaning: "The account shows the limit of the native coin for every token.",
    },
    {
      id: "spent-of-all-days",
      find: "spent = spending.day == _today() ? spending.spent : 0",
      replace: "spent = spending.spent",
      meaning: "The account shows what was spent yesterday as spent today.",
    },
    {
      id: "spent-of-other-days",
      find: "spending.day == _today()",
      replace: "spending.day != _today()",
      meaning: "The account shows nothing as spent today.",
    },
    {
      id: "spent-of-two-days",
      find: "spending.day == _today()",
      replace: "spending.day + 1 >= _today()",
      meaning: "The account shows what was spent yesterday as spent today, but not what was spent before.",
    },
    {
      id: "spend-default-only",
      find: "hasLimit ? ownLimit : GUARDIAN.defaultLimit(token)",
      replace: "GUARDIAN.defaultLimit(token)",
      meaning: "An account's own limit is ignored.",
    },
    {
      id: "spend-own-only",
      find: "hasLimit ? ownLimit : GUARDIAN.defaultLimit(token)",
      replace: "ownLimit",
      meaning: "The default limit is ignored, and a removed limit still applies.",
    },
    {
      id: "spend-choice-negated",
      find: "hasLimit ? ownLimit :",
      replace: "!hasLimit ? ownLimit :",
      meaning: "The default applies to accounts with their own limit only.",
    },
    {
      id: "spend-default-of-native-coin",
      find: "ownLimit : GUARDIAN.defaultLimit(token)",
      replace: "ownLimit : GUARDIAN.defaultLimit(NATIVE_COIN)",
      meaning: "The default of the native coin applies to every token.",
    },
    {
      id: "spend-of-all-days",
      find: "spent = spending.day == today ? spending.spent : 0",
      replace: "spent = spending.spent",
      meaning: "What was spent yesterday counts today.",
    },
    {
      id: "spend-of-other-days",
      find: "spending.day == today",
      replace: "spending.day != today",
      meaning: "What was spent today does not count today.",
    },
    {
      id: "spend-of-two-days",
      find: "spending.day == today",
      replace: "spending.day + 1 >= today",
      meaning: "What was spent yesterday counts today, but not what was spent before.",
    },
    {
      id: "spend-with-lowered-limit",
      find: "limit > spent ? limit - spent : 0",
      replace: "limit - spent",
      meaning: "After a limit was lowered below what was spent, transfers fail without a reason.",
    },
    {
      id: "spend-ignores-spent",
      find: "limit > spent ? limit - spent : 0",
      replace: "limit",
      meaning: "The limit applies to each transfer instead of a day.",
    },
    {
      id: "spend-without-limit",
      find: "limit == 0 || amount > remaining",
      replace: "amount > remaining",
      meaning: "`transfer` of any contract can be called with an amount of zero.",
    },
    {
      id: "spend-any-amount",
      find: "limit == 0 || amount > remaining",
      replace: "limit == 0",
      meaning: "A token that has a limit can be transferred without one.",
    },
    {
      id: "spend-limit-exclusive",
      find: "amount > remaining",
      replace: "amount >= remaining",
      meaning: "The last unit of a limit cannot be spent.",
    },
    {
      id: "spend-one-more",
      find: "amount > remaining",
      replace: "amount > remaining + 1",
      meaning: "One unit more than the limit can be spent.",
    },
    {
      id: "spend-error-amount",
      find: "revert LimitExceeded(token, amount, remaining);",
      replace: "revert LimitExceeded(token, spent, remaining);",
      meaning: "The error names what was spent instead of the amount.",
    },
    {
      id: "spend-error-remaining",
      find: "revert LimitExceeded(token, amount, remaining);",
      replace: "revert LimitExceeded(token, amount, limit);",
      meaning: "The error names the limit instead of what remains.",
    },
    {
      id: "spend-not-stored",
      find: "(spending.spent, spending.day) = (uint96(spent + amount), today);",
      replace: "spending.day = today;",
      meaning: "Nothing counts in the limit.",
    },
    {
      id: "spend-last-only",
      find: "uint96(spent + amount)",
      replace: "uint96(amount)",
      meaning: "Only the last transfer counts in the limit.",
    },
    {
      id: "spend-adds-old-days",
      find: "uint96(spent + amount)",
      replace: "spending.spent + uint96(amount)",
      meaning: "The first transfer of a day counts what earlier days spent.",
    },
    {
      id: "spend-of-native-coin",
      find: "AccountStorage.Spending storage spending = AccountStorage.load().spendings[token];\n        // Reads",
      replace:
        "AccountStorage.Spending storage spending = AccountStorage.load().spendings[NATIVE_COIN];\n        // Reads",
      meaning: "The limit of the native coin applies to tokens.",
    },
    {
      id: "spend-day-not-stored",
      find: "(spending.spent, spending.day) = (uint96(spent + amount), today);",
      replace: "spending.spent = uint96(spent + amount);",
      meaning: "Nothing counts in the limit, because its day is unknown.",
    },
    {
      id: "spend-next-day",
      find: "uint96(spent + amount), today);",
      replace: "uint96(spent + amount), today + 1);",
      meaning: "What was spent today counts tomorrow.",
    },
    {
      id: "day-of-an-hour",
      find: "block.timestamp / 1 days",
      replace: "block.timestamp / 1 hours",
      meaning: "The limit applies to each hour.",
    },
    {
      id: "day-of-a-week",
      find: "block.timestamp / 1 days",
      replace: "block.timestamp / 1 weeks",
      meaning: "The limit applies to each week.",
    },
    {
      id: "day-one-second-earlier",
      find: "block.timestamp / 1 days",
      replace: "(block.timestamp + 1) / 1 days",
      meaning: "A day begins one second before midnight UTC.",
    },
    {
      id: "day-one-second-later",
      find: "block.timestamp / 1 days",
      replace: "(block.timestamp - 1) / 1 days",
      meaning: "A day begins one second after midnight UTC.",
    },
  ],
};
