// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEntryPoint, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AccountStorage} from "../../src/AccountStorage.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";
import {AuthorizedToken} from "../support/AuthorizedToken.sol";
import {FreezeSwitch} from "../support/FreezeSwitch.sol";
import {OpenPaymaster} from "../support/OpenPaymaster.sol";
import {Shop} from "../support/CallTarget.sol";

/// @notice What must never happen.
enum Rule {
    FrozenAccountsKeepTheirMoney,
    MoneyLeavesOnlyByConsent,
    SpendingStaysInTheLimit,
    EpochNeverFalls,
    UpgradeNeedsSignerAndGuardian,
    NothingOfAnEarlierEpochIsAccepted,
    NothingIsSignedForALaterEpoch,
    UnfreezeNamesTheFreeze,
    SignerChangesOnlyByConsentOrRecovery,
    StrangersAreRefused
}

/// @notice What must happen in a campaign, so that the rules are tested with money that moves.
enum Outcome {
    TokenTransfer,
    NativeTransfer,
    TransferOverTheLimitRefused,
    FrozenOperationRefused,
    Batch,
    SessionGrant,
    SessionTransfer,
    SessionInAnotherLaneRefused,
    SignerChange,
    Upgrade,
    UnapprovedUpgradeRefused,
    UpgradeWithDataRefused,
    WrongSignatureRefused,
    DirectCallRefused,
    KeptOperation,
    StaleOperationRefused,
    OperationForALaterEpochRefused,
    Message,
    StaleMessageRefused,
    FrozenMessageRefused,
    AllowedCall,
    TokenCallRefused,
    TokenFunctionRefused,
    Freeze,
    FreezeWithinABundle,
    UnfreezeWithinABundle,
    SignerChangeWithinABundle,
    SessionEndWithinABundle,
    Unfreeze,
    UnfreezeOfAnEarlierFreezeRefused,
    LimitChange,
    LimitOfZero,
    Recovery,
    RecoveryOutsideItsWindowRefused,
    RecoveryCanceled,
    RecoveryAddressRemoved,
    RecoveryAddressSet,
    RecoveryAddressKept,
    NewDay
}

/// @notice Three accounts and what can be seen of them from outside. After each action, it compares all balances,
/// signers, epochs and implementations with those before.
abstract contract AccountWatch is AccountFixture {
    uint256 internal constant COUNT = 3;
    uint256 internal constant NATIVE = 0;
    /// @dev The token that accepts ERC-1271 signatures, and whose other functions the guardian never allows.
    uint256 internal constant AUTHORIZED = 1;

    struct Seen {
        uint256[COUNT] balances;
        address implementation;
        address signer;
        uint80 epochId;
        bool frozen;
        // How often it was frozen, was unfrozen or had a new signer. The rules do not trust its own epoch.
        uint32 changes;
    }

    struct Limit {
        bool isOwn;
        uint96 amount;
    }

    /// @dev What the signer, and for an upgrade the guardian, has agreed to in the running action.
    struct Consent {
        uint256 account;
        address signer;
        address implementation;
        // Whether its money may leave the account.
        bool spends;
        // The cosigner and not the limit decides about messages.
        bool message;
        // What it means if the account's money moves.
        Outcome outcome;
    }

    /// @dev A bit for each rule, so that the check after each action is one call.
    uint256 public brokenRules;
    mapping(Outcome outcome => uint256) public countOf;
    uint256 public actions;

    AgentAccount[COUNT] internal accounts;
    address[COUNT] internal assets;
    Seen[COUNT] internal seen;
    uint96[COUNT] internal defaultLimits;
    mapping(uint256 account => mapping(uint256 asset => Limit)) internal limits;
    mapping(uint256 account => mapping(uint256 asset => mapping(uint256 day => uint256))) internal spentOn;
    mapping(address signer => uint256) internal keyOf;
    address[6] internal signers;
    address[4] internal recipients;
    AuthorizedToken internal authorizedToken;
    OpenPaymaster internal openPaymaster;
    FreezeSwitch internal freezeSwitch;
    Shop internal shop;
    Consent internal consent;
    uint256 private _random;
    uint256 private _nonceKey;

    modifier watched(uint256 seed) {
        // A seed that comes again starts another action.
        _random = uint256(keccak256(abi.encode(seed, ++actions)));
        delete consent;
        _;
        for (uint256 i = 0; i < COUNT; ++i) {
            _compare(i);
        }
    }

    function setUp() public virtual override {
        super.setUp();
        authorizedToken = new AuthorizedToken();
        openPaymaster = new OpenPaymaster();
        freezeSwitch = newFreezeSwitch();
        shop = new Shop();
        assets = [address(0), address(authorizedToken), address(token)];
        vm.deal(address(this), 1000 ether);
        entryPoint.depositTo{value: 1000 ether}(address(openPaymaster));
        for (uint256 i = 0; i < signers.length; ++i) {
            (address created, uint256 key) = makeAccount(string.concat("signer", vm.toString(i)));
            (signers[i], keyOf[created]) = (created, key);
        }
        for (uint256 i = 0; i < COUNT; ++i) {
            accounts[i] = createAccount(signers[i], recoverer);
            authorizedToken.mint(address(accounts[i]), 1_000_000e6);
            vm.deal(address(accounts[i]), 1000 ether);
            _setUpPolicy(i);
            seen[i] = _read(i);
        }
        recipients = [recipient, makeAddress("payee"), address(accounts[0]), address(accounts[1])];
    }

    /// @notice Returns a number below `end`, which depends on the seed of the action.
    function random(uint256 end) internal returns (uint256) {
        _random = uint256(keccak256(abi.encode(_random)));
        return _random % end;
    }

    /// @notice Returns an account, more often one that is not frozen.
    function anyAccount() internal returns (uint256 index) {
        index = random(COUNT);
        if (random(4) == 0) return index;
        for (uint256 i = 0; i < COUNT && seen[index].frozen; ++i) {
            index = (index + 1) % COUNT;
        }
    }

    /// @notice Notes that money of the account may leave it in this action, and what that means.
    function agreeToSpend(uint256 index, Outcome outcome) internal {
        (consent.account, consent.spends, consent.outcome) = (index, true, outcome);
    }

    function breakRule(Rule rule) internal {
        brokenRules |= 1 << uint256(rule);
    }

    function count(Outcome outcome) internal {
        ++countOf[outcome];
    }

    function limitOf(uint256 index, uint256 asset) internal view returns (uint256) {
        Limit storage limit = limits[index][asset];
        return limit.isOwn ? limit.amount : defaultLimits[asset];
    }

    function spentToday(uint256 index, uint256 asset) internal view returns (uint256) {
        return spentOn[index][asset][vm.getBlockTimestamp() / 1 days];
    }

    /// @notice Returns a nonce of the account's epoch that depends on no other operation.
    function anyNonce(uint256 index) internal returns (uint256) {
        return (uint256(seen[index].epochId >> 48) << 224) | (++_nonceKey << 64);
    }

    /// @notice Returns the next nonce of the session key.
    function sessionNonce(uint256 index) internal view returns (uint256) {
        uint192 nonceKey = (uint192(seen[index].epochId >> 48) << 160) | uint160(sessionSigner);
        return entryPoint.getNonce(address(accounts[index]), nonceKey);
    }

    /// @notice Returns an operation of the account, signed with this key.
    function signedWith(uint256 key, uint256 index, uint256 nonce, bytes memory callData)
        internal
        view
        returns (PackedUserOperation memory op)
    {
        op = PackedUserOperation({
            sender: address(accounts[index]),
            nonce: nonce,
            initCode: "",
            callData: callData,
            accountGasLimits: bytes32((uint256(400_000) << 128) | 600_000),
            preVerificationGas: 60_000,
            gasFees: bytes32((uint256(1 gwei) << 128) | 1 gwei),
            paymasterAndData: abi.encodePacked(address(openPaymaster), uint128(100_000), uint128(0)),
            signature: ""
        });
        return signOperation(op, key, type(uint48).max);
    }

    function signed(uint256 index, bytes memory callData) internal returns (PackedUserOperation memory op) {
        return signedWith(keyOf[seen[index].signer], index, anyNonce(index), callData);
    }

    /// @notice Signs and sends an operation of an account.
    function operate(uint256 index, bytes memory callData) internal returns (bool accepted) {
        accepted = submit(signed(index, callData));
        if (!accepted && seen[index].frozen) count(Outcome.FrozenOperationRefused);
    }

    /// @dev Compares an account with what was seen of it before the action.
    function _compare(uint256 index) private {
        Seen storage before = seen[index];
        Seen memory current = _read(index);
        if (current.epochId >> 48 < before.epochId >> 48) breakRule(Rule.EpochNeverFalls);
        bool consented = consent.account == index;
        if (current.signer != before.signer && !(consented && current.signer == consent.signer)) {
            breakRule(Rule.SignerChangesOnlyByConsentOrRecovery);
        }
        if (
            current.implementation != before.implementation
                && !(consented && current.implementation == consent.implementation)
        ) breakRule(Rule.UpgradeNeedsSignerAndGuardian);
        bool frozen = before.frozen || current.frozen;
        for (uint256 asset = 0; asset < COUNT; ++asset) {
            if (current.balances[asset] < before.balances[asset]) {
                _countOutflow(index, asset, before.balances[asset] - current.balances[asset], frozen);
            }
            if (current.balances[asset] != before.balances[asset]) before.balances[asset] = current.balances[asset];
        }
        if (current.frozen != before.frozen || current.signer != before.signer) ++before.changes;
        if (current.implementation != before.implementation) before.implementation = current.implementation;
        if (current.epochId != before.epochId || current.frozen != before.frozen || current.signer != before.signer) {
            (before.signer, before.epochId, before.frozen) = (current.signer, current.epochId, current.frozen);
        }
    }

    /// @dev Only what leaves an account counts. What an account pays itself does not.
    function _countOutflow(uint256 index, uint256 asset, uint256 amount, bool frozen) private {
        if (frozen) breakRule(Rule.FrozenAccountsKeepTheirMoney);
        if (consent.account != index || !consent.spends) breakRule(Rule.MoneyLeavesOnlyByConsent);
        count(consent.outcome);
        if (consent.message) return;
        uint256 day = vm.getBlockTimestamp() / 1 days;
        spentOn[index][asset][day] += amount;
        if (spentOn[index][asset][day] > limitOf(index, asset)) breakRule(Rule.SpendingStaysInTheLimit);
    }

    function _read(uint256 index) private view returns (Seen memory current) {
        AgentAccount watchedAccount = accounts[index];
        current.balances[NATIVE] = address(watchedAccount).balance;
        for (uint256 asset = 1; asset < COUNT; ++asset) {
            current.balances[asset] = IERC20(assets[asset]).balanceOf(address(watchedAccount));
        }
        // The signer, whether it is frozen, whether recipients are restricted, and the epoch share a slot. One read of it
        // is faster than three calls.
        uint256 slot = uint256(vm.load(address(watchedAccount), AccountStorage.SLOT));
        current.signer = address(uint160(slot));
        current.frozen = uint8(slot >> 160) != 0;
        current.epochId = uint80(slot >> 176);
        current.implementation =
            address(uint160(uint256(vm.load(address(watchedAccount), ERC1967Utils.IMPLEMENTATION_SLOT))));
    }

    function _setUpPolicy(uint256 index) private {
        vm.startPrank(policyManager);
        for (uint256 asset = 0; asset < COUNT; ++asset) {
            guardian.addToken(assets[asset]);
            guardian.setDefaultLimit(assets[asset], 1000);
            defaultLimits[asset] = 1000;
        }
        guardian.setCosigner(accounts[index], cosigner);
        guardian.setCall(accounts[index], address(freezeSwitch), FreezeSwitch.press.selector, true);
        guardian.setCall(accounts[index], address(shop), Shop.buy.selector, true);
        vm.stopPrank();
    }
}
