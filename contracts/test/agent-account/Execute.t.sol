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
        allowGuardianCall(guardian.FREEZER_ROLE(), guardian.freeze.selector);
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        ops[0] = signedOperation(guardianCall(abi.encodeCall(guardian.freeze, (account))));
        ops[1] = operationInLane(1, transferCall(recipient, 1));
        ops[1] = signOperation(withSponsor(ops[1]), signerKey, START + 1 days);
        expectExecutionRevert(ops[1], abi.encodeWithSelector(AgentAccount.AccountFrozen.selector));
        handleBundle(ops);
        assertTrue(account.frozen());
        assertEq(token.balanceOf(recipient), 0);
    }

    function test_refusesWhenAnEarlierOperationOfTheBundleFrozeAndUnfroze() public {
        allowGuardianCall(guardian.FREEZER_ROLE(), guardian.multicall.selector);
        allowGuardianCall(guardian.UNFREEZER_ROLE(), guardian.multicall.selector);
        bytes[] memory both = new bytes[](2);
        both[0] = abi.encodeCall(guardian.freeze, (account));
        both[1] = abi.encodeCall(guardian.unfreeze, (account));
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        ops[0] = signedOperation(guardianCall(abi.encodeCall(guardian.multicall, (both))));
        ops[1] = operationInLane(1, transferCall(recipient, 1));
        ops[1] = signOperation(withSponsor(ops[1]), signerKey, START + 1 days);
        expectExecutionRevert(ops[1], abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, 2));
        handleBundle(ops);
        assertFalse(account.frozen());
        assertEq(token.balanceOf(recipient), 0);
    }

    /// @dev Lets the account itself call the guardian, so that an operation changes the account after the whole bundle
    /// was validated.
    function allowGuardianCall(bytes32 role, bytes4 selector) private {
        setCall(address(guardian), selector, true);
        vm.prank(admin);
        guardian.grantRole(role, address(account));
    }

    function guardianCall(bytes memory data) private view returns (bytes memory) {
        return abi.encodeCall(account.execute, (address(guardian), 0, data));
    }
}
