// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AgentAccountFactory} from "../../src/AgentAccountFactory.sol";
import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {VerifyingPaymaster} from "../../src/VerifyingPaymaster.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AttackFixture} from "./AttackFixture.sol";

/// @notice A factory that returns any address.
contract FalseFactory {
    address private immutable CREATED;

    constructor(address created) {
        CREATED = created;
    }

    function createAccount(address, address, bytes32) external view returns (address) {
        return CREATED;
    }
}

/// @notice A contract that uses all gas, returns a megabyte, or does nothing.
contract HostileAccount {
    uint256 private immutable KIND;

    constructor(uint256 kind) {
        KIND = kind;
    }

    fallback() external {
        uint256 kind = KIND;
        assembly {
            if eq(kind, 0) { invalid() }
            if eq(kind, 1) { return(0, 0x100000) }
        }
    }
}

/// @notice A contract that answers as an account and ignores a freeze.
contract IgnoringAccount {
    bool public constant frozen = false;

    function freeze(uint48) external pure returns (uint80) {
        return 1;
    }
}

/// @notice Recovery addresses, the guardian's roles, its factories and the paymaster.
contract PowerAttackTest is AttackFixture {
    function test_refused_plantsARecoveryAddressAndTakesTheAccountDuringTheFreeze() public {
        PackedUserOperation memory op = signedOperation(abi.encodeCall(account.setRecovery, (0, stranger)));
        expectExecutionRevert(op, abi.encodeWithSelector(AgentAccount.RecoveryDenied.selector, stranger));
        handle(op);
        freeze();
        vm.prank(stranger);
        vm.expectRevert(AgentAccount.OnlyRecovery.selector);
        account.startRecovery(stranger);
    }

    function test_refused_plantsTheRecoveryAddressThatTheGuardianRemoved() public {
        approveRecovery(stranger);
        vm.prank(ENTRY_POINT);
        account.setRecovery(0, stranger);
        vm.prank(upgrader);
        guardian.removeRecovery(account);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.RecoveryDenied.selector, stranger));
        account.setRecovery(0, stranger);
    }

    function test_refused_takesAnAccountAsTheGuardianAlone() public {
        approveRecovery(stranger);
        vm.prank(address(guardian));
        vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, guardian));
        account.setRecovery(0, stranger);
        vm.prank(stranger);
        vm.expectRevert(AgentAccount.OnlyRecovery.selector);
        account.startRecovery(stranger);
    }

    function test_refused_stopsARecoveryByChangingTheSigner() public {
        finishAfter(abi.encodeCall(account.changeSigner, (0, stranger)), ENTRY_POINT);
    }

    function test_refused_stopsARecoveryByAFreeze() public {
        finishAfter(abi.encodeCall(account.freeze, (FREEZE_SALT)), address(guardian));
        assertTrue(account.frozen());
    }

    function test_refused_hasOneAddressKeepTheOthersUnfrozen() public {
        IGuardedAccount[] memory accounts = new IGuardedAccount[](6);
        accounts[0] = IGuardedAccount(factory.accountOf(stranger, address(0), SALT_ZERO));
        accounts[1] = IGuardedAccount(address(token));
        for (uint256 i = 0; i < 3; ++i) {
            accounts[i + 2] = IGuardedAccount(address(new HostileAccount(i)));
        }
        accounts[5] = account;
        for (uint256 i = 0; i < 5; ++i) {
            vm.expectEmit(address(guardian));
            emit AgentGuardian.FreezeFailed(address(accounts[i]));
        }
        vm.prank(freezer);
        guardian.freezeBatch{gas: 700_000}(accounts, FREEZE_SALT);
        assertTrue(account.frozen());
    }

    function test_refused_makesOneKeyTheSignerAndTheCosigner() public {
        vm.startPrank(policyManager);
        vm.expectRevert(AgentAccount.InvalidSigner.selector);
        guardian.setCosigner(account, signer);
        guardian.setCosigner(account, cosigner);
        vm.stopPrank();
        vm.prank(ENTRY_POINT);
        vm.expectRevert(AgentAccount.InvalidSigner.selector);
        account.changeSigner(0, cosigner);
        vm.expectRevert(AgentAccount.InvalidSigner.selector);
        factory.createAccount(signer, signer, SALT_ZERO);
    }

    function test_refused_hasADeploymentFrozenByAFalseFactory() public {
        address ignoring = address(new IgnoringAccount());
        AgentAccountFactory notFreezing = AgentAccountFactory(address(new FalseFactory(ignoring)));
        AgentAccountFactory notDeploying = AgentAccountFactory(address(new FalseFactory(stranger)));
        vm.startPrank(freezer);
        vm.expectRevert(abi.encodeWithSelector(AgentGuardian.NotFrozen.selector, ignoring));
        guardian.deployAndFreeze(notFreezing, signer, address(0), SALT_ZERO, FREEZE_SALT);
        vm.expectRevert();
        guardian.deployAndFreeze(notDeploying, signer, address(0), SALT_ZERO, FREEZE_SALT);
    }

    function test_refused_setsARuleOfAnotherRoleWhileItDeploys() public {
        address created = factory.accountOf(stranger, address(0), SALT_ZERO);
        bytes[] memory rules = new bytes[](1);
        rules[0] = abi.encodeCall(guardian.freeze, (IGuardedAccount(created), FREEZE_SALT));
        bytes32 role = guardian.FREEZER_ROLE();
        vm.prank(policyManager);
        vm.expectRevert(
            abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, policyManager, role)
        );
        guardian.deployAndConfigure(factory, stranger, address(0), SALT_ZERO, rules);
        assertEq(created.code.length, 0);
    }

    function test_refused_usesAReplacedKeyInAGuardianOnAnotherChain() public {
        // The guardian has the same address on each chain, which depends on its creation code. Roles are not part of it.
        vm.chainId(block.chainid + 1);
        AgentGuardian other = new AgentGuardian(admin, ADMIN_DELAY);
        bytes32 role = other.FREEZER_ROLE();
        vm.prank(freezer);
        vm.expectRevert(abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, freezer, role));
        other.freeze(account, FREEZE_SALT);
    }

    function test_refused_locksTheDepositOfThePaymaster() public {
        vm.prank(admin);
        vm.expectRevert(VerifyingPaymaster.OwnerRequired.selector);
        paymaster.renounceOwnership();
    }

    function test_refused_hasThePaymasterPayForUnusedGas() public {
        PackedUserOperation memory op = operation(transferCall(recipient, 1));
        op.accountGasLimits = bytes32((uint256(400_000) << 128) | 1_000_001);
        assertFalse(submit(signOperation(withSponsor(op), signerKey, START + 1 days)));
        postOperationGasLimit = 40_001;
        assertFalse(submit(signedOperation(transferCall(recipient, 1))));
    }

    /// @dev Starts a recovery, makes the call, and finishes the recovery.
    function finishAfter(bytes memory data, address caller) private {
        account = createAccount(signer, recoverer);
        vm.prank(recoverer);
        account.startRecovery(recipient);
        (bool success,) = callAccount(caller, data);
        assertTrue(success);
        vm.warp(START + 3 days);
        vm.prank(recoverer);
        account.finishRecovery();
        assertEq(account.signer(), recipient);
    }
}
