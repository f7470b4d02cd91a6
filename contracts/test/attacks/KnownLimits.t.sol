// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {AuthorizedToken} from "../support/AuthorizedToken.sol";
import {OpenPaymaster} from "../support/OpenPaymaster.sol";
import {Shop} from "../support/CallTarget.sol";
import {FeeToken, SecondAddress} from "../support/UnusualTokens.sol";
import {AttackFixture} from "./AttackFixture.sol";

contract ReceivingTarget {
    address public caller;

    receive() external payable {
        caller = msg.sender;
    }
}

contract Nft is ERC721("Nft", "NFT") {
    function mint(address account) external {
        _safeMint(account, 1);
    }
}

/// @notice What the contracts do not prevent: the known limits of `contracts/README.md`.
contract KnownLimitTest is AttackFixture {
    function test_known_aTokenWithAFeeOnTopExceedsItsLimit() public {
        FeeToken fee = new FeeToken(address(account));
        setLimit(address(fee), 100);
        transfer(address(fee), 100);
        assertEq(fee.balanceOf(address(account)), 1_000 - 101);
    }

    function test_known_aTokenWithTwoAddressesHasTwoLimits() public {
        FeeToken fee = new FeeToken(address(account));
        SecondAddress second = new SecondAddress(fee);
        setLimit(address(fee), 100);
        setLimit(address(second), 100);
        transfer(address(fee), 100);
        transfer(address(second), 100);
        assertEq(fee.balanceOf(recipient), 200);
    }

    function test_known_spendsTwiceTheLimitAroundMidnight() public {
        uint256 midnight = (START / 1 days + 1) * 1 days;
        vm.warp(midnight - 1);
        transfer(address(token), DEFAULT_LIMIT);
        vm.warp(midnight);
        transfer(address(token), DEFAULT_LIMIT);
        assertEq(token.balanceOf(recipient), 2 * uint256(DEFAULT_LIMIT));
    }

    function test_known_anAccountThatIsNotDeployedActsBeforeItHasRules() public {
        PackedUserOperation memory op = firstOperation();
        handle(op);
        assertEq(token.balanceOf(recipient), DEFAULT_LIMIT);
    }

    function test_refused_actsBeforeTheRulesOfAnAccountThatTheGuardianDeploys() public {
        PackedUserOperation memory op = firstOperation();
        bytes[] memory rules = new bytes[](2);
        rules[0] = abi.encodeCall(guardian.setLimit, (AgentAccount(payable(op.sender)), address(token), 5));
        rules[1] = abi.encodeCall(guardian.setRecipientsRestricted, (AgentAccount(payable(op.sender)), true));
        vm.prank(policyManager);
        address created = guardian.deployAndConfigure(factory, signer, recoverer, SALT_ZERO, rules);
        assertEq(created, op.sender);
        account = AgentAccount(payable(created));
        (uint256 limit,) = account.limitOf(address(token));
        assertEq(limit, 5);
        assertTrue(account.recipientsRestricted());
        // Known: a first operation that was signed before is invalid.
        vm.expectRevert(abi.encodeWithSelector(FailedOp.selector, 0, "AA10 sender already constructed"));
        handle(op);
    }

    function test_known_aSignedAllowanceOutlivesAFreeze() public {
        AuthorizedToken authorized = new AuthorizedToken();
        authorized.mint(address(account), 5);
        vm.prank(policyManager);
        guardian.setCosigner(account, cosigner);
        bytes32 digest = authorized.digestOfPermit(address(account), stranger, 5, "nonce");
        bytes memory signature = personalSignature(account, signerKey, digest, 0);
        authorized.permit(address(account), stranger, 5, "nonce", signature);
        freeze();
        vm.prank(stranger);
        authorized.transferFrom(address(account), stranger, 5);
        assertEq(authorized.balanceOf(stranger), 5);
    }

    function test_known_theArgumentsOfAnAllowedCallAreNotChecked() public {
        AuthorizedToken unlimited = new AuthorizedToken();
        unlimited.mint(address(account), 5);
        setCall(address(unlimited), unlimited.burn.selector, true);
        handle(signedOperation(executeCall(address(unlimited), 0, abi.encodeCall(unlimited.burn, (5)))));
        assertEq(unlimited.balanceOf(address(account)), 0);
    }

    function test_known_theSignersHalfOfAMessageOutlivesAFreeze() public {
        vm.prank(policyManager);
        guardian.setCosigner(account, cosigner);
        bytes memory half = rawSignature(signerKey, personalDigest(account, "hash"));
        freeze();
        unfreeze();
        bytes32 cosigned = cosignedDigest(account, personalDigest(account, "hash"), account.epochId());
        bytes memory signature = abi.encodePacked(half, rawSignature(cosignerKey, cosigned));
        assertEq(bytes32(account.isValidSignature("hash", signature)), bytes32(bytes4(0x1626ba7e)));
    }

    function test_known_whoSeesAnUnfreezeBeforeItIsMinedSignsForTheEpochAfterIt() public {
        freeze();
        PackedUserOperation memory op = transferFor(nextEpochId(account), 0);
        unfreeze();
        handle(op);
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_known_aKeyThatWasLostSignsForItsNextSession() public {
        grantSession(address(token), 5);
        bytes memory next =
            abi.encodeCall(account.executeAsSession, (0, sessionSigner, SESSION + 1, address(token), recipient, 5));
        PackedUserOperation memory op = signSession(next, START + 1 days);
        grantSession(address(token), 5);
        handle(op);
        assertEq(token.balanceOf(recipient), 5);
    }

    function test_known_thePaymasterPaysForASessionOverTheLimitOfTheAccount() public {
        setLimit(address(token), 5);
        grantSession(address(token), 10);
        assertTrue(submit(sessionOperation(address(token), 6)));
        assertNothingPaid();
    }

    function test_known_aTokenCannotBecomeATargetOfCallsAgain() public {
        addToken(stranger);
        vm.prank(policyManager);
        vm.expectRevert(abi.encodeWithSelector(AgentGuardian.CallNotAllowable.selector, stranger, bytes4("call")));
        guardian.setCall(account, stranger, "call", true);
    }

    function test_known_aTransferOfTheNativeCoinCallsItsRecipient() public {
        ReceivingTarget target = new ReceivingTarget();
        setLimit(address(0), 1);
        handle(signedOperation(executeCall(address(target), 0, "")));
        assertEq(target.caller(), address(account));
    }

    function test_known_aFreezeHoldsOnOneChain() public {
        uint256 otherChain = vm.snapshotState();
        account = createAccount(signer, recoverer);
        vm.prank(ENTRY_POINT);
        account.changeSigner(0, stranger);
        freeze();
        address here = address(account);
        vm.revertToState(otherChain);
        vm.chainId(block.chainid + 1);
        account = createAccount(signer, recoverer);
        assertEq(address(account), here);
        transfer(address(token), 1);
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_known_withoutARecoveryAddressAFrozenAccountKeepsItsSigner() public {
        freeze();
        approveRecovery(recoverer);
        assertFalse(submit(signedOperation(abi.encodeCall(account.changeSigner, (account.epochId(), stranger)))));
        assertFalse(submit(signedOperation(abi.encodeCall(account.setRecovery, (account.epochId(), recoverer)))));
    }

    function test_known_aTokenOfMoreThan96BitsIsNotSpentInWhole() public {
        setLimit(address(token), type(uint96).max);
        token.mint(address(account), 1 << 100);
        (bool success,) =
            callAccount(ENTRY_POINT, abi.encodeCall(account.transfer, (0, address(token), recipient, 1 << 96)));
        assertFalse(success);
    }

    function test_known_anyPaymasterIsAccepted() public {
        OpenPaymaster open = new OpenPaymaster();
        entryPoint.depositTo{value: 1 ether}(address(open));
        PackedUserOperation memory op = operation(transferCall(recipient, 1));
        op.paymasterAndData = abi.encodePacked(open, uint128(100_000), uint128(0));
        handle(signOperation(op, signerKey, START + 1 days));
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_known_theAdminGrantsItselfEveryRole() public {
        bytes32 role = guardian.UNFREEZER_ROLE();
        freeze();
        vm.startPrank(admin);
        guardian.grantRole(role, admin);
        guardian.unfreeze(account, account.epochId(), FREEZE_SALT);
        assertFalse(account.frozen());
    }

    function test_known_theNativeCoinNeedsMoreThan2300Gas() public {
        vm.deal(address(this), 1);
        assertFalse(payable(account).send(1));
        (bool success,) = address(account).call{value: 1}("");
        assertTrue(success);
    }

    function test_known_nftsAreRefused() public {
        Nft nft = new Nft();
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InvalidReceiver.selector, account));
        nft.mint(address(account));
    }

    function test_known_aDepositAtTheEntryPointStaysThere() public {
        entryPoint.depositTo{value: 1}(address(account));
        bytes memory withdrawal = abi.encodeCall(entryPoint.withdrawTo, (payable(recipient), 1));
        handle(signedOperation(executeCall(ENTRY_POINT, 0, withdrawal)));
        assertEq(entryPoint.balanceOf(address(account)), 1);
    }

    /// @dev The first operation of an account that is not deployed, which spends the default limit.
    function firstOperation() private returns (PackedUserOperation memory op) {
        op = operation(abi.encodeCall(account.transfer, (0, address(token), recipient, DEFAULT_LIMIT)));
        op.sender = factory.accountOf(signer, recoverer, SALT_ZERO);
        token.mint(op.sender, DEFAULT_LIMIT);
        op.initCode =
            abi.encodePacked(address(factory), abi.encodeCall(factory.createAccount, (signer, recoverer, SALT_ZERO)));
        return signOperation(withSponsor(op), signerKey, START + 1 days);
    }

    function transfer(address transferred, uint256 amount) private {
        handle(signedOperation(abi.encodeCall(account.transfer, (0, transferred, recipient, amount))));
    }
}
