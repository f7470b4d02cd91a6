// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEntryPointExtra} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {IEntryPoint, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AgentAccountFactory} from "../../src/AgentAccountFactory.sol";
import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {VerifyingPaymaster} from "../../src/VerifyingPaymaster.sol";
import {CanonicalEntryPoint} from "./CanonicalEntryPoint.sol";
import {FreezeSwitch} from "./FreezeSwitch.sol";
import {MockToken} from "./MockToken.sol";

/// @notice A guardian, a factory, a paymaster with a deposit, a token and an account that can spend it, all with the real
/// EntryPoint. Operations are signed as a client signs them.
abstract contract AccountFixture is CanonicalEntryPoint {
    /// @dev Errors of the EntryPoint 0.8.
    error FailedOp(uint256 opIndex, string reason);
    error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner);

    /// @dev Event of the EntryPoint 0.8: the execution of an operation reverted.
    event UserOperationRevertReason(
        bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason
    );

    /// @dev 2026-11-23T12:00:00Z.
    uint48 internal constant START = 1_795_435_200;
    uint96 internal constant DEFAULT_LIMIT = 1_000e6;
    uint48 internal constant ADMIN_DELAY = 1 days;
    bytes32 internal constant SALT_ZERO = bytes32(0);
    /// @dev What the freezer and the unfreezer choose at random.
    uint48 internal constant FREEZE_SALT = 0x5a17f00dbeef;
    /// @dev The number of the first session of an account.
    uint32 internal constant SESSION = 1;

    IEntryPoint internal entryPoint = IEntryPoint(ENTRY_POINT);
    AgentGuardian internal guardian;
    AgentAccount internal implementation;
    AgentAccountFactory internal factory;
    VerifyingPaymaster internal paymaster;
    MockToken internal token;
    AgentAccount internal account;

    address internal admin = makeAddress("admin");
    address internal freezer = makeAddress("freezer");
    address internal unfreezer = makeAddress("unfreezer");
    address internal policyManager = makeAddress("policyManager");
    address internal upgrader = makeAddress("upgrader");
    address internal recoverer = makeAddress("recoverer");
    address internal recipient = makeAddress("recipient");
    address internal stranger = makeAddress("stranger");
    address internal bundler = makeAddress("bundler");
    address internal signer;
    uint256 internal signerKey;
    address internal sessionSigner;
    uint256 internal sessionKey;
    address internal cosigner;
    uint256 internal cosignerKey;
    address internal sponsor;
    uint256 internal sponsorKey;
    uint128 internal postOperationGasLimit;

    function setUp() public virtual {
        vm.warp(START);
        (signer, signerKey) = makeAccount("signer");
        (sessionSigner, sessionKey) = makeAccount("sessionSigner");
        (cosigner, cosignerKey) = makeAccount("cosigner");
        (sponsor, sponsorKey) = makeAccount("sponsor");
        deployEntryPoint();
        guardian = AgentGuardian(deploy("AgentGuardian", abi.encode(admin, ADMIN_DELAY)));
        grantRoles(guardian);
        implementation = AgentAccount(payable(deploy("AgentAccount", abi.encode(guardian))));
        factory = AgentAccountFactory(deploy("AgentAccountFactory", abi.encode(implementation)));
        paymaster = VerifyingPaymaster(deploy("VerifyingPaymaster", abi.encode(sponsor, admin)));
        token = new MockToken();
        vm.deal(address(this), 100 ether);
        paymaster.deposit{value: 10 ether}();
        vm.deal(bundler, 100 ether);
        account = createAccount(signer, address(0));
        vm.startPrank(policyManager);
        guardian.addToken(address(token));
        guardian.setDefaultLimit(address(token), DEFAULT_LIMIT);
        vm.stopPrank();
    }

    /// @notice Grants each role of a guardian to its holder.
    function grantRoles(AgentGuardian granting) internal {
        vm.startPrank(admin);
        granting.grantRole(keccak256("FREEZER_ROLE"), freezer);
        granting.grantRole(keccak256("UNFREEZER_ROLE"), unfreezer);
        granting.grantRole(keccak256("POLICY_ROLE"), policyManager);
        granting.grantRole(keccak256("UPGRADER_ROLE"), upgrader);
        vm.stopPrank();
    }

    /// @notice Returns a contract that may freeze and unfreeze.
    function newFreezeSwitch() internal returns (FreezeSwitch created) {
        created = new FreezeSwitch(guardian);
        vm.startPrank(admin);
        guardian.grantRole(keccak256("FREEZER_ROLE"), address(created));
        guardian.grantRole(keccak256("UNFREEZER_ROLE"), address(created));
        vm.stopPrank();
    }

    /// @notice Deploys an account that holds tokens and the native coin.
    function createAccount(address owner, address recovery) internal returns (AgentAccount created) {
        created = AgentAccount(payable(factory.createAccount(owner, recovery, SALT_ZERO)));
        token.mint(address(created), 1_000_000e6);
        vm.deal(address(created), 10 ether);
    }

    /// @notice Returns an operation of the account, sponsored and signed by the signer.
    function signedOperation(bytes memory callData) internal view returns (PackedUserOperation memory) {
        return signOperation(withSponsor(operation(callData)), signerKey, START + 1 days);
    }

    /// @notice Returns an operation of the account in its epoch, without a paymaster and a signature.
    function operation(bytes memory callData) internal view returns (PackedUserOperation memory) {
        return operationInLane(0, callData);
    }

    /// @notice Returns an operation that can be in one bundle with operations of other lanes.
    function operationInLane(uint160 lane, bytes memory callData) internal view returns (PackedUserOperation memory) {
        uint192 nonceKey = (uint192(account.epoch()) << 160) | lane;
        return PackedUserOperation({
            sender: address(account),
            nonce: entryPoint.getNonce(address(account), nonceKey),
            initCode: "",
            callData: callData,
            accountGasLimits: bytes32((uint256(400_000) << 128) | 600_000),
            preVerificationGas: 60_000,
            gasFees: bytes32((uint256(1 gwei) << 128) | 1 gwei),
            paymasterAndData: "",
            signature: ""
        });
    }

    /// @notice Adds the paymaster and its signature for a day.
    function withSponsor(PackedUserOperation memory op) internal view returns (PackedUserOperation memory) {
        return sponsorFor(op, 0, START + 1 days);
    }

    /// @notice Adds the paymaster and its signature for a time range.
    function sponsorFor(PackedUserOperation memory op, uint48 validAfter, uint48 validUntil)
        internal
        view
        returns (PackedUserOperation memory)
    {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "UserOperationRequest(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,uint256 paymasterVerificationGasLimit,uint256 paymasterPostOpGasLimit,uint48 validAfter,uint48 validUntil)"
                ),
                op.sender,
                op.nonce,
                keccak256(op.initCode),
                keccak256(op.callData),
                op.accountGasLimits,
                op.preVerificationGas,
                op.gasFees,
                uint256(100_000),
                uint256(postOperationGasLimit),
                validAfter,
                validUntil
            )
        );
        bytes32 digest = MessageHashUtils.toTypedDataHash(
            domainSeparator("Purser VerifyingPaymaster", address(paymaster)), structHash
        );
        op.paymasterAndData = abi.encodePacked(
            address(paymaster),
            uint128(100_000),
            postOperationGasLimit,
            validAfter,
            validUntil,
            rawSignature(sponsorKey, digest)
        );
        return op;
    }

    /// @notice Signs with the key of the signer or of a session, in the epoch that the account has now.
    function signOperation(PackedUserOperation memory op, uint256 key, uint48 validUntil)
        internal
        view
        returns (PackedUserOperation memory)
    {
        uint80 epochId = op.sender.code.length == 0 ? 0 : AgentAccount(payable(op.sender)).epochId();
        return signForEpoch(op, key, validUntil, epochId);
    }

    /// @notice Signs for an epoch that the account can have later.
    function signForEpoch(PackedUserOperation memory op, uint256 key, uint48 validUntil, uint80 epochId)
        internal
        view
        returns (PackedUserOperation memory)
    {
        bytes32 userOpHash = IEntryPointExtra(ENTRY_POINT).getUserOpHash(op);
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Operation(bytes32 userOpHash,uint48 validUntil,uint80 epochId,uint32 session)"),
                userOpHash,
                validUntil,
                epochId,
                sessionNumberIn(op.callData)
            )
        );
        bytes32 digest = MessageHashUtils.toTypedDataHash(domainSeparator("Purser AgentAccount", op.sender), structHash);
        op.signature = abi.encodePacked(validUntil, rawSignature(key, digest));
        return op;
    }

    /// @dev Zero for a call that is not `executeAsSession`.
    function sessionNumberIn(bytes memory callData) private pure returns (uint32 session) {
        if (bytes4(callData) != AgentAccount.executeAsSession.selector || callData.length < 100) return 0;
        assembly ("memory-safe") {
            session := mload(add(callData, 100))
        }
    }

    /// @notice Returns what the signer signs for a personal message of ERC-7739.
    function personalDigest(AgentAccount of_, bytes32 hash) internal view returns (bytes32) {
        return MessageHashUtils.toTypedDataHash(
            domainSeparator("Purser AgentAccount", address(of_)),
            keccak256(abi.encode(keccak256("PersonalSign(bytes prefixed)"), hash))
        );
    }

    /// @notice Returns what the cosigner signs for a message of which the signer signs `digest`.
    function cosignedDigest(AgentAccount of_, bytes32 digest, uint80 epochId) internal view returns (bytes32) {
        return MessageHashUtils.toTypedDataHash(
            domainSeparator("Purser AgentAccount", address(of_)),
            keccak256(abi.encode(keccak256("Cosignature(bytes32 hash,uint80 epochId)"), digest, epochId))
        );
    }

    /// @notice Returns a personal message of an account, signed by its signer and the cosigner.
    function personalSignature(AgentAccount of_, uint256 key, bytes32 hash, uint80 epochId)
        internal
        view
        returns (bytes memory)
    {
        bytes32 digest = personalDigest(of_, hash);
        bytes32 cosigned = cosignedDigest(of_, digest, epochId);
        return abi.encodePacked(rawSignature(key, digest), rawSignature(cosignerKey, cosigned));
    }

    /// @notice Returns the id that the account's next epoch will have in this block, if it is started with this salt.
    function nextEpochId(AgentAccount of_, uint256 salt) internal view returns (uint80) {
        bytes32 mixed = keccak256(abi.encode(of_.epochId(), blockhash(block.number - 1), salt));
        return (uint80(of_.epoch() + 1) << 48) | uint48(uint256(mixed));
    }

    /// @notice Returns the id of the epoch that the next freeze or unfreeze starts in this block.
    function nextEpochId(AgentAccount of_) internal view returns (uint80) {
        return nextEpochId(of_, FREEZE_SALT);
    }

    function rawSignature(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function domainSeparator(string memory name, address verifyingContract) internal view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256("1"),
                block.chainid,
                verifyingContract
            )
        );
    }

    /// @notice Sends the operation to the EntryPoint in a bundle of one.
    function handle(PackedUserOperation memory op) internal {
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = op;
        handleBundle(ops);
    }

    /// @notice Sends the operations to the EntryPoint in one bundle.
    function handleBundle(PackedUserOperation[] memory ops) internal {
        vm.prank(bundler, bundler);
        entryPoint.handleOps(ops, payable(bundler));
    }

    /// @notice Sends the operation to the EntryPoint, and returns whether its validation succeeded.
    function submit(PackedUserOperation memory op) internal returns (bool accepted) {
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = op;
        return submitBundle(ops);
    }

    function submitBundle(PackedUserOperation[] memory ops) internal returns (bool accepted) {
        vm.prank(bundler, bundler);
        try entryPoint.handleOps(ops, payable(bundler)) {
            return true;
        } catch {
            return false;
        }
    }

    function bundleOf(PackedUserOperation memory first, PackedUserOperation memory second)
        internal
        pure
        returns (PackedUserOperation[] memory ops)
    {
        ops = new PackedUserOperation[](2);
        (ops[0], ops[1]) = (first, second);
    }

    /// @notice Validates the operation as the EntryPoint does, and returns what the account returns.
    function validate(PackedUserOperation memory op) internal returns (uint256 validationData) {
        bytes32 userOpHash = IEntryPointExtra(ENTRY_POINT).getUserOpHash(op);
        vm.prank(ENTRY_POINT);
        return account.validateUserOp(op, userOpHash, 0);
    }

    /// @notice Calls the account, and returns whether it succeeded and what it returned.
    function callAccount(address caller, bytes memory data) internal returns (bool success, bytes memory result) {
        vm.prank(caller);
        return address(account).call(data);
    }

    /// @notice Expects that validation reverts with this error of the account.
    function expectValidationRevert(bytes memory inner) internal {
        vm.expectRevert(abi.encodeWithSelector(FailedOpWithRevert.selector, 0, "AA23 reverted", inner));
    }

    /// @notice Expects that the account does not accept the signature.
    function expectSignatureError() internal {
        vm.expectRevert(abi.encodeWithSelector(FailedOp.selector, 0, "AA24 signature error"));
    }

    /// @notice Expects that validation finds no session of the key that allows the operation.
    function expectSessionDenied(address key, address sessionToken) internal {
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.SessionDenied.selector, key, sessionToken));
    }

    /// @notice Expects that the operation is accepted, and that its execution reverts with this reason.
    function expectExecutionRevert(PackedUserOperation memory op, bytes memory reason) internal {
        bytes32 userOpHash = IEntryPointExtra(ENTRY_POINT).getUserOpHash(op);
        vm.expectEmit(ENTRY_POINT);
        emit UserOperationRevertReason(userOpHash, op.sender, op.nonce, reason);
    }

    function transferCall(address to, uint256 amount) internal view returns (bytes memory) {
        return executeCall(address(token), 0, abi.encodeCall(token.transfer, (to, amount)));
    }

    /// @notice Returns a call of `execute` in the account's epoch.
    function executeCall(address target, uint256 value, bytes memory data) internal view returns (bytes memory) {
        return abi.encodeCall(account.execute, (account.epochId(), target, value, data));
    }

    function freeze() internal {
        vm.prank(freezer);
        guardian.freeze(account, FREEZE_SALT);
    }

    function unfreeze() internal {
        uint80 epochId = account.epochId();
        vm.prank(unfreezer);
        guardian.unfreeze(account, epochId, FREEZE_SALT);
    }

    /// @notice Approves the recovery address that the signer of the account may set.
    function approveRecovery(address recovery) internal {
        vm.prank(upgrader);
        guardian.approveRecovery(address(account), recovery);
    }

    /// @notice Makes a contract a token.
    function addToken(address added) internal {
        vm.prank(policyManager);
        guardian.addToken(added);
    }

    /// @notice Sets the account's own limit of a contract, which it makes a token.
    function setLimit(address limited, uint96 limit) internal {
        if (!guardian.isToken(limited)) addToken(limited);
        vm.prank(policyManager);
        guardian.setLimit(account, limited, limit);
    }

    /// @notice Allows or removes a call of the account.
    function setCall(address target, bytes4 selector, bool allowed) internal {
        vm.prank(policyManager);
        guardian.setCall(account, target, selector, allowed);
    }

    /// @notice Grants the session key a session that is valid for an hour from now.
    function grantSession(address sessionToken, uint96 limit) internal {
        uint80 epochId = account.epochId();
        vm.prank(ENTRY_POINT);
        account.grantSession(
            epochId, sessionSigner, sessionToken, limit, uint48(block.timestamp - 1), uint48(block.timestamp + 1 hours)
        );
    }

    function sessionCall(address sessionToken, address to, uint256 amount) internal view returns (bytes memory) {
        uint32 number = account.sessionOf(sessionSigner).number;
        return
            abi.encodeCall(
                account.executeAsSession, (account.epochId(), sessionSigner, number, sessionToken, to, amount)
            );
    }

    /// @notice Returns an operation of the session key, sponsored and signed by it.
    function sessionOperation(address sessionToken, uint256 amount) internal view returns (PackedUserOperation memory) {
        return signSession(sessionCall(sessionToken, recipient, amount), START + 1 days);
    }

    /// @notice Returns an operation in the lane of the session key, sponsored and signed by it.
    function signSession(bytes memory callData, uint48 validUntil) internal view returns (PackedUserOperation memory) {
        PackedUserOperation memory op = operationInLane(uint160(sessionSigner), callData);
        return signOperation(withSponsor(op), sessionKey, validUntil);
    }
}
