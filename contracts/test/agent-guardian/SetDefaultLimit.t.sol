// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.setDefaultLimit`
contract AgentGuardianSetDefaultLimitTest is GuardianFixture {
    function test_onlyThePolicyManagerSetsTheDefaultLimit() public {
        bytes memory call = abi.encodeCall(guardian.setDefaultLimit, (address(token), 5e6));
        assertOnlyRole(call, policyManager, guardian.POLICY_ROLE());
    }

    function test_appliesAtOnceToAllAccountsWithoutTheirOwnLimit() public {
        AgentAccount thirdAccount = createAccount(stranger, address(0));
        vm.prank(policyManager);
        guardian.setLimit(secondAccount, address(token), 7e6);
        vm.expectEmit(address(guardian));
        emit AgentGuardian.DefaultLimitSet(address(token), 5e6);
        setDefaultLimit(address(token), 5e6);
        assertEq(guardian.defaultLimit(address(token)), 5e6);
        assertLimit(account, address(token), 5e6);
        assertLimit(secondAccount, address(token), 7e6);
        assertLimit(thirdAccount, address(token), 5e6);
    }

    function test_appliesToTheNextTransfer() public {
        setDefaultLimit(address(token), 5e6);
        handle(signedOperation(transferCall(recipient, 5e6 + 1)));
        assertEq(token.balanceOf(recipient), 0);
        handle(signedOperation(transferCall(recipient, 5e6)));
        assertEq(token.balanceOf(recipient), 5e6);
    }

    function test_loweredBelowWhatWasSpentRefusesAllTransfers() public {
        handle(signedOperation(transferCall(recipient, 5e6)));
        setDefaultLimit(address(token), 4e6);
        handle(signedOperation(transferCall(recipient, 1)));
        assertEq(token.balanceOf(recipient), 5e6);
    }

    function test_zeroMeansThatTheTokenCannotBeSpent() public {
        setDefaultLimit(address(token), 0);
        handle(signedOperation(transferCall(recipient, 1)));
        assertEq(token.balanceOf(recipient), 0);
    }

    function test_eachTokenHasItsOwnDefault() public {
        setDefaultLimit(address(0), 1 ether);
        assertLimit(account, address(0), 1 ether);
        assertLimit(account, address(token), DEFAULT_LIMIT);
        assertLimit(account, recipient, 0);
    }

    function testFuzz_acceptsEveryLimitOf96Bits(uint96 limit) public {
        setDefaultLimit(address(token), limit);
        assertLimit(account, address(token), limit);
    }

    function setDefaultLimit(address limitedToken, uint96 limit) private {
        vm.prank(policyManager);
        guardian.setDefaultLimit(limitedToken, limit);
    }

    function assertLimit(AgentAccount limited, address limitedToken, uint256 expected) private view {
        (uint256 limit,) = limited.limitOf(limitedToken);
        assertEq(limit, expected);
    }
}
