// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Errors} from "@openzeppelin/contracts/utils/Errors.sol";
import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {CallTarget} from "../support/CallTarget.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice Calls that are not transfers.
contract CallTest is AccountFixture {
    CallTarget private target;

    function setUp() public override {
        super.setUp();
        target = new CallTarget();
        setCall(address(target), target.record.selector, true);
        setCall(address(target), target.fail.selector, true);
        setCall(address(target), target.failSilently.selector, true);
    }

    function test_makesAnAllowedCall() public {
        execute(address(target), 0, abi.encodeCall(target.record, (7)));
        assertEq(target.lastCode(), 7);
    }

    function test_countsTheValueOfACallInTheLimitOfTheNativeCoin() public {
        setLimit(address(0), 1 ether);
        execute(address(target), 0.75 ether, abi.encodeCall(target.record, (7)));
        assertEq(target.total(), 0.75 ether);
        expectLimitExceeded(address(0), 0.25 ether + 1, 0.25 ether);
        execute(address(target), 0.25 ether + 1, abi.encodeCall(target.record, (8)));
        execute(address(target), 0.25 ether, abi.encodeCall(target.record, (8)));
        assertEq(target.total(), 1 ether);
    }

    function test_refusesAValueWithoutALimitOfTheNativeCoin() public {
        expectLimitExceeded(address(0), 1, 0);
        execute(address(target), 1, abi.encodeCall(target.record, (7)));
    }

    function test_refusesAValueOverTheBalance() public {
        setLimit(address(0), 100 ether);
        vm.expectRevert(abi.encodeWithSelector(Errors.InsufficientBalance.selector, 10 ether, 11 ether));
        execute(address(target), 11 ether, abi.encodeCall(target.record, (7)));
    }

    function test_revertsAsTheTargetDoes() public {
        vm.expectRevert(abi.encodeWithSelector(CallTarget.Unavailable.selector, 42));
        execute(address(target), 0, abi.encodeCall(target.fail, (42)));
        vm.expectRevert(abi.encodeWithSelector(Errors.FailedCall.selector));
        execute(address(target), 0, abi.encodeCall(target.failSilently, ()));
    }

    function test_refusesAnAllowedTargetWithoutCode() public {
        setCall(stranger, target.record.selector, true);
        vm.expectRevert(abi.encodeWithSelector(Address.AddressEmptyCode.selector, stranger));
        execute(stranger, 0, abi.encodeCall(target.record, (7)));
    }

    function testFuzz_refusesAnyOtherFunctionOfTheTarget(bytes4 selector, bytes calldata arguments) public {
        vm.assume(!account.isAllowedCall(address(target), selector));
        vm.assume(selector != token.transfer.selector);
        expectCallDenied(address(target), selector);
        execute(address(target), 0, bytes.concat(selector, arguments));
    }

    function testFuzz_refusesAnyOtherTarget(address other) public {
        vm.assume(other != address(target));
        expectCallDenied(other, target.record.selector);
        execute(other, 0, abi.encodeCall(target.record, (7)));
    }

    function test_refusesARemovedCall() public {
        setCall(address(target), target.record.selector, false);
        expectCallDenied(address(target), target.record.selector);
        execute(address(target), 0, abi.encodeCall(target.record, (7)));
    }

    function test_refusesDataThatIsShorterThanASelector() public {
        // Padded with zeros, the data equals an allowed selector.
        setCall(address(target), 0x01000000, true);
        expectCallDenied(address(target), 0x01000000);
        execute(address(target), 0, hex"01");
        expectCallDenied(address(target), 0x01000000);
        execute(address(target), 0, hex"010000");
        // The target, which has no such function, is called.
        vm.expectRevert(Errors.FailedCall.selector);
        execute(address(target), 0, hex"01000000");
    }

    // Tokens

    function test_refusesEveryCallOfATokenButATransfer() public {
        setLimit(address(token), 0);
        expectCallDenied(address(token), token.mint.selector);
        execute(address(token), 0, abi.encodeCall(token.mint, (stranger, 5)));
        assertEq(token.balanceOf(stranger), 0);
    }

    function test_refusesAValueForATargetThatIsNoAllowedRecipient() public {
        setLimit(address(0), 1 ether);
        vm.prank(policyManager);
        guardian.setRecipientsRestricted(account, true);
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.RecipientDenied.selector, target));
        execute(address(target), 1, abi.encodeCall(target.record, (7)));
        // Without a value, the target is paid nothing.
        execute(address(target), 0, abi.encodeCall(target.record, (7)));
        vm.prank(policyManager);
        guardian.setRecipient(account, address(target), true);
        execute(address(target), 1, abi.encodeCall(target.record, (8)));
        assertEq(target.total(), 1);
    }

    function test_refusesATransferThatIsNotEncodedAsOne() public {
        bytes memory data = abi.encodeCall(token.transfer, (recipient, 1));
        expectCallDenied(address(token), token.transfer.selector);
        execute(address(token), 0, bytes.concat(data, hex"00"));
        expectCallDenied(address(token), token.transfer.selector);
        execute(address(token), 0, abi.encodePacked(token.transfer.selector, abi.encode(recipient)));
        expectCallDenied(address(token), token.transfer.selector);
        execute(address(token), 0, abi.encodePacked(token.transfer.selector));
        setLimit(address(0), 1 ether);
        expectCallDenied(address(token), token.transfer.selector);
        execute(address(token), 1, data);
        assertEq(token.balanceOf(recipient), 0);
    }

    function test_refusesATransferOnTheZeroAddress() public {
        // The limit of the native coin does not make it a token.
        setLimit(address(0), 1 ether);
        expectCallDenied(address(0), token.transfer.selector);
        execute(address(0), 0, abi.encodeCall(token.transfer, (recipient, 1)));
        assertEq(recipient.balance, 0);
    }

    function test_refusesATransferToARecipientWithDirtyUpperBits() public {
        bytes memory data = abi.encodeCall(token.transfer, (recipient, 1));
        data[4] = 0x01;
        vm.expectRevert(bytes(""));
        execute(address(token), 0, data);
    }

    function test_refusesTransferFrom() public {
        expectCallDenied(address(token), token.transferFrom.selector);
        execute(address(token), 0, abi.encodeCall(token.transferFrom, (address(account), recipient, 1)));
    }

    // The account and its helpers

    function test_refusesCallsOfTheAccountItselfAndOfTheGuardian() public {
        expectCallDenied(address(account), account.changeSigner.selector);
        execute(address(account), 0, abi.encodeCall(account.changeSigner, (0, stranger)));
        expectCallDenied(address(guardian), guardian.unfreeze.selector);
        execute(address(guardian), 0, abi.encodeCall(guardian.unfreeze, (account, 0, FREEZE_SALT)));
        expectCallDenied(ENTRY_POINT, entryPoint.withdrawTo.selector);
        execute(ENTRY_POINT, 0, abi.encodeCall(entryPoint.withdrawTo, (payable(stranger), 1)));
    }

    function test_refusesToBecomeItsOwnSignerAlsoIfTheGuardianAllowsTheCall() public {
        setCall(address(account), account.changeSigner.selector, true);
        vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, account));
        execute(address(account), 0, abi.encodeCall(account.changeSigner, (0, stranger)));
    }

    function execute(address to, uint256 value, bytes memory data) private {
        vm.prank(ENTRY_POINT);
        account.execute(0, to, value, data);
    }

    function expectCallDenied(address to, bytes4 selector) private {
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.CallDenied.selector, to, selector));
    }

    function expectLimitExceeded(address limited, uint256 amount, uint256 remaining) private {
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.LimitExceeded.selector, limited, amount, remaining));
    }
}
