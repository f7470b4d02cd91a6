// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {
    IAccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/IAccessControlDefaultAdminRules.sol";
import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice The constructor of `AgentGuardian`
contract AgentGuardianConstructorTest is GuardianFixture {
    function test_grantsNoRoleButThatOfTheAdmin() public {
        AgentGuardian fresh = new AgentGuardian(admin, ADMIN_DELAY);
        address[6] memory callers = [admin, freezer, unfreezer, policyManager, upgrader, address(this)];
        for (uint256 caller = 0; caller < callers.length; ++caller) {
            assertFalse(fresh.hasRole(fresh.FREEZER_ROLE(), callers[caller]));
            assertFalse(fresh.hasRole(fresh.UNFREEZER_ROLE(), callers[caller]));
            assertFalse(fresh.hasRole(fresh.POLICY_ROLE(), callers[caller]));
            assertFalse(fresh.hasRole(fresh.UPGRADER_ROLE(), callers[caller]));
        }
        assertTrue(fresh.hasRole(fresh.DEFAULT_ADMIN_ROLE(), admin));
    }

    function test_eachRoleHasOneHolder() public view {
        bytes32[5] memory roles = [
            guardian.DEFAULT_ADMIN_ROLE(),
            guardian.FREEZER_ROLE(),
            guardian.UNFREEZER_ROLE(),
            guardian.POLICY_ROLE(),
            guardian.UPGRADER_ROLE()
        ];
        address[6] memory callers = [admin, freezer, unfreezer, policyManager, upgrader, address(this)];
        for (uint256 role = 0; role < roles.length; ++role) {
            for (uint256 caller = 0; caller < callers.length; ++caller) {
                assertEq(guardian.hasRole(roles[role], callers[caller]), role == caller);
            }
            assertEq(guardian.getRoleAdmin(roles[role]), guardian.DEFAULT_ADMIN_ROLE());
        }
    }

    function test_rolesDiffer() public view {
        assertEq(guardian.FREEZER_ROLE(), keccak256("FREEZER_ROLE"));
        assertEq(guardian.UNFREEZER_ROLE(), keccak256("UNFREEZER_ROLE"));
        assertEq(guardian.POLICY_ROLE(), keccak256("POLICY_ROLE"));
        assertEq(guardian.UPGRADER_ROLE(), keccak256("UPGRADER_ROLE"));
    }

    function test_setsTheAdminAndTheDelay() public view {
        assertEq(guardian.defaultAdmin(), admin);
        assertEq(guardian.owner(), admin);
        assertEq(guardian.defaultAdminDelay(), ADMIN_DELAY);
    }

    function test_refusesAZeroAdmin() public {
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessControlDefaultAdminRules.AccessControlInvalidDefaultAdmin.selector, address(0)
            )
        );
        new AgentGuardian(address(0), ADMIN_DELAY);
    }
}
