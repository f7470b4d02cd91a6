// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice A contract that the guardian may allow accounts to call.
contract CallTarget {
    error Unavailable(uint256 code);

    uint256 public total;
    uint256 public lastCode;

    function record(uint256 code) external payable {
        total += msg.value;
        lastCode = code;
    }

    function fail(uint256 code) external pure {
        revert Unavailable(code);
    }

    function failSilently() external pure {
        assembly {
            revert(0, 0)
        }
    }
}

/// @notice A contract that accepts no native coin.
contract CoinRefuser {}

/// @notice A contract that is paid in the native coin by a function call.
contract Shop {
    function buy() external payable {}
}
