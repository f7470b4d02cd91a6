// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.multicall`
contract AgentGuardianMulticallTest is GuardianFixture {
    function test_eachCallNeedsItsRole() public {
        bytes memory freezeCall = abi.encodeCall(guardian.freeze, (account, FREEZE_SALT));
        uint80 frozenTwice = idAfterTwoFreezes();
        bytes memory unfreezeCall = abi.encodeCall(guardian.unfreeze, (account, frozenTwice, FREEZE_SALT));
        bytes memory secondUnfreeze = abi.encodeCall(guardian.unfreeze, (secondAccount, 0, FREEZE_SALT));
        bytes memory limitCall = abi.encodeCall(guardian.setDefaultLimit, (address(token), 5e6));
        bytes memory approval = abi.encodeCall(guardian.approveImplementation, (address(implementation), true));
        bytes memory grant = abi.encodeCall(guardian.grantRole, (guardian.FREEZER_ROLE(), recipient));
        assertOnlyRole(multicallOf(freezeCall, freezeCall), freezer, guardian.FREEZER_ROLE());
        assertOnlyRole(multicallOf(unfreezeCall, secondUnfreeze), unfreezer, guardian.UNFREEZER_ROLE());
        assertOnlyRole(multicallOf(limitCall, limitCall), policyManager, guardian.POLICY_ROLE());
        assertOnlyRole(multicallOf(approval, approval), upgrader, guardian.UPGRADER_ROLE());
        assertOnlyRole(multicallOf(grant, grant), admin, guardian.DEFAULT_ADMIN_ROLE());
    }

    function test_callWithoutItsRoleUndoesTheCallsBefore() public {
        bytes memory call = multicallOf(
            abi.encodeCall(guardian.freeze, (account, FREEZE_SALT)),
            abi.encodeCall(guardian.unfreeze, (secondAccount, secondAccount.epochId(), FREEZE_SALT))
        );
        assertRefused(call, freezer, guardian.UNFREEZER_ROLE());
        assertFalse(account.frozen());
        assertEq(account.epoch(), 0);
    }

    function test_callsInsideAnotherMulticallNeedTheirRoles() public {
        bytes memory inner = multicallOf(
            abi.encodeCall(guardian.freeze, (account, FREEZE_SALT)),
            abi.encodeCall(guardian.setLimit, (account, address(token), 0))
        );
        assertRefused(multicallOf(inner, inner), freezer, guardian.POLICY_ROLE());
        assertFalse(account.frozen());
    }

    function test_unfreezesSeveralAccounts() public {
        vm.prank(freezer);
        guardian.freezeBatch(bothAccounts(), FREEZE_SALT);
        vm.expectEmit(address(account));
        emit IGuardedAccount.Unfrozen(nextEpochId(account));
        vm.expectEmit(address(secondAccount));
        emit IGuardedAccount.Unfrozen(nextEpochId(account));
        bytes[] memory calls = unfreezeCalls(account, secondAccount);
        vm.prank(unfreezer);
        guardian.multicall(calls);
        assertFalse(account.frozen());
        assertFalse(secondAccount.frozen());
    }

    function test_unfreezesNoneIfOneIsNotDeployed() public {
        freeze();
        AgentAccount missing = AgentAccount(payable(factory.accountOf(stranger, address(0), SALT_ZERO)));
        bytes[] memory calls = unfreezeCalls(account, missing);
        vm.expectRevert();
        vm.prank(unfreezer);
        guardian.multicall(calls);
        assertTrue(account.frozen());
        assertEq(account.epoch(), 1);
    }

    function test_holderOfTwoRolesUsesBoth() public {
        bytes32 role = guardian.UNFREEZER_ROLE();
        vm.prank(admin);
        guardian.grantRole(role, freezer);
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(guardian.freeze, (account, FREEZE_SALT));
        calls[1] = abi.encodeCall(guardian.unfreeze, (account, nextEpochId(account), FREEZE_SALT));
        vm.prank(freezer);
        guardian.multicall(calls);
        assertFalse(account.frozen());
        assertEq(account.epoch(), 2);
    }

    function test_returnsWhatEachCallReturns() public {
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(guardian.deployAndFreeze, (factory, stranger, address(0), SALT_ZERO, FREEZE_SALT));
        calls[1] = abi.encodeCall(guardian.defaultLimit, (address(token)));
        vm.prank(freezer);
        bytes[] memory results = guardian.multicall(calls);
        assertEq(results.length, 2);
        assertEq(results[0], abi.encode(factory.accountOf(stranger, address(0), SALT_ZERO)));
        assertEq(results[1], abi.encode(uint256(DEFAULT_LIMIT)));
    }

    function test_namesTheCallerInTheEventsOfRoles() public {
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodeCall(guardian.grantRole, (guardian.FREEZER_ROLE(), recipient));
        vm.expectEmit(address(guardian));
        emit IAccessControl.RoleGranted(guardian.FREEZER_ROLE(), recipient, admin);
        vm.prank(admin);
        guardian.multicall(calls);
    }

    function test_withoutCallsChangesNothing() public {
        vm.recordLogs();
        vm.prank(stranger);
        assertEq(guardian.multicall(new bytes[](0)).length, 0);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function idAfterTwoFreezes() private returns (uint80 id) {
        uint256 snapshot = vm.snapshotState();
        freeze();
        freeze();
        id = account.epochId();
        vm.revertToState(snapshot);
    }

    function multicallOf(bytes memory first, bytes memory second) private view returns (bytes memory) {
        bytes[] memory calls = new bytes[](2);
        (calls[0], calls[1]) = (first, second);
        return abi.encodeCall(guardian.multicall, (calls));
    }

    function unfreezeCalls(AgentAccount first, AgentAccount second) private view returns (bytes[] memory calls) {
        calls = new bytes[](2);
        calls[0] = abi.encodeCall(guardian.unfreeze, (first, first.epochId(), FREEZE_SALT));
        uint80 secondId = address(second).code.length == 0 ? 1 : second.epochId();
        calls[1] = abi.encodeCall(guardian.unfreeze, (second, secondId, FREEZE_SALT));
    }
}
