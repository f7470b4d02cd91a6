// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {CallTarget} from "../support/CallTarget.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract ExecuteTest is AccountFixture {
    function test_transfersATokenForAnOperationOfTheSigner() public {
        handle(signedOperation(transferCall(recipient, 25e6)));
        assertEq(token.balanceOf(recipient), 25e6);
        assertEq(token.balanceOf(address(account)), 1_000_000e6 - 25e6);
        (, uint256 spent) = account.limitOf(address(token));
        assertEq(spent, 25e6);
    }

    function test_sendsTheNativeCoin() public {
        setLimit(address(0), 2 ether);
        handle(signedOperation(abi.encodeCall(account.execute, (recipient, 2 ether, ""))));
        assertEq(recipient.balance, 2 ether);
        assertEq(address(account).balance, 8 ether);
    }

    function test_makesAnAllowedCall() public {
        CallTarget target = new CallTarget();
        setCall(address(target), target.record.selector, true);
        handle(
            signedOperation(abi.encodeCall(account.execute, (address(target), 0, abi.encodeCall(target.record, (7)))))
        );
        assertEq(target.lastCode(), 7);
    }

    function test_usesUpTheOperationWhenItExceedsTheLimit() public {
        PackedUserOperation memory op = signedOperation(transferCall(recipient, DEFAULT_LIMIT + 1));
        expectExecutionRevert(
            op,
            abi.encodeWithSelector(
                SpendingPolicy.LimitExceeded.selector, token, uint256(DEFAULT_LIMIT) + 1, uint256(DEFAULT_LIMIT)
            )
        );
        handle(op);
        assertEq(token.balanceOf(recipient), 0);
        assertEq(account.getNonce(), 1);
    }

    function test_refusesAnOperationThatWasUsed() public {
        PackedUserOperation memory op = signedOperation(transferCall(recipient, 1));
        handle(op);
        vm.expectRevert(abi.encodeWithSelector(FailedOp.selector, 0, "AA25 invalid account nonce"));
        handle(op);
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_refusesWhenAnEarlierOperationOfTheBundleFroze() public {
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        ops[0] = signedOperation(
            abi.encodeCall(account.execute, (address(guardian), 0, abi.encodeCall(guardian.freeze, (account))))
        );
        ops[1] = operation(transferCall(recipient, 1));
        ops[1].nonce += 1 << 64;
        ops[1] = signOperation(sponsor_(ops[1]), signerKey, START + 1 days);
        // Makes the account itself a freezer, so that the first operation freezes it after both were validated.
        setCall(address(guardian), guardian.freeze.selector, true);
        bytes32 role = guardian.FREEZER_ROLE();
        vm.prank(admin);
        guardian.grantRole(role, address(account));
        expectExecutionRevert(ops[1], abi.encodeWithSelector(AgentAccount.AccountFrozen.selector));
        handleBundle(ops);
        assertTrue(account.frozen());
        assertEq(token.balanceOf(recipient), 0);
    }
}
