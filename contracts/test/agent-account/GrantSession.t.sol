// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AccountStorage} from "../../src/AccountStorage.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract GrantSessionTest is AccountFixture {
    function test_storesTheSessionAndEmitsIt() public {
        AccountStorage.Session memory session = AccountStorage.Session({
            token: address(token),
            validAfter: START,
            validUntil: START + 1,
            limit: 5e6,
            spent: 0,
            epoch: 0,
            number: SESSION
        });
        vm.expectEmit(address(account));
        emit AgentAccount.SessionGranted(sessionSigner, session);
        handle(
            signedOperation(
                abi.encodeCall(account.grantSession, (0, sessionSigner, address(token), 5e6, START, START + 1))
            )
        );
        assertEq(abi.encode(account.sessionOf(sessionSigner)), abi.encode(session));
    }

    function testFuzz_storesEachValue(
        address key,
        address sessionToken,
        uint96 limit,
        uint48 validAfter,
        uint48 validUntil
    ) public {
        vm.assume(key != address(0) && validAfter < validUntil);
        freeze();
        unfreeze();
        uint80 epochId = account.epochId();
        vm.prank(ENTRY_POINT);
        account.grantSession(epochId, key, sessionToken, limit, validAfter, validUntil);
        AccountStorage.Session memory session =
            AccountStorage.Session(sessionToken, validAfter, validUntil, limit, 0, 2, SESSION);
        assertEq(abi.encode(account.sessionOf(key)), abi.encode(session));
    }

    function test_refusesTheZeroKey() public {
        vm.prank(ENTRY_POINT);
        vm.expectRevert(AgentAccount.InvalidSession.selector);
        account.grantSession(0, address(0), address(token), 1, START, START + 1);
    }

    function test_refusesAnEndThatIsNotAfterTheBeginning() public {
        vm.startPrank(ENTRY_POINT);
        vm.expectRevert(AgentAccount.InvalidSession.selector);
        account.grantSession(0, sessionSigner, address(token), 1, START, START);
        vm.expectRevert(AgentAccount.InvalidSession.selector);
        account.grantSession(0, sessionSigner, address(token), 1, START, START - 1);
        vm.expectRevert(AgentAccount.InvalidSession.selector);
        account.grantSession(0, sessionSigner, address(token), 1, 0, 0);
    }

    function test_replacesASessionAndWhatItSpent() public {
        grantSession(address(token), 10e6);
        handle(sessionOperation(address(token), 10e6));
        grantSession(address(token), 4e6);
        assertEq(account.sessionOf(sessionSigner).spent, 0);
        handle(sessionOperation(address(token), 4e6));
        assertEq(token.balanceOf(recipient), 14e6);
    }

    function test_appliesTheTimesOfANewSessionToTheBundleThatGrantsIt() public {
        grantSession(address(token), 10e6);
        uint256 snapshot = vm.snapshotState();
        assertRefusedInTheBundleThatGrants(START, START + 1 days);
        vm.revertToState(snapshot);
        assertRefusedInTheBundleThatGrants(START - 2, START - 1);
    }

    function test_acceptsTheKeyOnlyAfterTheBundleThatGrantsItsFirstSession() public {
        bytes memory callData =
            abi.encodeCall(account.grantSession, (0, sessionSigner, address(token), 1, START - 1, START + 1));
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        ops[0] = signedOperation(callData);
        ops[1] = signSession(
            abi.encodeCall(account.executeAsSession, (0, sessionSigner, SESSION, address(token), recipient, 1)),
            START + 1 days
        );
        bytes memory denied = abi.encodeWithSelector(AgentAccount.SessionDenied.selector, sessionSigner, token);
        vm.expectRevert(abi.encodeWithSelector(FailedOpWithRevert.selector, 1, "AA23 reverted", denied));
        handleBundle(ops);
        handle(ops[0]);
        handle(ops[1]);
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_keepsTheSessionsOfOtherKeys() public {
        grantSession(address(token), 10e6);
        vm.prank(ENTRY_POINT);
        account.grantSession(0, stranger, address(0), 1, START, START + 1);
        assertEq(account.sessionOf(sessionSigner).token, address(token));
        assertEq(account.sessionOf(sessionSigner).limit, 10e6);
    }

    function test_refusesASessionKeyThatGrants() public {
        grantSession(address(token), 10e6);
        bytes memory callData =
            abi.encodeCall(account.grantSession, (0, stranger, address(token), 1e6, START, START + 1 days));
        assertEq(validate(signSession(callData, START + 1 days)), 1);
    }

    /// @dev The key's operation is validated with the times of its old session.
    function assertRefusedInTheBundleThatGrants(uint48 validAfter, uint48 validUntil) private {
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        ops[0] = signedOperation(
            abi.encodeCall(account.grantSession, (0, sessionSigner, address(token), 50e6, validAfter, validUntil))
        );
        ops[1] = sessionOperation(address(token), 1);
        expectExecutionRevert(ops[1], abi.encodeWithSelector(AgentAccount.SessionDenied.selector, sessionSigner, token));
        handleBundle(ops);
        assertEq(account.sessionOf(sessionSigner).validAfter, validAfter);
        assertEq(token.balanceOf(recipient), 0);
    }
}
