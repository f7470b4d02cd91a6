// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {AccountStorage} from "../../src/AccountStorage.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AccountWatch, Outcome, Rule} from "./AccountWatch.sol";
import {AuthorizedToken} from "../support/AuthorizedToken.sol";
import {Shop} from "../support/CallTarget.sol";

/// @notice What signers, session keys and strangers do. All amounts are near the limits.
abstract contract SignerHandler is AccountWatch {
    /// @dev An operation that was signed and kept for later.
    struct KeptOperation {
        PackedUserOperation op;
        uint256 account;
        uint32 changes;
        address signer;
        address implementation;
        bool isForLaterEpoch;
    }

    /// @dev A message that was signed for a token and kept for later.
    struct KeptMessage {
        bool isPermit;
        uint256 account;
        uint32 changes;
        address to;
        uint256 value;
        bytes32 nonce;
        bytes signature;
    }

    AgentAccount[3] internal implementations;
    mapping(address implementation => bool) internal isApproved;
    mapping(uint256 slot => KeptOperation) private _keptOperations;
    mapping(uint256 slot => KeptMessage) private _keptMessages;
    uint256 private constant SLOTS = 3;

    function transfer(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        uint256 asset = random(COUNT);
        uint256 remaining = remainingOf(index, asset);
        uint256 amount = random(4) == 0 ? remaining + 1 + random(3) : random(remaining + 1);
        agreeToSpend(index, asset == NATIVE ? Outcome.NativeTransfer : Outcome.TokenTransfer);
        bool accepted = operate(index, executeCall(index, asset, anyRecipient(), amount));
        if (accepted && amount > remaining) count(Outcome.TransferOverTheLimitRefused);
    }

    function transferBatch(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        AgentAccount.Call[] memory calls = new AgentAccount.Call[](2 + random(2));
        for (uint256 i = 0; i < calls.length; ++i) {
            uint256 asset = random(COUNT);
            uint256 amount = random(remainingOf(index, asset) / 2 + 2);
            (address target, uint256 value, bytes memory data) = transferOf(asset, anyRecipient(), amount);
            calls[i] = AgentAccount.Call(target, value, data);
        }
        agreeToSpend(index, Outcome.Batch);
        operate(index, abi.encodeCall(AgentAccount.executeBatch, (seen[index].epochId, calls)));
    }

    function grantSession(uint256 seed) external watched(seed) {
        _grantSession(anyAccount(), random(COUNT));
    }

    function transferAsSession(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        uint256 asset = random(COUNT);
        requireSession(index, asset);
        bytes memory callData = sessionCall(index, asset, random(remainingOf(index, asset) / 2 + 2));
        if (random(4) == 0) {
            if (submit(signedWith(sessionKey, index, anyNonce(index), callData))) breakRule(Rule.StrangersAreRefused);
            else if (!seen[index].frozen) count(Outcome.SessionInAnotherLaneRefused);
            return;
        }
        agreeToSpend(index, Outcome.SessionTransfer);
        submit(signedWith(sessionKey, index, sessionNonce(index), callData));
    }

    function changeSigner(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        consent.account = index;
        consent.signer = anySigner();
        bool accepted = operate(index, abi.encodeCall(AgentAccount.changeSigner, (seen[index].epochId, consent.signer)));
        if (accepted) count(Outcome.SignerChange);
    }

    function upgrade(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        address next = address(implementations[random(3)]);
        bool withData = random(4) == 0;
        consent.account = index;
        consent.implementation = isApproved[next] && !withData ? next : address(0);
        bytes memory callData = withData
            ? abi.encodeCall(AgentAccount.upgradeToAndCall, (next, abi.encodeCall(AgentAccount.epoch, ())))
            : upgradeCall(index, next);
        if (!operate(index, callData)) return;
        if (!isApproved[next]) count(Outcome.UnapprovedUpgradeRefused);
        else count(withData ? Outcome.UpgradeWithDataRefused : Outcome.Upgrade);
    }

    /// @notice Makes a call that the guardian has allowed, or `burn` of a token, which it cannot allow.
    function callAllowed(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        if (random(2) == 0) {
            agreeToSpend(index, Outcome.AllowedCall);
            uint256 value = random(remainingOf(index, NATIVE) + 2);
            operate(index, _executeData(index, address(shop), value, abi.encodeCall(Shop.buy, ())));
            return;
        }
        bytes memory data = abi.encodeCall(AuthorizedToken.burn, (5));
        bool accepted = operate(index, _executeData(index, assets[AUTHORIZED], 0, data));
        if (accepted) count(Outcome.TokenCallRefused);
    }

    function signWrongly(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        uint256 key = anyWrongKey(index);
        bytes memory callData = anyCall(index);
        // A session key is right for the calls of its session.
        if (bytes4(callData) == AgentAccount.executeAsSession.selector && key == sessionKey) return;
        if (submit(signedWith(key, index, _nonceFor(index, callData), callData))) breakRule(Rule.StrangersAreRefused);
        else count(Outcome.WrongSignatureRefused);
    }

    function keepOperation(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        bytes memory callData = anyCall(index);
        KeptOperation storage kept = _keptOperations[random(SLOTS)];
        bool isSession = bytes4(callData) == AgentAccount.executeAsSession.selector;
        uint256 key = isSession ? sessionKey : keyOf[seen[index].signer];
        kept.op = signedWith(key, index, _nonceFor(index, callData), callData);
        (kept.account, kept.changes, kept.isForLaterEpoch) = (index, seen[index].changes, false);
        (kept.signer, kept.implementation) = (consent.signer, consent.implementation);
    }

    function submitKeptOperation(uint256 seed) external watched(seed) {
        KeptOperation storage kept = _keptOperations[random(SLOTS)];
        if (kept.op.sender == address(0)) return;
        bool stale = kept.isForLaterEpoch || seen[kept.account].changes != kept.changes;
        uint256 index = kept.account;
        agreeToSpend(index, Outcome.KeptOperation);
        consent.signer = kept.signer;
        consent.implementation = isApproved[kept.implementation] ? kept.implementation : address(0);
        bool accepted = submit(kept.op);
        if (accepted && !stale) count(Outcome.KeptOperation);
        if (kept.isForLaterEpoch) {
            if (accepted) breakRule(Rule.NothingIsSignedForALaterEpoch);
            else if (kept.op.nonce >> 224 == seen[index].epochId >> 48) count(Outcome.OperationForALaterEpochRefused);
            if (kept.op.nonce >> 224 < seen[index].epochId >> 48) kept.op.sender = address(0);
            return;
        }
        _judge(accepted, stale, index, Outcome.StaleOperationRefused);
        if (accepted || (stale && !seen[index].frozen)) kept.op.sender = address(0);
    }

    /// @notice A thief of the signer signs a transfer for one of the next epochs, with a salt that it knows: none, that of
    /// this epoch, or that which the account would make in this block of a salt of the guardian's caller.
    function keepOperationForALaterEpoch(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        uint80 next = nextEpochId(accounts[index], random(3));
        uint80[3] memory salts = [uint80(0), uint48(seen[index].epochId), uint48(next)];
        uint80 epochId = (((seen[index].epochId >> 48) + 1 + uint80(random(3))) << 48) | salts[random(3)];
        bytes memory callData = abi.encodeCall(AgentAccount.transfer, (epochId, assets[random(COUNT)], recipient, 1));
        uint256 nonce = (uint256(epochId >> 48) << 224) | uint224(anyNonce(index));
        KeptOperation storage kept = _keptOperations[random(SLOTS)];
        PackedUserOperation memory op = signedWith(keyOf[seen[index].signer], index, nonce, callData);
        kept.op = signForEpoch(op, keyOf[seen[index].signer], type(uint48).max, epochId);
        (kept.account, kept.isForLaterEpoch) = (index, true);
        (kept.signer, kept.implementation) = (address(0), address(0));
    }

    /// @notice Signs a transfer or an allowance of a token, and submits it now or keeps it.
    function signMessage(uint256 seed) external watched(seed) {
        KeptMessage memory message;
        message.account = anyAccount();
        message.isPermit = random(2) == 0;
        message.changes = seen[message.account].changes;
        message.to = recipients[random(2)];
        message.value = random(5000) + 1;
        message.nonce = bytes32(random(type(uint256).max));
        address from = address(accounts[message.account]);
        bytes32 digest = message.isPermit
            ? authorizedToken.digestOfPermit(from, message.to, message.value, message.nonce)
            : authorizedToken.digestOfTransfer(from, message.to, message.value, message.nonce);
        message.signature = personalSignature(
            accounts[message.account], keyOf[seen[message.account].signer], digest, seen[message.account].epochId
        );
        if (random(2) == 0) _keptMessages[random(SLOTS)] = message;
        else if (!_submitMessage(message) && seen[message.account].frozen) count(Outcome.FrozenMessageRefused);
    }

    function submitKeptMessage(uint256 seed) external watched(seed) {
        uint256 slot = random(SLOTS);
        KeptMessage memory message = _keptMessages[slot];
        if (message.to == address(0)) return;
        bool stale = seen[message.account].changes != message.changes;
        bool accepted = _submitMessage(message);
        _judge(accepted, stale, message.account, Outcome.StaleMessageRefused);
        if (accepted || (stale && !seen[message.account].frozen)) delete _keptMessages[slot];
    }

    /// @notice Calls an account or the guardian directly, as a random caller.
    function callDirectly(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        address[6] memory callers = [
            stranger, seen[index].signer, bundler, sessionSigner, address(accounts[(index + 1) % COUNT]), address(this)
        ];
        address caller = callers[random(callers.length)];
        (bool forGuardian, bytes memory data) = anyDirectCall(index);
        address target = random(5) == 0 ? address(implementation) : address(accounts[index]);
        vm.prank(caller);
        (bool success,) = (forGuardian ? address(guardian) : target).call(data);
        if (success) breakRule(Rule.StrangersAreRefused);
        else count(Outcome.DirectCallRefused);
    }

    function remainingOf(uint256 index, uint256 asset) internal view returns (uint256) {
        uint256 limit = limitOf(index, asset);
        uint256 spent = spentToday(index, asset);
        return limit > spent ? limit - spent : 0;
    }

    /// @notice Grants the session key a session of this token if it has none. At times, replaces the one it has.
    function requireSession(uint256 index, uint256 asset) internal {
        AccountStorage.Session memory session = accounts[index].sessionOf(sessionSigner);
        if (session.epoch != seen[index].epochId >> 48 || session.token != assets[asset] || random(4) == 0) {
            _grantSession(index, asset);
        }
    }

    function anySigner() internal returns (address) {
        return signers[random(signers.length)];
    }

    function anyRecipient() internal returns (address) {
        return recipients[random(recipients.length)];
    }

    /// @dev Returns a key that is not the account's signer.
    function anyWrongKey(uint256 index) private returns (uint256) {
        uint256[3] memory keys = [sessionKey, cosignerKey, keyOf[anySigner()]];
        uint256 key = keys[random(3)];
        return key == keyOf[seen[index].signer] ? cosignerKey : key;
    }

    /// @dev Returns any call that a signer or a session key can sign, and notes what the signer agrees to.
    function anyCall(uint256 index) private returns (bytes memory) {
        uint256 kind = random(8);
        if (kind == 0) return sessionCall(index, random(COUNT), 1);
        if (kind == 1) {
            consent.signer = anySigner();
            return abi.encodeCall(AgentAccount.changeSigner, (seen[index].epochId, consent.signer));
        }
        if (kind == 2) {
            consent.implementation = address(implementations[random(3)]);
            return upgradeCall(index, consent.implementation);
        }
        if (kind == 3) return _grantCall(index, random(COUNT));
        return executeCall(index, random(COUNT), recipient, 1);
    }

    function anyDirectCall(uint256 index) private returns (bool forGuardian, bytes memory data) {
        address target = assets[AUTHORIZED];
        bytes[] memory unfreezing = new bytes[](1);
        unfreezing[0] = abi.encodeCall(guardian.unfreeze, (accounts[index], seen[index].epochId, FREEZE_SALT));
        bytes[20] memory calls = [
            executeCall(index, random(COUNT), stranger, 1),
            abi.encodeCall(AgentAccount.executeBatch, (seen[index].epochId, new AgentAccount.Call[](1))),
            sessionCall(index, random(COUNT), 1),
            _grantCall(index, AUTHORIZED),
            abi.encodeCall(AgentAccount.revokeSession, (seen[index].epochId, sessionSigner)),
            abi.encodeCall(AgentAccount.changeSigner, (seen[index].epochId, stranger)),
            upgradeCall(index, address(implementations[random(3)])),
            abi.encodeCall(AgentAccount.initialize, (stranger, stranger)),
            abi.encodeCall(AgentAccount.setRecovery, (seen[index].epochId, stranger)),
            abi.encodeCall(AgentAccount.startRecovery, (stranger)),
            abi.encodeCall(AgentAccount.finishRecovery, ()),
            abi.encodeCall(AgentAccount.freeze, (FREEZE_SALT)),
            abi.encodeCall(AgentAccount.unfreeze, (seen[index].epochId, FREEZE_SALT)),
            abi.encodeWithSignature("setLimit(address,uint96)", target, type(uint96).max),
            abi.encodeWithSignature("setCall(address,bytes4,bool)", target, AuthorizedToken.burn.selector, true),
            abi.encodeWithSignature("removeRecovery()"),
            unfreezing[0],
            abi.encodeCall(guardian.setLimit, (accounts[index], target, type(uint96).max)),
            abi.encodeCall(guardian.approveImplementation, (address(implementations[2]), true)),
            abi.encodeCall(guardian.multicall, (unfreezing))
        ];
        uint256 kind = random(calls.length);
        // The last four are functions of the guardian.
        return (kind + 4 >= calls.length, calls[kind]);
    }

    function transferOf(uint256 asset, address to, uint256 amount)
        private
        view
        returns (address target, uint256 value, bytes memory data)
    {
        if (asset == NATIVE) return (to, amount, "");
        return (assets[asset], 0, abi.encodeCall(IERC20.transfer, (to, amount)));
    }

    /// @dev Transfers by `transfer` or by `execute`.
    function executeCall(uint256 index, uint256 asset, address to, uint256 amount) internal returns (bytes memory) {
        if (random(2) == 0) {
            return abi.encodeCall(AgentAccount.transfer, (seen[index].epochId, assets[asset], to, amount));
        }
        (address target, uint256 value, bytes memory data) = transferOf(asset, to, amount);
        return _executeData(index, target, value, data);
    }

    function sessionCall(uint256 index, uint256 asset, uint256 amount) internal view returns (bytes memory) {
        uint32 number = accounts[index].sessionOf(sessionSigner).number;
        return abi.encodeCall(
            AgentAccount.executeAsSession,
            (seen[index].epochId, sessionSigner, number, assets[asset], recipient, amount)
        );
    }

    function upgradeCall(uint256 index, address next) private view returns (bytes memory) {
        return abi.encodeCall(AgentAccount.upgrade, (seen[index].epochId, next));
    }

    function _executeData(uint256 index, address target, uint256 value, bytes memory data)
        private
        view
        returns (bytes memory)
    {
        return abi.encodeCall(AgentAccount.execute, (seen[index].epochId, target, value, data));
    }

    function _grantCall(uint256 index, uint256 asset) private returns (bytes memory) {
        uint48 time = uint48(vm.getBlockTimestamp());
        uint96 limit = uint96(remainingOf(index, asset) + random(100) + 1);
        uint48 end = time + uint48(random(3 days)) + 1;
        return abi.encodeCall(
            AgentAccount.grantSession, (seen[index].epochId, sessionSigner, assets[asset], limit, time - 1, end)
        );
    }

    /// @dev The nonce that the call needs, so that only the signature is wrong.
    function _nonceFor(uint256 index, bytes memory callData) private returns (uint256) {
        bool isSession = bytes4(callData) == AgentAccount.executeAsSession.selector;
        return isSession ? sessionNonce(index) : anyNonce(index);
    }

    function _grantSession(uint256 index, uint256 asset) private {
        if (operate(index, _grantCall(index, asset))) count(Outcome.SessionGrant);
    }

    /// @dev Nothing that was signed before a freeze, an unfreeze or a new signer may be accepted after it.
    function _judge(bool accepted, bool stale, uint256 index, Outcome refused) private {
        if (!stale) return;
        if (accepted) breakRule(Rule.NothingOfAnEarlierEpochIsAccepted);
        else if (!seen[index].frozen) count(refused);
    }

    /// @dev The spender of an allowance takes all at once: a freeze does not end an allowance that a token has recorded.
    function _submitMessage(KeptMessage memory message) private returns (bool) {
        address from = address(accounts[message.account]);
        agreeToSpend(message.account, Outcome.Message);
        consent.message = true;
        if (!message.isPermit) {
            try authorizedToken.transferWithAuthorization(
                from, message.to, message.value, message.nonce, message.signature
            ) {
                return true;
            } catch {
                return false;
            }
        }
        try authorizedToken.permit(from, message.to, message.value, message.nonce, message.signature) {
            vm.prank(message.to);
            return authorizedToken.transferFrom(from, message.to, message.value);
        } catch {
            return false;
        }
    }
}
