// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.removeLimit`
contract AgentGuardianRemoveLimitTest is GuardianFixture {
    function test_onlyThePolicyManagerRemovesALimit() public {
        bytes memory call = abi.encodeCall(guardian.removeLimit, (account, address(token)));
        assertOnlyRole(call, policyManager, guardian.POLICY_ROLE());
    }

    function test_defaultAppliesAgain() public {
        vm.startPrank(policyManager);
        guardian.setLimit(account, address(token), 5e6);
        guardian.setLimit(secondAccount, address(token), 6e6);
        vm.expectEmit(address(account));
        emit IGuardedAccount.LimitRemoved(address(token));
        guardian.removeLimit(account, address(token));
        (uint256 limit,) = account.limitOf(address(token));
        assertEq(limit, DEFAULT_LIMIT);
        (limit,) = secondAccount.limitOf(address(token));
        assertEq(limit, 6e6);
    }
}
