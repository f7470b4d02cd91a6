// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {AuthorizedToken} from "../support/AuthorizedToken.sol";
import {Shop} from "../support/CallTarget.sol";
import {AttackFixture} from "./AttackFixture.sol";

/// @notice Money past a limit, to a denied recipient, or by a session key.
contract SpendingAttackTest is AttackFixture {
    AuthorizedToken private burnable;
    Shop private shop;

    function setUp() public override {
        super.setUp();
        burnable = new AuthorizedToken();
        burnable.mint(address(account), 1_000e6);
        shop = new Shop();
        setLimit(address(0), 1 ether);
        setCall(address(shop), shop.buy.selector, true);
    }

    function test_refused_burnsATokenWhoseLimitIsZero() public {
        setLimit(address(burnable), 0);
        vm.prank(policyManager);
        guardian.setDefaultLimit(address(burnable), 0);
        burn();
    }

    function test_refused_burnsATokenWhoseOwnLimitWasRemoved() public {
        setLimit(address(burnable), 5);
        vm.prank(policyManager);
        guardian.removeLimit(account, address(burnable));
        burn();
    }

    function test_refused_burnsATokenWhoseFunctionWasAllowedBefore() public {
        setCall(address(burnable), burnable.burn.selector, true);
        addToken(address(burnable));
        burn();
    }

    function test_refused_hasALimitOpenOrCloseAnAllowedCall() public {
        vm.startPrank(policyManager);
        vm.expectRevert(abi.encodeWithSelector(AgentGuardian.NotToken.selector, shop));
        guardian.setDefaultLimit(address(shop), 5);
        vm.expectRevert(abi.encodeWithSelector(AgentGuardian.NotToken.selector, shop));
        guardian.setLimit(account, address(shop), 0);
        vm.stopPrank();
        handle(signedOperation(executeCall(address(shop), 1, abi.encodeCall(shop.buy, ()))));
        assertEq(address(shop).balance, 1);
    }

    function test_refused_callsATokenByATransferOfTheNativeCoin() public {
        bytes memory reason = abi.encodeWithSelector(SpendingPolicy.CallDenied.selector, token, bytes4(0));
        assertFails(executeCall(address(token), 0, ""), reason);
        assertFails(abi.encodeCall(account.transfer, (0, address(0), address(token), 1)), reason);
    }

    function test_refused_paysADeniedRecipientByAnAllowedCall() public {
        restrictRecipients();
        bytes memory reason = abi.encodeWithSelector(SpendingPolicy.RecipientDenied.selector, shop);
        assertFails(executeCall(address(shop), 1, abi.encodeCall(shop.buy, ())), reason);
        AgentAccount.Call memory purchase = AgentAccount.Call(address(shop), 1, abi.encodeCall(shop.buy, ()));
        AgentAccount.Call memory free = AgentAccount.Call(address(shop), 0, abi.encodeCall(shop.buy, ()));
        assertFails(batchOf(free, purchase), reason);
        assertEq(address(shop).balance, 0);
    }

    function test_refused_paysADeniedRecipientByATransfer() public {
        restrictRecipients();
        bytes memory reason = abi.encodeWithSelector(SpendingPolicy.RecipientDenied.selector, recipient);
        assertFails(abi.encodeCall(account.transfer, (0, address(0), recipient, 1)), reason);
        assertFails(abi.encodeCall(account.transfer, (0, address(token), recipient, 1)), reason);
        assertFails(executeCall(recipient, 1, ""), reason);
    }

    function testFuzz_refused_transfersMoreThanTheLimitInAnyForm(uint256 amount) public {
        amount = bound(amount, uint256(DEFAULT_LIMIT) + 1, type(uint256).max);
        bytes memory reason =
            abi.encodeWithSelector(SpendingPolicy.LimitExceeded.selector, token, amount, uint256(DEFAULT_LIMIT));
        assertFails(abi.encodeCall(account.transfer, (0, address(token), recipient, amount)), reason);
        assertFails(transferCall(recipient, amount), reason);
    }

    function test_refused_hasThePaymasterPayForWhatTheSessionForbids() public {
        grantSession(address(token), 5);
        assertFalse(submit(sessionOperation(address(0), 1)));
        assertFalse(submit(sessionOperation(address(token), 6)));
        bytes memory staleCall =
            abi.encodeCall(account.executeAsSession, (1, sessionSigner, SESSION, address(token), recipient, 1));
        assertFalse(submit(signSession(staleCall, START + 1 days)));
        assertFalse(submit(sessionOperation(address(token), 0)));
        handle(sessionOperation(address(token), 4));
        assertFalse(submit(sessionOperation(address(token), 2)));
        restrictRecipients();
        assertFalse(submit(sessionOperation(address(token), 1)));
    }

    function test_refused_revivesTheOperationsOfARevokedSession() public {
        grantSession(address(token), 5);
        PackedUserOperation memory kept = sessionOperation(address(token), 5);
        vm.prank(ENTRY_POINT);
        account.revokeSession(0, sessionSigner);
        assertFalse(submit(kept));
        grantSession(address(token), 5);
        assertFalse(submit(kept));
        assertNothingPaid();
    }

    function test_refused_usesASessionKeyAsTheSigner() public {
        grantSession(address(token), 5);
        bytes memory call = abi.encodeCall(account.transfer, (0, address(token), recipient, 1));
        assertFalse(submit(signOperation(withSponsor(operation(call)), sessionKey, START + 1 days)));
        assertFalse(submit(signSession(call, START + 1 days)));
        // In the lane of the signer, it could use up the signer's nonces.
        PackedUserOperation memory op = withSponsor(operation(sessionCall(address(token), recipient, 1)));
        assertFalse(submit(signOperation(op, sessionKey, START + 1 days)));
        assertNothingPaid();
    }

    function test_refused_spendsMoreThanTheSessionAllowsIn96Bits() public {
        setLimit(address(token), type(uint96).max);
        token.mint(address(account), type(uint96).max);
        grantSession(address(token), type(uint96).max);
        handle(sessionOperation(address(token), uint256(type(uint64).max) + 2));
        assertEq(account.sessionOf(sessionSigner).spent, uint256(type(uint64).max) + 2);
        assertFalse(submit(sessionOperation(address(token), type(uint96).max - uint256(type(uint64).max) - 1)));
    }

    function burn() private {
        vm.prank(policyManager);
        vm.expectRevert(
            abi.encodeWithSelector(AgentGuardian.CallNotAllowable.selector, burnable, burnable.burn.selector)
        );
        guardian.setCall(account, address(burnable), burnable.burn.selector, true);
        assertFails(
            executeCall(address(burnable), 0, abi.encodeCall(burnable.burn, (1_000e6))),
            abi.encodeWithSelector(SpendingPolicy.CallDenied.selector, burnable, burnable.burn.selector)
        );
        assertEq(burnable.balanceOf(address(account)), 1_000e6);
    }

    function restrictRecipients() private {
        vm.prank(policyManager);
        guardian.setRecipientsRestricted(account, true);
    }

    /// @dev The operation is accepted, and its execution fails for this reason.
    function assertFails(bytes memory callData, bytes memory reason) private {
        PackedUserOperation memory op = signedOperation(callData);
        expectExecutionRevert(op, reason);
        handle(op);
        assertNothingPaid();
    }
}
