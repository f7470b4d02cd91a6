// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice A token whose `transfer` returns nothing, as that of USDT.
contract SilentToken {
    mapping(address account => uint256 balance) public balanceOf;

    function transfer(address recipient, uint256 amount) external {
        balanceOf[recipient] += amount;
    }
}

/// @notice A token whose `transfer` returns false.
contract FalseToken {
    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }
}

/// @notice A token whose `transfer` reverts with a custom error.
contract RevertingToken {
    error Blocked(address recipient);

    function transfer(address recipient, uint256) external pure returns (bool) {
        revert Blocked(recipient);
    }
}

/// @notice A token whose `transfer` makes a call of its choice, and reverts as that call does.
contract CallingToken {
    address private _target;
    bytes private _data;

    function setCallback(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    function transfer(address, uint256) external returns (bool) {
        (bool success, bytes memory result) = _target.call(_data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(result, 32), mload(result))
            }
        }
        return true;
    }
}

/// @notice A token that takes a fee of 1 from the sender, on top of the amount.
contract FeeToken {
    mapping(address account => uint256 balance) public balanceOf;

    constructor(address owner) {
        balanceOf[owner] = 1_000;
    }

    function transfer(address recipient, uint256 amount) external returns (bool) {
        return transferOf(msg.sender, recipient, amount);
    }

    function transferOf(address owner, address recipient, uint256 amount) public returns (bool) {
        balanceOf[owner] -= amount + 1;
        balanceOf[recipient] += amount;
        return true;
    }
}

/// @notice Another contract that transfers the same token.
contract SecondAddress {
    FeeToken private immutable TOKEN;

    constructor(FeeToken token) {
        TOKEN = token;
    }

    function transfer(address recipient, uint256 amount) external returns (bool) {
        return TOKEN.transferOf(msg.sender, recipient, amount);
    }
}
