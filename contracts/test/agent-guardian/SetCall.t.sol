// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.setCall`
contract AgentGuardianSetCallTest is GuardianFixture {
    bytes4 private constant SELECTOR = 0x12345678;

    function test_onlyThePolicyManagerAllowsACall() public {
        bytes memory call = abi.encodeCall(guardian.setCall, (account, stranger, SELECTOR, true));
        assertOnlyRole(call, policyManager, guardian.POLICY_ROLE());
    }

    function test_allowsOneFunctionOfOneContractUntilItIsRemoved() public {
        vm.startPrank(policyManager);
        vm.expectEmit(address(account));
        emit IGuardedAccount.CallSet(stranger, SELECTOR, true);
        guardian.setCall(account, stranger, SELECTOR, true);
        assertTrue(account.isAllowedCall(stranger, SELECTOR));
        assertFalse(account.isAllowedCall(stranger, 0x12345679));
        assertFalse(account.isAllowedCall(recipient, SELECTOR));
        assertFalse(secondAccount.isAllowedCall(stranger, SELECTOR));
        vm.expectEmit(address(account));
        emit IGuardedAccount.CallSet(stranger, SELECTOR, false);
        guardian.setCall(account, stranger, SELECTOR, false);
        assertFalse(account.isAllowedCall(stranger, SELECTOR));
    }

    function test_refusesAFunctionThatMovesTokens() public {
        vm.expectRevert(
            abi.encodeWithSelector(SpendingPolicy.CallDenied.selector, address(token), token.approve.selector)
        );
        setCall(address(token), token.approve.selector, true);
    }
}
