// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {
    IAccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/IAccessControlDefaultAdminRules.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice The change of the admin of `AgentGuardian`, which waits for the delay
contract AgentGuardianAdminTransferTest is GuardianFixture {
    address private nextAdmin = makeAddress("nextAdmin");

    function test_onlyTheAdminBeginsATransfer() public {
        bytes memory call = abi.encodeCall(guardian.beginDefaultAdminTransfer, (nextAdmin));
        assertOnlyRole(call, admin, guardian.DEFAULT_ADMIN_ROLE());
    }

    function test_onlyTheAdminCancelsATransfer() public {
        begin();
        bytes memory call = abi.encodeCall(guardian.cancelDefaultAdminTransfer, ());
        assertOnlyRole(call, admin, guardian.DEFAULT_ADMIN_ROLE());
    }

    function test_onlyTheAdminChangesTheDelay() public {
        bytes memory call = abi.encodeCall(guardian.changeDefaultAdminDelay, (ADMIN_DELAY / 2));
        assertOnlyRole(call, admin, guardian.DEFAULT_ADMIN_ROLE());
    }

    function test_shorterDelayAppliesAfterTheDifference() public {
        vm.prank(admin);
        guardian.changeDefaultAdminDelay(1 hours);
        skipTime(ADMIN_DELAY - 1 hours);
        assertEq(guardian.defaultAdminDelay(), ADMIN_DELAY);
        skipTime(1);
        assertEq(guardian.defaultAdminDelay(), 1 hours);
    }

    function test_newAdminWaitsForTheDelay() public {
        begin();
        skipTime(ADMIN_DELAY);
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminDelay.selector, START + ADMIN_DELAY
            )
        );
        accept(nextAdmin);
        assertEq(guardian.defaultAdmin(), admin);
        skipTime(1);
        accept(nextAdmin);
        assertEq(guardian.defaultAdmin(), nextAdmin);
        assertFalse(guardian.hasRole(guardian.DEFAULT_ADMIN_ROLE(), admin));
    }

    function test_onlyTheNewAdminAccepts() public {
        begin();
        skipTime(ADMIN_DELAY + 1);
        address[3] memory callers = [admin, freezer, stranger];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    IAccessControlDefaultAdminRules.AccessControlInvalidDefaultAdmin.selector, callers[i]
                )
            );
            accept(callers[i]);
        }
        assertEq(guardian.defaultAdmin(), admin);
    }

    function test_canceledTransferCannotBeAccepted() public {
        begin();
        vm.prank(admin);
        guardian.cancelDefaultAdminTransfer();
        skipTime(ADMIN_DELAY + 1);
        vm.expectRevert(
            abi.encodeWithSelector(IAccessControlDefaultAdminRules.AccessControlInvalidDefaultAdmin.selector, nextAdmin)
        );
        accept(nextAdmin);
    }

    function test_adminRoleIsNotGrantedDirectly() public {
        bytes32 role = guardian.DEFAULT_ADMIN_ROLE();
        vm.startPrank(admin);
        vm.expectRevert(IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminRules.selector);
        guardian.grantRole(role, nextAdmin);
        vm.expectRevert(IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminRules.selector);
        guardian.revokeRole(role, admin);
    }

    function begin() private {
        vm.prank(admin);
        guardian.beginDefaultAdminTransfer(nextAdmin);
    }

    function accept(address caller) private {
        vm.prank(caller);
        guardian.acceptDefaultAdminTransfer();
    }
}
