// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AgentAccountFactory} from "../../src/AgentAccountFactory.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.deployAndFreeze`
contract AgentGuardianDeployAndFreezeTest is GuardianFixture {
    bytes32 private constant NEW_SALT = bytes32(uint256(1));

    function test_onlyTheFreezerDeploysAndFreezes() public {
        bytes memory call =
            abi.encodeCall(guardian.deployAndFreeze, (factory, signer, address(0), NEW_SALT, FREEZE_SALT));
        assertOnlyRole(call, freezer, guardian.FREEZER_ROLE());
    }

    function test_deploysTheAccountFrozen() public {
        address predicted = factory.accountOf(signer, recoverer, NEW_SALT);
        assertEq(predicted.code.length, 0);
        vm.expectEmit(address(factory));
        emit AgentAccountFactory.AccountCreated(predicted, signer, recoverer, NEW_SALT);
        vm.expectEmit(predicted);
        emit IGuardedAccount.Frozen(nextEpochId(account));
        AgentAccount created = deployAndFreeze(recoverer);
        assertEq(address(created), predicted);
        assertTrue(created.frozen());
        assertEq(created.epoch(), 1);
        assertEq(created.signer(), signer);
        (address recovery,,) = created.recovery();
        assertEq(recovery, recoverer);
    }

    function test_freezesAnAccountThatIsAlreadyDeployed() public {
        vm.prank(stranger);
        AgentAccount existing = AgentAccount(payable(factory.createAccount(signer, address(0), NEW_SALT)));
        assertFalse(existing.frozen());
        assertEq(address(deployAndFreeze(address(0))), address(existing));
        assertTrue(existing.frozen());
        assertEq(existing.epoch(), 1);
        assertEq(existing.signer(), signer);
    }

    function test_startsAnotherEpochIfTheAccountIsFrozen() public {
        AgentAccount created = deployAndFreeze(address(0));
        deployAndFreeze(address(0));
        assertTrue(created.frozen());
        assertEq(created.epoch(), 2);
    }

    function test_operationThatWouldHaveDeployedTheAccountIsRefused() public {
        address created = factory.accountOf(signer, address(0), NEW_SALT);
        token.mint(created, 5e6);
        PackedUserOperation memory op = operation(transferCall(recipient, 1e6));
        op.sender = created;
        op.initCode =
            abi.encodePacked(address(factory), abi.encodeCall(factory.createAccount, (signer, address(0), NEW_SALT)));
        op = signOperation(withSponsor(op), signerKey, START + 1 days);
        deployAndFreeze(address(0));
        vm.expectRevert(abi.encodeWithSelector(FailedOp.selector, 0, "AA10 sender already constructed"));
        handle(op);
        op.initCode = "";
        op = signOperation(withSponsor(op), signerKey, START + 1 days);
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.AccountFrozen.selector));
        handle(op);
        assertEq(token.balanceOf(created), 5e6);
    }

    function test_refusesAZeroSigner() public {
        vm.expectRevert(AgentAccount.InvalidSigner.selector);
        vm.prank(freezer);
        guardian.deployAndFreeze(factory, address(0), recoverer, NEW_SALT, FREEZE_SALT);
    }

    function deployAndFreeze(address recovery) private returns (AgentAccount) {
        vm.prank(freezer);
        return AgentAccount(payable(guardian.deployAndFreeze(factory, signer, recovery, NEW_SALT, FREEZE_SALT)));
    }
}
