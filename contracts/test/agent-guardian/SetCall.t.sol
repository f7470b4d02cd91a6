// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentGuardian} from "../../src/AgentGuardian.sol";
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

    function test_refusesACallOfAToken() public {
        assertNotAllowable(address(token), token.mint.selector);
        assertNotAllowable(address(0), SELECTOR);
        addToken(stranger);
        assertNotAllowable(stranger, SELECTOR);
    }

    function test_removesACallOfATokenAndOfItsFunctions() public {
        setCall(stranger, SELECTOR, true);
        addToken(stranger);
        setCall(stranger, SELECTOR, false);
        assertFalse(account.isAllowedCall(stranger, SELECTOR));
        setCall(address(token), token.approve.selector, false);
    }

    function test_onlyThePolicyManagerAddsAToken() public {
        bytes memory call = abi.encodeCall(guardian.addToken, (stranger));
        assertFalse(guardian.isToken(stranger));
        assertOnlyRole(call, policyManager, guardian.POLICY_ROLE());
        assertTrue(guardian.isToken(stranger));
        assertTrue(guardian.isToken(address(0)));
        vm.expectEmit(address(guardian));
        emit AgentGuardian.TokenAdded(recipient);
        addToken(recipient);
    }

    function test_refusesALimitOfAContractThatIsNoToken() public {
        bytes memory refusal = abi.encodeWithSelector(AgentGuardian.NotToken.selector, stranger);
        vm.startPrank(policyManager);
        vm.expectRevert(refusal);
        guardian.setDefaultLimit(stranger, 5);
        vm.expectRevert(refusal);
        guardian.setLimit(account, stranger, 5);
        guardian.addToken(stranger);
        guardian.setDefaultLimit(stranger, 5);
        assertEq(guardian.defaultLimit(stranger), 5);
        guardian.setDefaultLimit(stranger, 0);
        assertTrue(guardian.isToken(stranger));
    }

    function assertNotAllowable(address target, bytes4 selector) private {
        vm.expectRevert(abi.encodeWithSelector(AgentGuardian.CallNotAllowable.selector, target, selector));
        vm.prank(policyManager);
        guardian.setCall(account, target, selector, true);
        assertFalse(account.isAllowedCall(target, selector));
    }
}
