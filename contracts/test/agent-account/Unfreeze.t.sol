// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract UnfreezeTest is AccountFixture {
    function test_unfreezesAndStartsAnEpoch() public {
        freeze();
        vm.expectEmit(address(account));
        emit IGuardedAccount.Unfrozen(nextEpochId(account));
        unfreeze();
        assertFalse(account.frozen());
        assertEq(account.epoch(), 2);
    }

    function test_doesNothingToAnAccountThatIsNotFrozen() public {
        vm.recordLogs();
        unfreeze();
        assertEq(vm.getRecordedLogs().length, 0);
        assertEq(account.epoch(), 0);
    }

    function test_refusesWhatWasSignedBeforeTheFreezeButAcceptsANewOperation() public {
        PackedUserOperation memory early = signedOperation(transferCall(recipient, 1));
        freeze();
        unfreeze();
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, 2));
        handle(early);
        handle(signedOperation(transferCall(recipient, 2)));
        assertEq(token.balanceOf(recipient), 2);
    }

    function test_refusesWhatWasSignedBeforeInEachLane() public {
        PackedUserOperation memory early = operationInLane(7, transferCall(recipient, 1));
        early = signOperation(withSponsor(early), signerKey, START + 1 days);
        freeze();
        unfreeze();
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, 2));
        handle(early);
    }

    function test_endsTheSessionsFromBeforeTheFreezeButAcceptsANewOne() public {
        grantSession(address(token), 10e6);
        freeze();
        unfreeze();
        PackedUserOperation memory late = sessionOperation(address(token), 1);
        expectSessionDenied(sessionSigner, address(token));
        handle(late);
        grantSession(address(token), 10e6);
        handle(sessionOperation(address(token), 3));
        assertEq(token.balanceOf(recipient), 3);
    }

    function test_keepsWhatWasSpentToday() public {
        handle(signedOperation(transferCall(recipient, 7)));
        freeze();
        unfreeze();
        (, uint256 spent) = account.limitOf(address(token));
        assertEq(spent, 7);
    }
}
