// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.freeze`
contract AgentGuardianFreezeTest is GuardianFixture {
    function test_onlyTheFreezerFreezes() public {
        assertOnlyRole(abi.encodeCall(guardian.freeze, (account, FREEZE_SALT)), freezer, guardian.FREEZER_ROLE());
        assertTrue(account.frozen());
    }

    function test_freezesOneAccountAndStartsItsNextEpoch() public {
        vm.expectEmit(address(account));
        emit IGuardedAccount.Frozen(nextEpochId(account));
        freeze();
        assertTrue(account.frozen());
        assertEq(account.epoch(), 1);
        assertFalse(secondAccount.frozen());
        assertEq(secondAccount.epoch(), 0);
    }

    function test_revertsIfTheAccountIsNotDeployed() public {
        address missing = factory.accountOf(stranger, address(0), SALT_ZERO);
        vm.expectRevert();
        vm.prank(freezer);
        guardian.freeze(IGuardedAccount(missing), FREEZE_SALT);
    }
}
