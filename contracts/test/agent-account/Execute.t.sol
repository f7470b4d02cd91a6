// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
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
        handle(signedOperation(abi.encodeCall(account.execute, (0, recipient, 2 ether, ""))));
        assertEq(recipient.balance, 2 ether);
        assertEq(address(account).balance, 8 ether);
    }

    function test_makesAnAllowedCall() public {
        CallTarget target = new CallTarget();
        setCall(address(target), target.record.selector, true);
        handle(
            signedOperation(
                abi.encodeCall(account.execute, (0, address(target), 0, abi.encodeCall(target.record, (7))))
            )
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
}
