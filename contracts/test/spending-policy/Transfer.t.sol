// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Errors} from "@openzeppelin/contracts/utils/Errors.sol";
import {AccountFixture} from "../support/AccountFixture.sol";
import {CoinRefuser} from "../support/CallTarget.sol";
import {CallingToken, FalseToken, RevertingToken, SilentToken} from "../support/UnusualTokens.sol";

/// @notice Transfers of unusual tokens, and of the native coin to unusual recipients.
contract TransferTest is AccountFixture {
    uint96 private constant LIMIT = 100;

    function test_transfersATokenThatReturnsNothing() public {
        SilentToken silent = new SilentToken();
        setLimit(address(silent), LIMIT);
        transfer(address(silent), 60);
        assertEq(silent.balanceOf(recipient), 60);
        assertSpent(address(silent), 60);
    }

    function test_revertsIfTheTokenReturnsFalse() public {
        address refusing = address(new FalseToken());
        setLimit(refusing, LIMIT);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, refusing));
        transfer(refusing, 60);
        assertSpent(refusing, 0);
    }

    function test_revertsAsTheTokenDoes() public {
        address reverting = address(new RevertingToken());
        setLimit(reverting, LIMIT);
        vm.expectRevert(abi.encodeWithSelector(RevertingToken.Blocked.selector, recipient));
        transfer(reverting, 60);
        assertSpent(reverting, 0);
    }

    function test_revertsIfTheTokenIsNoContract() public {
        setLimit(stranger, LIMIT);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, stranger));
        transfer(stranger, 60);
        assertSpent(stranger, 0);
    }

    function test_revertsIfTheBalanceIsTooLow() public {
        setLimit(address(token), type(uint96).max);
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientBalance.selector, account, uint256(1_000_000e6), uint256(1_000_000e6 + 1)
            )
        );
        transfer(address(token), 1_000_000e6 + 1);
        assertSpent(address(token), 0);
    }

    function test_refusesATokenThatCallsTheAccountBack() public {
        CallingToken calling = new CallingToken();
        setLimit(address(calling), LIMIT);
        calling.setCallback(address(account), transferCall(stranger, 1));
        vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, calling));
        transfer(address(calling), 60);
        assertEq(token.balanceOf(stranger), 0);
    }

    function test_countsTheAmountBeforeTheTokenIsCalled() public {
        CallingToken calling = new CallingToken();
        setLimit(address(calling), LIMIT);
        SpentReader reader = new SpentReader();
        calling.setCallback(address(reader), abi.encodeCall(reader.read, (account.limitOf, address(calling))));
        transfer(address(calling), 60);
        assertEq(reader.spent(), 60);
    }

    function test_revertsIfTheRecipientRefusesTheNativeCoin() public {
        setLimit(address(0), LIMIT);
        address refuser = address(new CoinRefuser());
        vm.prank(ENTRY_POINT);
        vm.expectRevert(Errors.FailedCall.selector);
        account.execute(0, refuser, 60, "");
        assertSpent(address(0), 0);
    }

    function test_revertsIfTheAccountHasTooLittleOfTheNativeCoin() public {
        setLimit(address(0), 100 ether);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(Errors.InsufficientBalance.selector, 10 ether, 11 ether));
        account.execute(0, recipient, 11 ether, "");
        assertSpent(address(0), 0);
    }

    function test_transfersToTheAccountItselfWithinTheLimit() public {
        setLimit(address(token), LIMIT);
        vm.prank(ENTRY_POINT);
        account.execute(0, address(token), 0, abi.encodeCall(token.transfer, (address(account), 60)));
        assertSpent(address(token), 60);
    }

    function transfer(address transferred, uint256 amount) private {
        vm.prank(ENTRY_POINT);
        account.execute(0, transferred, 0, abi.encodeCall(token.transfer, (recipient, amount)));
    }

    function assertSpent(address of_, uint256 expected) private view {
        (, uint256 spent) = account.limitOf(of_);
        assertEq(spent, expected);
    }
}

/// @notice Reads, during a transfer, what the account has spent.
contract SpentReader {
    uint256 public spent;

    function read(function(address) external view returns (uint256, uint256) limitOf, address token) external {
        (, spent) = limitOf(token);
    }
}
