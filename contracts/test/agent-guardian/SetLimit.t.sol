// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.setLimit`
contract AgentGuardianSetLimitTest is GuardianFixture {
    function test_onlyThePolicyManagerSetsALimit() public {
        bytes memory call = abi.encodeCall(guardian.setLimit, (account, address(token), 5e6));
        assertOnlyRole(call, policyManager, guardian.POLICY_ROLE());
    }

    function test_setsTheLimitOfOneAccount() public {
        vm.expectEmit(address(account));
        emit IGuardedAccount.LimitSet(address(token), 5e6);
        vm.prank(policyManager);
        guardian.setLimit(account, address(token), 5e6);
        (uint256 limit,) = account.limitOf(address(token));
        assertEq(limit, 5e6);
        (limit,) = secondAccount.limitOf(address(token));
        assertEq(limit, DEFAULT_LIMIT);
    }
}
