// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.setCall`
contract AgentGuardianSetCallTest is GuardianFixture {
    bytes4 private constant SELECTOR = 0x12345678;

    function test_onlyThePolicyManagerAllowsACall() public {
        bytes memory call = abi.encodeCall(guardian.setCall, (account, stranger, SELECTOR, true));
        assertOnlyRole(call, policyManager, guardian.POLICY_ROLE());
    }

    function test_allowsOneFunctionOfOneContractUntilItIsRemoved() public {
        vm.startPrank(policyManager);
        vm.expectEmit(address(account));
        emit IGuardedAccount.CallSet(stranger, SELECTOR, true);
        guardian.setCall(account, stranger, SELECTOR, true);
        assertTrue(account.isAllowedCall(stranger, SELECTOR));
        assertFalse(account.isAllowedCall(stranger, 0x12345679));
        assertFalse(account.isAllowedCall(recipient, SELECTOR));
        assertFalse(secondAccount.isAllowedCall(stranger, SELECTOR));
        vm.expectEmit(address(account));
        emit IGuardedAccount.CallSet(stranger, SELECTOR, false);
        guardian.setCall(account, stranger, SELECTOR, false);
        assertFalse(account.isAllowedCall(stranger, SELECTOR));
    }

    function test_refusesFunctionsThatMoveTokensOfAnyContract() public {
        string[] memory functions = vm.split(
            string.concat(
                "transfer(address,uint256);transferFrom(address,address,uint256);approve(address,uint256)",
                ";increaseAllowance(address,uint256);increaseApproval(address,uint256)",
                ";transferAndCall(address,uint256);transferAndCall(address,uint256,bytes)",
                ";transferFromAndCall(address,address,uint256);transferFromAndCall(address,address,uint256,bytes)",
                ";approveAndCall(address,uint256);approveAndCall(address,uint256,bytes);allow(address,bool)",
                ";approveDelegation(address,uint256);safeTransferFrom(address,address,uint256)",
                ";safeTransferFrom(address,address,uint256,bytes)",
                ";safeTransferFrom(address,address,uint256,uint256,bytes)",
                ";safeBatchTransferFrom(address,address,uint256[],uint256[],bytes);setApprovalForAll(address,bool)",
                ";send(address,uint256,bytes);authorizeOperator(address)",
                ";operatorSend(address,address,uint256,bytes,bytes);transfer(address,uint256,uint256)",
                ";transferFrom(address,address,uint256,uint256);approve(address,uint256,uint256)",
                ";setOperator(address,bool);permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
                ";permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
                ";permit(address,address,uint256,uint256,bytes)",
                ";transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
                ";transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
                ";receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
                ";receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
                ";approve(address,address,uint160,uint48)",
                ";permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)",
                ";permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)",
                ";transferFrom(address,address,uint160,address);transferFrom((address,address,uint160,address)[])",
                ";permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)",
                ";permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)",
                ";multicall(bytes[]);multicall(uint256,bytes[]);multicall(bytes32,bytes[])",
                ";aggregate((address,bytes)[]);tryAggregate(bool,(address,bytes)[])",
                ";aggregate3((address,bool,bytes)[]);aggregate3Value((address,bool,uint256,bytes)[])"
            ),
            ";"
        );
        assertEq(functions.length, 46);
        for (uint256 i = 0; i < functions.length; ++i) {
            assertNotAllowable(stranger, bytes4(keccak256(bytes(functions[i]))));
        }
    }

    function test_refusesACallOfATokenThatHasOrEverHadALimit() public {
        assertNotAllowable(address(token), token.mint.selector);
        setDefaultLimit(address(token), 0);
        assertNotAllowable(address(token), token.mint.selector);
        setDefaultLimit(recipient, 0);
        assertNotAllowable(recipient, SELECTOR);
        // The limit of another account makes it a token for all.
        vm.startPrank(policyManager);
        guardian.setLimit(secondAccount, stranger, 0);
        guardian.removeLimit(secondAccount, stranger);
        vm.stopPrank();
        assertNotAllowable(stranger, SELECTOR);
        assertTrue(guardian.isToken(stranger));
        assertFalse(guardian.isToken(bundler));
    }

    function test_refusesALimitWhileACallIsAllowedInAnyAccount() public {
        allow(account, SELECTOR, true);
        // Once more changes nothing.
        allow(account, SELECTOR, true);
        allow(secondAccount, ~SELECTOR, true);
        assertLimitRefused(2);
        allow(account, SELECTOR, false);
        allow(account, SELECTOR, false);
        assertLimitRefused(1);
        assertTrue(secondAccount.isAllowedCall(stranger, ~SELECTOR));
        allow(secondAccount, ~SELECTOR, false);
        setDefaultLimit(stranger, 5);
        assertEq(guardian.defaultLimit(stranger), 5);
    }

    function test_removesACallOfATokenWithoutEffect() public {
        vm.prank(policyManager);
        guardian.setCall(account, address(token), token.approve.selector, false);
        assertFalse(account.isAllowedCall(address(token), token.approve.selector));
        setDefaultLimit(address(token), 5);
    }

    function allow(AgentAccount of_, bytes4 selector, bool allowed) private {
        vm.prank(policyManager);
        guardian.setCall(of_, stranger, selector, allowed);
    }

    function setDefaultLimit(address target, uint96 limit) private {
        vm.prank(policyManager);
        guardian.setDefaultLimit(target, limit);
    }

    function assertNotAllowable(address target, bytes4 selector) private {
        vm.expectRevert(abi.encodeWithSelector(AgentGuardian.CallNotAllowable.selector, target, selector));
        vm.prank(policyManager);
        guardian.setCall(account, target, selector, true);
        assertFalse(account.isAllowedCall(target, selector));
    }

    function assertLimitRefused(uint256 allowedCalls) private {
        bytes memory refusal = abi.encodeWithSelector(AgentGuardian.HasAllowedCalls.selector, stranger, allowedCalls);
        vm.startPrank(policyManager);
        vm.expectRevert(refusal);
        guardian.setDefaultLimit(stranger, 5);
        vm.expectRevert(refusal);
        guardian.setLimit(account, stranger, 5);
        vm.stopPrank();
        assertFalse(guardian.isToken(stranger));
    }
}
