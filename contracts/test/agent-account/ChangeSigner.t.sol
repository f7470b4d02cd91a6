// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract ChangeSignerTest is AccountFixture {
    address private newSigner;
    uint256 private newSignerKey;

    function setUp() public override {
        super.setUp();
        (newSigner, newSignerKey) = makeAccount("newSigner");
    }

    function test_replacesTheSignerAndStartsAnEpoch() public {
        PackedUserOperation memory op = signedOperation(abi.encodeCall(account.changeSigner, (0, newSigner)));
        vm.expectEmit(address(account));
        emit AgentAccount.SignerChanged(newSigner, nextEpochId(account, uint160(newSigner)));
        handle(op);
        assertEq(account.signer(), newSigner);
        assertEq(account.epoch(), 1);
        PackedUserOperation memory next = withSponsor(operation(transferCall(recipient, 5)));
        handle(signOperation(next, newSignerKey, START + 1 days));
        assertEq(token.balanceOf(recipient), 5);
    }

    function test_endsWhatTheFormerSignerSigned() public {
        PackedUserOperation memory early = signedOperation(transferCall(recipient, 5));
        changeSigner(newSigner);
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, 1));
        handle(early);
        PackedUserOperation memory late = signedOperation(transferCall(recipient, 5));
        expectSignatureError();
        handle(late);
    }

    function test_endsWhatTheSignerSignedEvenIfItStays() public {
        PackedUserOperation memory early = signedOperation(transferCall(recipient, 5));
        changeSigner(signer);
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, 1));
        handle(early);
        handle(signedOperation(transferCall(recipient, 5)));
        assertEq(token.balanceOf(recipient), 5);
    }

    function test_endsWhatTheFormerSignerSignedInTheSameBundle() public {
        grantSession(address(token), 10e6);
        PackedUserOperation[] memory ops = new PackedUserOperation[](3);
        ops[0] = signedOperation(abi.encodeCall(account.changeSigner, (0, newSigner)));
        ops[1] = operationInLane(1, transferCall(recipient, 1));
        ops[1] = signOperation(withSponsor(ops[1]), signerKey, START + 1 days);
        ops[2] = sessionOperation(address(token), 1);
        uint80 next = nextEpochId(account, uint160(newSigner));
        bytes memory reason = abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, next);
        expectExecutionRevert(ops[1], reason);
        expectExecutionRevert(ops[2], reason);
        handleBundle(ops);
        assertEq(account.signer(), newSigner);
        assertEq(token.balanceOf(recipient), 0);
    }

    function test_leavesTheOperationsOfOtherAccountsInTheSameBundle() public {
        PackedUserOperation[] memory ops = new PackedUserOperation[](3);
        ops[0] = signedOperation(abi.encodeCall(account.changeSigner, (0, newSigner)));
        account = createAccount(signer, recoverer);
        ops[1] = signedOperation(transferCall(recipient, 1));
        account = createAccount(signer, stranger);
        freeze();
        unfreeze();
        ops[2] = signedOperation(transferCall(recipient, 2));
        handleBundle(ops);
        assertEq(token.balanceOf(recipient), 3);
    }

    function test_endsAllSessions() public {
        grantSession(address(token), 10e6);
        changeSigner(newSigner);
        PackedUserOperation memory op = sessionOperation(address(token), 1);
        expectSessionDenied(sessionSigner, address(token));
        handle(op);
    }

    function test_keepsTheFreezeFlagsAndTheRecovery() public {
        vm.prank(policyManager);
        guardian.setRecipientsRestricted(account, true);
        changeSigner(newSigner);
        assertFalse(account.frozen());
        assertTrue(account.recipientsRestricted());
    }

    function test_refusesTheZeroSigner() public {
        vm.prank(ENTRY_POINT);
        vm.expectRevert(AgentAccount.InvalidSigner.selector);
        account.changeSigner(0, address(0));
        assertEq(account.epoch(), 0);
    }

    function changeSigner(address to) private {
        vm.prank(ENTRY_POINT);
        account.changeSigner(0, to);
    }
}
