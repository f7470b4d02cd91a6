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
        PackedUserOperation memory op = signedOperation(abi.encodeCall(account.revokeSession, (sessionSigner)));
        PackedUserOperation memory late = sessionOperation(address(token), 1);
        vm.expectEmit(address(account));
        emit AgentAccount.SessionRevoked(sessionSigner);
        handle(op);
        AccountStorage.Session memory none;
        assertEq(abi.encode(account.sessionOf(sessionSigner)), abi.encode(none));
        assertEq(validate(late), 1);
    }

    function test_refusesARevokedKeyInALaterEpoch() public {
        freeze();
        unfreeze();
        grantSession(address(token), 10e6);
        asEntryPoint();
        account.revokeSession(sessionSigner);
        assertEq(validate(sessionOperation(address(token), 1)), 1);
    }

    function test_refusesTheKeyInTheBundleThatRevokesIt() public {
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        ops[0] = signedOperation(abi.encodeCall(account.revokeSession, (sessionSigner)));
        ops[1] = sessionOperation(address(token), 1);
        expectExecutionRevert(ops[1], abi.encodeWithSelector(AgentAccount.SessionDenied.selector, sessionSigner, token));
        handleBundle(ops);
        assertEq(token.balanceOf(recipient), 0);
    }

    function test_acceptsAKeyWithoutASession() public {
        vm.expectEmit(address(account));
        emit AgentAccount.SessionRevoked(stranger);
        vm.prank(ENTRY_POINT);
        account.revokeSession(stranger);
        assertEq(account.sessionOf(sessionSigner).limit, 10e6);
    }
}
