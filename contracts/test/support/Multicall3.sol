// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The functions of Multicall3 (https://github.com/mds1/multicall3) that Purser calls, for local networks.
contract Multicall3 {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 index = 0; index < calls.length; ++index) {
            (bool success, bytes memory returnData) = calls[index].target.call(calls[index].callData);
            require(success || calls[index].allowFailure, "Multicall3: call failed");
            results[index] = Result(success, returnData);
        }
    }

    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }
}
