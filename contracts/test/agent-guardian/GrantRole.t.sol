// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.grantRole` and `revokeRole`
contract AgentGuardianGrantRoleTest is GuardianFixture {
    function test_onlyTheAdminGrantsARole() public {
        bytes32[4] memory roles = allRoles();
        for (uint256 i = 0; i < roles.length; ++i) {
            bytes memory call = abi.encodeCall(guardian.grantRole, (roles[i], recipient));
            assertOnlyRole(call, admin, guardian.DEFAULT_ADMIN_ROLE());
            assertTrue(guardian.hasRole(roles[i], recipient));
        }
    }

    function test_onlyTheAdminRevokesARole() public {
        bytes32[4] memory roles = allRoles();
        address[4] memory holders = [freezer, unfreezer, policyManager, upgrader];
        for (uint256 i = 0; i < roles.length; ++i) {
            bytes memory call = abi.encodeCall(guardian.revokeRole, (roles[i], holders[i]));
            assertOnlyRole(call, admin, guardian.DEFAULT_ADMIN_ROLE());
            assertFalse(guardian.hasRole(roles[i], holders[i]));
        }
    }

    function test_grantedFreezerFreezesUntilItIsRevoked() public {
        bytes32 role = guardian.FREEZER_ROLE();
        vm.expectEmit(address(guardian));
        emit IAccessControl.RoleGranted(role, stranger, admin);
        vm.prank(admin);
        guardian.grantRole(role, stranger);
        vm.prank(stranger);
        guardian.freeze(account, FREEZE_SALT);
        assertTrue(account.frozen());
        vm.expectEmit(address(guardian));
        emit IAccessControl.RoleRevoked(role, stranger, admin);
        vm.prank(admin);
        guardian.revokeRole(role, stranger);
        assertRefused(abi.encodeCall(guardian.freeze, (secondAccount, FREEZE_SALT)), stranger, role);
    }

    function allRoles() private view returns (bytes32[4] memory) {
        return [guardian.FREEZER_ROLE(), guardian.UNFREEZER_ROLE(), guardian.POLICY_ROLE(), guardian.UPGRADER_ROLE()];
    }
}
