// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.setCosigner`
contract AgentGuardianSetCosignerTest is GuardianFixture {
    function test_onlyThePolicyManagerSetsACosigner() public {
        bytes memory call = abi.encodeCall(guardian.setCosigner, (account, cosigner));
        assertOnlyRole(call, policyManager, guardian.POLICY_ROLE());
    }

    function test_setsTheCosignerOfOneAccountUntilItIsRemoved() public {
        assertEq(account.cosigner(), address(0));
        vm.startPrank(policyManager);
        vm.expectEmit(address(account));
        emit IGuardedAccount.CosignerSet(cosigner);
        guardian.setCosigner(account, cosigner);
        assertEq(account.cosigner(), cosigner);
        assertEq(secondAccount.cosigner(), address(0));
        vm.expectEmit(address(account));
        emit IGuardedAccount.CosignerSet(address(0));
        guardian.setCosigner(account, address(0));
        assertEq(account.cosigner(), address(0));
    }
}
