// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {CallTarget} from "../support/CallTarget.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract ExecuteBatchTest is AccountFixture {
    CallTarget private target;

    function setUp() public override {
        super.setUp();
        target = new CallTarget();
        setCall(address(target), target.record.selector, true);
        setLimit(address(0), 1 ether);
    }

    function test_makesAllCallsInTheirOrder() public {
        AgentAccount.Call[] memory calls = new AgentAccount.Call[](4);
        calls[0] = transferTo(recipient, 3);
        calls[1] = AgentAccount.Call(address(target), 0.25 ether, abi.encodeCall(target.record, (1)));
        calls[2] = AgentAccount.Call(recipient, 0.5 ether, "");
        calls[3] = AgentAccount.Call(address(target), 0.25 ether, abi.encodeCall(target.record, (2)));
        handle(signedOperation(abi.encodeCall(account.executeBatch, (0, calls))));
        assertEq(token.balanceOf(recipient), 3);
        assertEq(recipient.balance, 0.5 ether);
        assertEq(target.total(), 0.5 ether);
        assertEq(target.lastCode(), 2);
        (, uint256 spent) = account.limitOf(address(0));
        assertEq(spent, 1 ether);
    }

    function test_acceptsNoCalls() public {
        PackedUserOperation memory op =
            signedOperation(abi.encodeCall(account.executeBatch, (0, new AgentAccount.Call[](0))));
        handle(op);
        assertEq(account.getNonce(), 1);
        assertEq(token.balanceOf(address(account)), 1_000_000e6);
    }

    function test_countsTheCallsTogetherAndUndoesAllWhenOneExceedsTheLimit() public {
        AgentAccount.Call[] memory calls = new AgentAccount.Call[](2);
        calls[0] = transferTo(recipient, 600e6);
        calls[1] = transferTo(recipient, 400e6 + 1);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(
            abi.encodeWithSelector(SpendingPolicy.LimitExceeded.selector, token, uint256(400e6 + 1), uint256(400e6))
        );
        account.executeBatch(0, calls);
        assertEq(token.balanceOf(recipient), 0);
        (, uint256 spent) = account.limitOf(address(token));
        assertEq(spent, 0);
    }

    function test_undoesAllWhenTheLastCallIsDenied() public {
        AgentAccount.Call[] memory calls = new AgentAccount.Call[](2);
        calls[0] = transferTo(recipient, 1);
        calls[1] = AgentAccount.Call(address(target), 0, abi.encodeCall(target.fail, (1)));
        PackedUserOperation memory op = signedOperation(abi.encodeCall(account.executeBatch, (0, calls)));
        expectExecutionRevert(
            op, abi.encodeWithSelector(SpendingPolicy.CallDenied.selector, target, target.fail.selector)
        );
        handle(op);
        assertEq(token.balanceOf(recipient), 0);
    }

    function transferTo(address to, uint256 amount) private view returns (AgentAccount.Call memory) {
        return AgentAccount.Call(address(token), 0, abi.encodeCall(token.transfer, (to, amount)));
    }
}
