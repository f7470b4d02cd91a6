// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.unfreeze`
contract AgentGuardianUnfreezeTest is GuardianFixture {
    function test_onlyTheUnfreezerUnfreezes() public {
        freeze();
        assertOnlyRole(
            abi.encodeCall(guardian.unfreeze, (account, account.epochId(), FREEZE_SALT)),
            unfreezer,
            guardian.UNFREEZER_ROLE()
        );
        assertFalse(account.frozen());
    }

    function test_leavesOtherAccountsFrozen() public {
        vm.prank(freezer);
        guardian.freezeBatch(bothAccounts(), FREEZE_SALT);
        unfreeze();
        assertFalse(account.frozen());
        assertTrue(secondAccount.frozen());
    }
}
