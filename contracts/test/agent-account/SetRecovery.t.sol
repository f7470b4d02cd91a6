// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract SetRecoveryTest is AccountFixture {
    function test_setsTheRecoveryAddressAndEmitsIt() public {
        approveRecovery(recoverer);
        PackedUserOperation memory op = signedOperation(abi.encodeCall(account.setRecovery, (0, recoverer)));
        vm.expectEmit(address(account));
        emit AgentAccount.RecoverySet(recoverer);
        handle(op);
        assertRecovery(recoverer);
        assertEq(account.signer(), signer);
        assertEq(account.epoch(), 0);
    }

    function test_letsTheAddressReplaceTheSigner() public {
        approveRecovery(recoverer);
        setRecovery(recoverer);
        vm.startPrank(recoverer);
        account.startRecovery(stranger);
        vm.warp(START + 3 days);
        account.finishRecovery();
        assertEq(account.signer(), stranger);
    }

    function testFuzz_refusesToReplaceIt(address other) public {
        approveRecovery(recoverer);
        setRecovery(recoverer);
        approveRecovery(other);
        vm.expectRevert(AgentAccount.RecoveryAlreadySet.selector);
        setRecovery(other);
        assertRecovery(recoverer);
    }

    function test_refusesToReplaceThatOfTheDeployment() public {
        account = createAccount(signer, recoverer);
        vm.expectRevert(AgentAccount.RecoveryAlreadySet.selector);
        setRecovery(stranger);
        vm.expectRevert(AgentAccount.RecoveryAlreadySet.selector);
        setRecovery(address(0));
        assertRecovery(recoverer);
    }

    function test_setsAnotherAfterTheGuardianHasRemovedIt() public {
        approveRecovery(recoverer);
        setRecovery(recoverer);
        vm.prank(upgrader);
        guardian.removeRecovery(account);
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.RecoveryDenied.selector, recoverer));
        setRecovery(recoverer);
        approveRecovery(stranger);
        setRecovery(stranger);
        assertRecovery(stranger);
    }

    function test_leavesTheAccountWithoutOneIfItIsZero() public {
        setRecovery(address(0));
        assertRecovery(address(0));
        approveRecovery(recoverer);
        setRecovery(recoverer);
        assertRecovery(recoverer);
    }

    function testFuzz_refusesAnAddressThatTheGuardianHasNotApprovedForThisAccount(address other) public {
        vm.assume(other != recoverer && other != address(0));
        approveRecovery(recoverer);
        vm.prank(upgrader);
        guardian.approveRecovery(stranger, other);
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.RecoveryDenied.selector, other));
        setRecovery(other);
    }

    function testFuzz_refusesAnyCallerButTheEntryPoint(address caller) public {
        vm.assume(caller != ENTRY_POINT);
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, caller));
        account.setRecovery(0, caller);
        assertRecovery(address(0));
    }

    function test_refusesTheSignerWhileFrozen() public {
        freeze();
        vm.expectRevert(AgentAccount.AccountFrozen.selector);
        setRecovery(recoverer);
    }

    function test_refusesASessionKey() public {
        grantSession(address(token), 1);
        PackedUserOperation memory op = signSession(abi.encodeCall(account.setRecovery, (0, recoverer)), START + 1 days);
        expectSignatureError();
        handle(op);
    }

    function setRecovery(address recovery) private {
        vm.prank(ENTRY_POINT);
        account.setRecovery(0, recovery);
    }

    function assertRecovery(address expected) private view {
        (address recovery, address pendingSigner, uint48 recoverableAt) = account.recovery();
        assertEq(recovery, expected);
        assertEq(pendingSigner, address(0));
        assertEq(recoverableAt, 0);
    }
}
