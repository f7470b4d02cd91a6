// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.approveImplementation`
contract AgentGuardianApproveImplementationTest is GuardianFixture {
    AgentAccount private nextImplementation;

    function setUp() public override {
        super.setUp();
        nextImplementation = new AgentAccount(guardian);
    }

    function test_onlyTheUpgraderApprovesAnImplementation() public {
        bytes memory call = abi.encodeCall(guardian.approveImplementation, (address(nextImplementation), true));
        assertOnlyRole(call, upgrader, guardian.UPGRADER_ROLE());
    }

    function test_noImplementationIsApprovedAtFirst() public view {
        assertFalse(guardian.isApprovedImplementation(address(implementation)));
        assertFalse(guardian.isApprovedImplementation(address(0)));
    }

    function test_approvalLetsASignerUpgrade() public {
        upgrade();
        assertEq(implementationOf(), address(implementation));
        vm.expectEmit(address(guardian));
        emit AgentGuardian.ImplementationApproved(address(nextImplementation), true);
        approve(true);
        assertTrue(guardian.isApprovedImplementation(address(nextImplementation)));
        assertFalse(guardian.isApprovedImplementation(address(implementation)));
        assertEq(implementationOf(), address(implementation), "the approval alone upgraded the account");
        upgrade();
        assertEq(implementationOf(), address(nextImplementation));
    }

    function test_withdrawnApprovalRefusesTheUpgrade() public {
        approve(true);
        vm.expectEmit(address(guardian));
        emit AgentGuardian.ImplementationApproved(address(nextImplementation), false);
        approve(false);
        assertFalse(guardian.isApprovedImplementation(address(nextImplementation)));
        upgrade();
        assertEq(implementationOf(), address(implementation));
    }

    function test_withdrawalLeavesAccountsThatHaveUpgraded() public {
        approve(true);
        upgrade();
        approve(false);
        assertEq(implementationOf(), address(nextImplementation));
    }

    function approve(bool approved) private {
        vm.prank(upgrader);
        guardian.approveImplementation(address(nextImplementation), approved);
    }

    function upgrade() private {
        handle(signedOperation(abi.encodeCall(account.upgrade, (0, address(nextImplementation)))));
    }

    function implementationOf() private view returns (address) {
        return address(uint160(uint256(vm.load(address(account), ERC1967Utils.IMPLEMENTATION_SLOT))));
    }
}
