// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AccountStorage} from "../../src/AccountStorage.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract RevokeSessionTest is AccountFixture {
    function setUp() public override {
        super.setUp();
        grantSession(address(token), 10e6);
    }

    function test_endsTheSessionAndEmitsTheKey() public {
        PackedUserOperation memory op = signedOperation(abi.encodeCall(account.revokeSession, (0, sessionSigner)));
        PackedUserOperation memory late = sessionOperation(address(token), 1);
        vm.expectEmit(address(account));
        emit AgentAccount.SessionRevoked(sessionSigner);
        handle(op);
        AccountStorage.Session memory none;
        assertEq(abi.encode(account.sessionOf(sessionSigner)), abi.encode(none));
        expectSessionDenied(sessionSigner, address(token));
        handle(late);
    }

    function test_refusesARevokedKeyInALaterEpoch() public {
        freeze();
        unfreeze();
        grantSession(address(token), 10e6);
        PackedUserOperation memory op = sessionOperation(address(token), 1);
        uint80 epochId = account.epochId();
        vm.prank(ENTRY_POINT);
        account.revokeSession(epochId, sessionSigner);
        expectSessionDenied(sessionSigner, address(token));
        handle(op);
    }

    function test_acceptsAKeyWithoutASession() public {
        vm.expectEmit(address(account));
        emit AgentAccount.SessionRevoked(stranger);
        vm.prank(ENTRY_POINT);
        account.revokeSession(0, stranger);
        assertEq(account.sessionOf(sessionSigner).limit, 10e6);
    }
}
