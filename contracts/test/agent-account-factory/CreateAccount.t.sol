// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AgentAccountFactory} from "../../src/AgentAccountFactory.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice `AgentAccountFactory.createAccount`
contract AgentAccountFactoryCreateAccountTest is AccountFixture {
    bytes32 private constant NEW_SALT = bytes32(uint256(1));

    function test_deploysAnAccountWithItsSignerAndRecoveryAddress() public {
        address predicted = factory.accountOf(signer, recoverer, NEW_SALT);
        vm.expectEmit(address(factory));
        emit AgentAccountFactory.AccountCreated(predicted, signer, recoverer, NEW_SALT);
        AgentAccount created = create(signer, recoverer, NEW_SALT);
        assertEq(address(created), predicted);
        assertEq(created.signer(), signer);
        assertEq(created.epoch(), 0);
        assertFalse(created.frozen());
        assertEq(address(created.GUARDIAN()), address(guardian));
        (address recovery, address pendingSigner, uint48 recoverableAt) = created.recovery();
        assertEq(recovery, recoverer);
        assertEq(pendingSigner, address(0));
        assertEq(recoverableAt, 0);
        bytes32 implementationSlot = vm.load(address(created), ERC1967Utils.IMPLEMENTATION_SLOT);
        assertEq(address(uint160(uint256(implementationSlot))), address(implementation));
    }

    function test_eventNamesTheSaltOfEachAccount() public {
        bytes32[2] memory salts = [NEW_SALT, keccak256("another salt")];
        for (uint256 i = 0; i < salts.length; ++i) {
            address predicted = factory.accountOf(signer, address(0), salts[i]);
            vm.expectEmit(address(factory));
            emit AgentAccountFactory.AccountCreated(predicted, signer, address(0), salts[i]);
            create(signer, address(0), salts[i]);
        }
    }

    function test_deploysAnAccountWithoutARecoveryAddress() public {
        (address recovery,,) = create(signer, address(0), NEW_SALT).recovery();
        assertEq(recovery, address(0));
    }

    function test_secondCallReturnsTheAccountAndChangesNothing() public {
        AgentAccount created = create(signer, recoverer, NEW_SALT);
        account = created;
        handle(signedOperation(abi.encodeCall(account.changeSigner, (0, stranger))));
        bytes32 code = address(created).codehash;
        vm.recordLogs();
        vm.prank(stranger);
        assertEq(factory.createAccount(signer, recoverer, NEW_SALT), address(created));
        assertEq(vm.getRecordedLogs().length, 0);
        assertEq(created.signer(), stranger);
        assertEq(created.epoch(), 1);
        assertEq(address(created).codehash, code);
    }

    function test_refusesAZeroSigner() public {
        vm.expectRevert(AgentAccount.InvalidSigner.selector);
        factory.createAccount(address(0), recoverer, NEW_SALT);
        assertEq(factory.accountOf(address(0), recoverer, NEW_SALT).code.length, 0);
    }

    function test_deployedAccountCannotBeInitializedAgain() public {
        AgentAccount created = create(signer, recoverer, NEW_SALT);
        vm.expectRevert(AgentAccount.AlreadyInitialized.selector);
        created.initialize(stranger, stranger);
    }

    function test_firstOperationDeploysTheAccount() public {
        PackedUserOperation memory op = deployingOperation();
        assertEq(op.sender.code.length, 0);
        handle(op);
        assertEq(AgentAccount(payable(op.sender)).signer(), signer);
        assertEq(token.balanceOf(recipient), 1e6);
    }

    function test_frontRunnerWithTheSameArgumentsDeploysTheSameAccount() public {
        PackedUserOperation memory op = deployingOperation();
        vm.prank(stranger);
        address created = factory.createAccount(signer, address(0), NEW_SALT);
        assertEq(created, op.sender);
        assertEq(AgentAccount(payable(created)).signer(), signer);
        // The EntryPoint refuses to deploy a deployed account. The signer signs again, without the deployment.
        vm.expectRevert(abi.encodeWithSelector(FailedOp.selector, 0, "AA10 sender already constructed"));
        handle(op);
        op.initCode = "";
        handle(signOperation(withSponsor(op), signerKey, START + 1 days));
        assertEq(token.balanceOf(recipient), 1e6);
    }

    function test_frontRunnerWithOtherArgumentsDeploysAnotherAccount() public {
        PackedUserOperation memory op = deployingOperation();
        vm.startPrank(stranger);
        assertNotEq(factory.createAccount(stranger, address(0), NEW_SALT), op.sender);
        assertNotEq(factory.createAccount(signer, stranger, NEW_SALT), op.sender);
        vm.stopPrank();
        handle(op);
        assertEq(token.balanceOf(recipient), 1e6);
    }

    function test_operationOfAStrangerCannotDeployTheAccount() public {
        PackedUserOperation memory op = deployingOperation();
        (, uint256 strangerKey) = makeAccount("stranger");
        op = signOperation(op, strangerKey, START + 1 days);
        expectSignatureError();
        handle(op);
        assertEq(op.sender.code.length, 0);
    }

    function testFuzz_deploysAtThePredictedAddress(address owner, address recovery, bytes32 salt) public {
        vm.assume(owner != address(0) && owner != recovery);
        address predicted = factory.accountOf(owner, recovery, salt);
        vm.assume(predicted.code.length == 0);
        AgentAccount created = create(owner, recovery, salt);
        assertEq(address(created), predicted);
        assertEq(created.signer(), owner);
        (address actualRecovery,,) = created.recovery();
        assertEq(actualRecovery, recovery);
    }

    function create(address owner, address recovery, bytes32 salt) private returns (AgentAccount) {
        return AgentAccount(payable(factory.createAccount(owner, recovery, salt)));
    }

    /// @notice Returns an operation that deploys an account and transfers 1 USDC of its 5.
    function deployingOperation() private returns (PackedUserOperation memory op) {
        op = operation(transferCall(recipient, 1e6));
        op.sender = factory.accountOf(signer, address(0), NEW_SALT);
        op.initCode =
            abi.encodePacked(address(factory), abi.encodeCall(factory.createAccount, (signer, address(0), NEW_SALT)));
        token.mint(op.sender, 5e6);
        return signOperation(withSponsor(op), signerKey, START + 1 days);
    }
}
