// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AuditAnchor} from "../../src/AuditAnchor.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice The gas of whole transactions. Run with `--isolate`, so that each call is a transaction.
contract GasTest is AccountFixture {
    uint256 private constant JSON_BYTES = 490;

    AuditAnchor private anchor;
    uint64 private sequence;

    function setUp() public override {
        super.setUp();
        anchor = AuditAnchor(deploy("AuditAnchor", ""));
        token.mint(recipient, 1);
        token.mint(bundler, 1);
        handle(signedOperation(transferCall(recipient, 1e6)));
        handle(signedOperation(transferCall(recipient, 1e6)));
    }

    function test_sponsoredTransfer() public {
        handle(signedOperation(directTransfer()));
        vm.snapshotGasLastCall("transactions", "sponsored transfer");
        assertEq(token.balanceOf(recipient), 3e6 + 1);
    }

    function test_sponsoredTransferByExecute() public {
        handle(signedOperation(transferCall(recipient, 1e6)));
        vm.snapshotGasLastCall("transactions", "sponsored transfer, by execute");
        assertEq(token.balanceOf(recipient), 3e6 + 1);
    }

    function test_sponsoredTransferWithOwnLimit() public {
        vm.prank(policyManager);
        guardian.setLimit(account, address(token), 100e6);
        handle(signedOperation(directTransfer()));
        vm.snapshotGasLastCall("transactions", "sponsored transfer, own limit");
        assertEq(token.balanceOf(recipient), 3e6 + 1);
    }

    function test_deployAndTransfer() public {
        address created = factory.accountOf(signer, address(0), bytes32(uint256(1)));
        token.mint(created, 5e6);
        PackedUserOperation memory op = operation(directTransfer());
        op.sender = created;
        op.nonce = 0;
        op.initCode = abi.encodePacked(
            address(factory), abi.encodeCall(factory.createAccount, (signer, address(0), bytes32(uint256(1))))
        );
        handle(signOperation(withSponsor(op), signerKey, START + 1 days));
        vm.snapshotGasLastCall("transactions", "deploy and transfer");
        assertEq(token.balanceOf(recipient), 3e6 + 1);
    }

    function test_freeze() public {
        freeze();
        vm.snapshotGasLastCall("transactions", "freeze");
        assertTrue(account.frozen());
    }

    function test_freezeBatch() public {
        IGuardedAccount[] memory accounts = new IGuardedAccount[](10);
        for (uint256 i = 0; i < 10; ++i) {
            accounts[i] = IGuardedAccount(factory.createAccount(signer, address(0), bytes32(i + 1)));
        }
        vm.prank(freezer);
        guardian.freezeBatch(accounts, FREEZE_SALT);
        vm.snapshotGasLastCall("transactions", "freeze of ten");
        for (uint256 i = 0; i < 10; ++i) {
            assertTrue(AgentAccount(payable(address(accounts[i]))).frozen());
        }
    }

    function test_deployAndFreeze() public {
        vm.prank(freezer);
        address created = guardian.deployAndFreeze(factory, signer, address(0), bytes32(uint256(1)), FREEZE_SALT);
        vm.snapshotGasLastCall("transactions", "deploy and freeze");
        assertTrue(AgentAccount(payable(created)).frozen());
    }

    function test_anchorOneCheckpoint() public {
        anchorCheckpoints(1);
        anchorCheckpoints(1);
        vm.snapshotGasLastCall("transactions", "anchor a checkpoint");
        assertNewest(keccak256(abi.encode(0)));
    }

    function test_anchorFiftyCheckpoints() public {
        anchorCheckpoints(50);
        vm.snapshotGasLastCall("transactions", "anchor the first checkpoints of fifty streams");
        anchorCheckpoints(50);
        vm.snapshotGasLastCall("transactions", "anchor checkpoints of fifty streams");
        assertNewest(keccak256(abi.encode(49)));
    }

    /// @notice Publishes checkpoints whose canonical JSON has as many bytes as one of the service.
    function anchorCheckpoints(uint64 count) private {
        AuditAnchor.Checkpoint[] memory list = new AuditAnchor.Checkpoint[](count);
        bytes memory json = new bytes(JSON_BYTES);
        for (uint256 i = 0; i < JSON_BYTES; ++i) {
            json[i] = "a";
        }
        sequence += 1;
        for (uint256 i = 0; i < count; ++i) {
            list[i] = AuditAnchor.Checkpoint(keccak256(abi.encode(i)), sequence, string(json));
        }
        anchor.publish(list);
    }

    function assertNewest(bytes32 stream) private view {
        (uint64 newest,) = anchor.newest(address(this), stream);
        assertEq(newest, sequence);
    }

    function directTransfer() private view returns (bytes memory) {
        return abi.encodeCall(account.transfer, (0, address(token), recipient, 1e6));
    }
}
