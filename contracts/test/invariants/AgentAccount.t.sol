// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Test} from "../support/Test.sol";
import {Outcome, Rule} from "./AccountWatch.sol";
import {Handler} from "./Handler.sol";

/// @notice What holds for every account after every sequence of actions.
contract AgentAccountInvariantTest is Test {
    string private constant RUNS = "AGENT_ACCOUNT_INVARIANT_RUNS";
    string private constant MISSING = "AGENT_ACCOUNT_INVARIANT_MISSING_OUTCOMES";

    Handler private handler;

    function setUp() public {
        handler = new Handler();
        handler.setUp();
        bytes4[] memory selectors = new bytes4[](29);
        selectors[0] = handler.transfer.selector;
        selectors[1] = handler.transferBatch.selector;
        selectors[2] = handler.grantSession.selector;
        selectors[3] = handler.transferAsSession.selector;
        selectors[4] = handler.changeSigner.selector;
        selectors[5] = handler.upgrade.selector;
        selectors[6] = handler.callAllowed.selector;
        selectors[7] = handler.freezeWithinABundle.selector;
        selectors[8] = handler.signWrongly.selector;
        selectors[9] = handler.keepOperation.selector;
        selectors[10] = handler.submitKeptOperation.selector;
        selectors[11] = handler.signMessage.selector;
        selectors[12] = handler.submitKeptMessage.selector;
        selectors[13] = handler.callDirectly.selector;
        selectors[14] = handler.freeze.selector;
        selectors[15] = handler.freezeBatch.selector;
        selectors[16] = handler.unfreeze.selector;
        selectors[17] = handler.unfreezeAll.selector;
        selectors[18] = handler.changeLimit.selector;
        selectors[19] = handler.changeRules.selector;
        selectors[20] = handler.approveImplementation.selector;
        selectors[21] = handler.startRecovery.selector;
        selectors[22] = handler.finishRecovery.selector;
        selectors[23] = handler.cancelRecovery.selector;
        selectors[24] = handler.passTime.selector;
        selectors[25] = handler.changeRecoveryAddress.selector;
        selectors[26] = handler.changeSignerWithinABundle.selector;
        selectors[27] = handler.endSessionWithinABundle.selector;
        selectors[28] = handler.keepOperationForALaterEpoch.selector;
        targetContract(address(handler));
        targetSelector(FuzzSelector(address(handler), selectors));
        targetSender(address(this));
    }

    /// @dev The handler makes its own choices from a seed, so that a dictionary of values would only cost time. It keeps
    /// broken rules, so that one check at the end of each run is enough.
    /// forge-config: default.invariant.check-interval = 0
    /// forge-config: default.invariant.dictionary-weight = 0
    /// forge-config: default.invariant.include-storage = false
    /// forge-config: default.invariant.include-push-bytes = false
    /// forge-config: default.invariant.shrink-run-limit = 50
    function invariant_noRuleIsBroken() public view {
        uint256 broken = handler.brokenRules();
        if (broken == 0) return;
        assertHolds(broken, Rule.FrozenAccountsKeepTheirMoney, "money left a frozen account");
        assertHolds(broken, Rule.MoneyLeavesOnlyByConsent, "money left an account without consent");
        assertHolds(broken, Rule.SpendingStaysInTheLimit, "an account spent more than its limit of the day");
        assertHolds(broken, Rule.EpochNeverFalls, "an epoch fell");
        assertHolds(
            broken, Rule.UpgradeNeedsSignerAndGuardian, "an account was upgraded without its signer or the guardian"
        );
        assertHolds(broken, Rule.NothingOfAnEarlierEpochIsAccepted, "what was signed in an earlier epoch was accepted");
        assertHolds(broken, Rule.NothingIsSignedForALaterEpoch, "what was signed for a later epoch was accepted");
        assertHolds(broken, Rule.UnfreezeNamesTheFreeze, "an earlier unfreeze lifted a later freeze");
        assertHolds(
            broken, Rule.SignerChangesOnlyByConsentOrRecovery, "a signer was replaced without consent and recovery"
        );
        assertHolds(broken, Rule.StrangersAreRefused, "a stranger was accepted");
    }

    /// @notice Every kind of action has had its outcome after the first whole runs, so that the rules were tested. The
    /// state of a run ends with it, so that the environment of the process keeps what earlier runs have seen.
    function afterInvariant() public {
        if (handler.actions() < 500) return;
        uint256 runs = vm.envOr(RUNS, uint256(0)) + 1;
        uint256 missing = vm.envOr(MISSING, type(uint256).max);
        for (uint256 i = 0; i <= uint256(type(Outcome).max); ++i) {
            if (handler.countOf(Outcome(i)) > 0) missing &= ~(1 << i);
            if (runs >= 32) assertEq(missing & (1 << i), 0, string.concat("no run had the outcome ", vm.toString(i)));
        }
        vm.setEnv(RUNS, vm.toString(runs));
        vm.setEnv(MISSING, vm.toString(missing));
    }

    function assertHolds(uint256 broken, Rule rule, string memory reason) private pure {
        assertEq(broken & (1 << uint256(rule)), 0, reason);
    }
}
