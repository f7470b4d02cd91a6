// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {LibClone} from "solady/utils/LibClone.sol";
import {AgentAccount} from "./AgentAccount.sol";

/// @title Deploys accounts at addresses that are known in advance
/// @notice Anyone may deploy an account. Its address depends on the signer, the recovery address, the salt and, through
/// the implementation, on the guardian, so it is never deployed with other values.
contract AgentAccountFactory {
    /// @notice The implementation of new accounts.
    address public immutable IMPLEMENTATION;

    /// @notice An account was deployed.
    /// @param account The address of the account.
    /// @param signer The key that signs operations.
    /// @param recovery The address that may replace a lost signer after a delay. Zero for none.
    /// @param salt Distinguishes accounts of one signer.
    event AccountCreated(address indexed account, address indexed signer, address recovery, bytes32 salt);

    /// @param implementation The implementation of new accounts.
    constructor(address implementation) {
        IMPLEMENTATION = implementation;
    }

    /// @notice Deploys an account. Returns the address of the existing one if it is deployed.
    /// @param signer The key that signs operations.
    /// @param recovery The address that may replace a lost signer after a delay. Zero for none.
    /// @param salt Distinguishes accounts of one signer.
    /// @return account The address of the account.
    function createAccount(address signer, address recovery, bytes32 salt) external returns (address account) {
        bool exists;
        (exists, account) = LibClone.createDeterministicERC1967(IMPLEMENTATION, _saltOf(signer, recovery, salt));
        if (exists) return account;
        AgentAccount(payable(account)).initialize(signer, recovery);
        emit AccountCreated(account, signer, recovery, salt);
    }

    /// @notice Returns the address of an account, deployed or not.
    /// @param signer The key that signs operations.
    /// @param recovery The address that may replace a lost signer after a delay. Zero for none.
    /// @param salt Distinguishes accounts of one signer.
    /// @return account The address of the account.
    function accountOf(address signer, address recovery, bytes32 salt) external view returns (address account) {
        bytes32 saltOfAccount = _saltOf(signer, recovery, salt);
        return LibClone.predictDeterministicAddressERC1967(IMPLEMENTATION, saltOfAccount, address(this));
    }

    function _saltOf(address signer, address recovery, bytes32 salt) private pure returns (bytes32) {
        return keccak256(abi.encode(signer, recovery, salt));
    }
}
