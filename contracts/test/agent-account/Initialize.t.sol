// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {LibClone} from "solady/utils/LibClone.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract InitializeTest is AccountFixture {
    function test_setsTheSignerAndTheRecoveryAddress() public {
        AgentAccount created = createAccount(signer, recoverer);
        assertEq(created.signer(), signer);
        (address recovery, address pendingSigner, uint48 recoverableAt) = created.recovery();
        assertEq(recovery, recoverer);
        assertEq(pendingSigner, address(0));
        assertEq(recoverableAt, 0);
    }

    function test_startsUnfrozenInEpochZeroWithoutRecoveryAndCosigner() public view {
        assertEq(account.signer(), signer);
        assertFalse(account.frozen());
        assertEq(account.epoch(), 0);
        assertEq(account.cosigner(), address(0));
        assertFalse(account.recipientsRestricted());
        (address recovery,,) = account.recovery();
        assertEq(recovery, address(0));
    }

    function test_refusesTheZeroSigner() public {
        AgentAccount bare = bareAccount();
        vm.expectRevert(AgentAccount.InvalidSigner.selector);
        bare.initialize(address(0), recoverer);
        assertEq(bare.signer(), address(0));
    }

    function testFuzz_refusesASecondCallOfAnyone(address caller, address newSigner, address newRecovery) public {
        vm.prank(caller);
        vm.expectRevert(AgentAccount.AlreadyInitialized.selector);
        account.initialize(newSigner, newRecovery);
    }

    function test_refusesASecondCallOnABareProxy() public {
        AgentAccount bare = bareAccount();
        bare.initialize(signer, address(0));
        vm.expectRevert(AgentAccount.AlreadyInitialized.selector);
        bare.initialize(stranger, stranger);
        assertEq(bare.signer(), signer);
    }

    function test_refusesTheImplementationItself() public {
        vm.expectRevert(UUPSUpgradeable.UUPSUnauthorizedCallContext.selector);
        implementation.initialize(stranger, stranger);
        assertEq(implementation.signer(), address(0));
    }

    function bareAccount() private returns (AgentAccount) {
        return AgentAccount(payable(LibClone.deployERC1967(address(implementation))));
    }
}
