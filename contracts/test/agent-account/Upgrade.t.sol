// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {IERC1967} from "@openzeppelin/contracts/interfaces/IERC1967.sol";
import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {NextAccount, NoImplementation, OtherProxyImplementation} from "../support/Implementations.sol";
import {RecoveryFixture} from "../support/RecoveryFixture.sol";

contract UpgradeTest is RecoveryFixture {
    NextAccount private next;

    function setUp() public override {
        super.setUp();
        next = new NextAccount(guardian);
    }

    function test_upgradesWithTheSignerAndTheGuardian() public {
        approve(address(next), true);
        PackedUserOperation memory op = signedOperation(abi.encodeCall(account.upgrade, (0, address(next))));
        vm.expectEmit(address(account));
        emit IERC1967.Upgraded(address(next));
        handle(op);
        assertEq(implementationOf(), address(next));
        assertEq(NextAccount(payable(account)).version(), 2);
    }

    function test_refusesTheSignerAlone() public {
        PackedUserOperation memory op = signedOperation(abi.encodeCall(account.upgrade, (0, address(next))));
        expectExecutionRevert(op, upgradeDenied(address(next)));
        handle(op);
        assertEq(implementationOf(), address(implementation));
    }

    function test_refusesTheGuardianAlone() public {
        approve(address(next), true);
        vm.prank(address(guardian));
        vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, guardian));
        account.upgrade(0, address(next));
        assertEq(implementationOf(), address(implementation));
    }

    function test_refusesAWithdrawnApproval() public {
        approve(address(next), true);
        approve(address(next), false);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(upgradeDenied(address(next)));
        account.upgrade(0, address(next));
    }

    function test_refusesEvenTheCurrentImplementationWithoutApproval() public {
        vm.prank(ENTRY_POINT);
        vm.expectRevert(upgradeDenied(address(implementation)));
        account.upgrade(0, address(implementation));
    }

    function test_refusesWhileFrozen() public {
        approve(address(next), true);
        freeze();
        vm.prank(ENTRY_POINT);
        vm.expectRevert(AgentAccount.AccountFrozen.selector);
        account.upgrade(0, address(next));
    }

    function test_refusesAContractThatIsNoImplementation() public {
        address none = address(new NoImplementation());
        approve(none, true);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(ERC1967Utils.ERC1967InvalidImplementation.selector, none));
        account.upgrade(0, none);
    }

    function test_refusesAnAddressWithoutCode() public {
        approve(stranger, true);
        vm.prank(ENTRY_POINT);
        vm.expectRevert();
        account.upgrade(0, stranger);
        assertEq(implementationOf(), address(implementation));
    }

    function test_refusesTheImplementationOfAnotherKindOfProxy() public {
        address other = address(new OtherProxyImplementation());
        approve(other, true);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(
            abi.encodeWithSelector(UUPSUpgradeable.UUPSUnsupportedProxiableUUID.selector, keccak256("another slot"))
        );
        account.upgrade(0, other);
    }

    function test_refusesToCallAnApprovedImplementation() public {
        approve(address(next), true);
        vm.startPrank(ENTRY_POINT);
        vm.expectRevert(upgradeDenied(address(next)));
        account.upgradeToAndCall(address(next), abi.encodeCall(next.migrate, ()));
        vm.expectRevert(upgradeDenied(address(next)));
        account.upgradeToAndCall(address(next), hex"00");
        assertEq(implementationOf(), address(implementation));
    }

    function test_keepsTheState() public {
        setLimit(address(token), 50e6);
        handle(signedOperation(transferCall(recipient, 20e6)));
        freeze();
        unfreeze();
        grantSession(address(token), 10e6);
        startRecovery();
        vm.startPrank(policyManager);
        guardian.setCosigner(account, cosigner);
        guardian.setRecipientsRestricted(account, true);
        guardian.setRecipient(account, recipient, true);
        guardian.setCall(account, stranger, 0x01020304, true);
        vm.stopPrank();
        bytes memory before = stateOf();
        approve(address(next), true);
        uint80 epochId = account.epochId();
        vm.prank(ENTRY_POINT);
        account.upgrade(epochId, address(next));
        assertEq(stateOf(), before);
        handle(signedOperation(transferCall(recipient, 30e6)));
        assertEq(token.balanceOf(recipient), 50e6);
        freeze();
        assertTrue(account.frozen());
    }

    function test_refusesACallOfTheImplementationItself() public {
        approve(address(next), true);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(UUPSUpgradeable.UUPSUnauthorizedCallContext.selector);
        implementation.upgrade(0, address(next));
    }

    function test_refusesUpgradeToAndCallForEveryone() public {
        approve(address(next), true);
        address[4] memory callers = [ENTRY_POINT, address(guardian), address(account), signer];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(upgradeDenied(address(next)));
            account.upgradeToAndCall(address(next), "");
        }
    }

    function testFuzz_refusesWhatTheGuardianHasNotApproved(address other) public {
        approve(address(next), true);
        vm.assume(other != address(next));
        vm.prank(ENTRY_POINT);
        vm.expectRevert(upgradeDenied(other));
        account.upgrade(0, other);
    }

    function stateOf() private view returns (bytes memory) {
        (address recovery, address pendingSigner, uint48 recoverableAt) = account.recovery();
        (uint256 limit, uint256 spent) = account.limitOf(address(token));
        bytes memory flags = abi.encode(account.signer(), account.frozen(), account.epochId(), account.cosigner());
        bytes memory rules = abi.encode(
            account.recipientsRestricted(),
            account.isAllowedRecipient(recipient),
            account.isAllowedCall(stranger, 0x01020304)
        );
        return abi.encode(
            flags, rules, recovery, pendingSigner, recoverableAt, limit, spent, account.sessionOf(sessionSigner)
        );
    }

    function implementationOf() private view returns (address) {
        return address(uint160(uint256(vm.load(address(account), ERC1967Utils.IMPLEMENTATION_SLOT))));
    }

    function approve(address candidate, bool approved) private {
        vm.prank(upgrader);
        guardian.approveImplementation(candidate, approved);
    }

    function upgradeDenied(address candidate) private pure returns (bytes memory) {
        return abi.encodeWithSelector(AgentAccount.UpgradeDenied.selector, candidate);
    }
}
