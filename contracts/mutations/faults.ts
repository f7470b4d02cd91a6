import type { FaultsOfSource } from "./fault.ts";
import { ACCOUNT_EXECUTION_FAULTS } from "./faults/account-execution.ts";
import { ACCOUNT_MESSAGE_FAULTS } from "./faults/account-messages.ts";
import { ACCOUNT_RECOVERY_FAULTS } from "./faults/account-recovery.ts";
import { ACCOUNT_SIGNER_FAULTS } from "./faults/account-signer.ts";
import { ACCOUNT_STATE_FAULTS, STORAGE_FAULTS } from "./faults/account-state.ts";
import { ACCOUNT_VALIDATION_FAULTS } from "./faults/account-validation.ts";
import { ANCHOR_FAULTS } from "./faults/anchor.ts";
import { CALL_FAULTS } from "./faults/calls.ts";
import { FACTORY_FAULTS } from "./faults/factory.ts";
import { GUARDIAN_FAULTS } from "./faults/guardian.ts";
import { GUARDIAN_POLICY_FAULTS, TOKEN_FUNCTION_FAULTS } from "./faults/guardian-policy.ts";
import { LIMIT_FAULTS } from "./faults/limits.ts";
import { PAYMASTER_FAULTS } from "./faults/paymaster.ts";
import { POLICY_FAULTS } from "./faults/spending-policy.ts";

/** Every fault that `npm run contracts:mutation` applies. They were chosen without knowledge of the tests. */
export const FAULTS: readonly FaultsOfSource[] = [
  ACCOUNT_EXECUTION_FAULTS,
  ACCOUNT_VALIDATION_FAULTS,
  ACCOUNT_MESSAGE_FAULTS,
  ACCOUNT_SIGNER_FAULTS,
  ACCOUNT_RECOVERY_FAULTS,
  ACCOUNT_STATE_FAULTS,
  STORAGE_FAULTS,
  POLICY_FAULTS,
  LIMIT_FAULTS,
  CALL_FAULTS,
  GUARDIAN_FAULTS,
  GUARDIAN_POLICY_FAULTS,
  TOKEN_FUNCTION_FAULTS,
  FACTORY_FAULTS,
  PAYMASTER_FAULTS,
  ANCHOR_FAULTS,
];
