// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Functions that accounts are never allowed to call
/// @notice Functions of tokens and of contracts that hold allowances, which move tokens or let others move them: an
/// allowance would outlive a freeze. And functions that make other calls. The list is a guard rail and not complete: a
/// contract can give a function any name.
library TokenFunctions {
    /// @dev Four bytes each. `test/agent-guardian/SetCall.t.sol` has them with their arguments.
    bytes private constant SELECTORS = bytes.concat(
        // ERC-20 and before: transfer, transferFrom, approve, increaseAllowance, increaseApproval.
        hex"a9059cbb23b872dd095ea7b339509351d73dd623",
        // Comet: allow. Aave: approveDelegation.
        hex"110496e5c04a8a10",
        // ERC-677 and ERC-1363: transferAndCall, transferFromAndCall, approveAndCall.
        hex"1296ee624000aea0d8fbe994c1d34b893177029fcae9ca51",
        // ERC-721 and ERC-1155: safeTransferFrom, safeBatchTransferFrom, setApprovalForAll.
        hex"42842e0eb88d4fdef242432a2eb2c2d6a22cb465",
        // ERC-777 and ERC-6909: send, authorizeOperator, operatorSend, transfer, transferFrom, approve, setOperator.
        hex"9bd9bbc6959b8c3f62ad1b83095bcdb6fe99049a426a8493558a7297",
        // ERC-2612, DAI and USDC: permit. ERC-3009: transferWithAuthorization, receiveWithAuthorization.
        hex"d505accf8fcbaf0c9fd5a6cfe3ee160ecf092995ef55bec688b7ab63",
        // Permit2: approve, permit, transferFrom, permitTransferFrom.
        hex"87517c452b67b5702a2d80d136c785160d58b1db30f28b7aedd9444b",
        // Calls of other contracts: multicall, aggregate, tryAggregate, aggregate3, aggregate3Value.
        hex"ac9650d85ae401dc1f0464d1252dba42bce38bd782ad56cb174dea71"
    );

    /// @notice Returns whether a function is in the list.
    /// @param selector The selector of the function.
    /// @return True if accounts are never allowed to call it.
    function contains(bytes4 selector) internal pure returns (bool) {
        bytes memory selectors = SELECTORS;
        for (uint256 i = 0; i < selectors.length; i += 4) {
            bytes4 listed;
            assembly ("memory-safe") {
                listed := mload(add(add(selectors, 32), i))
            }
            if (listed == selector) return true;
        }
        return false;
    }
}
