// Anvil runs this expression while it executes a call. It lists the instructions for which ERC-7562 has a rule, with what
// the rule needs to know. `rules.ts` judges them.
({
  steps: [],
  // The last listed instruction, until the next instruction.
  previous: undefined,
  // The addresses of the open calls, without the outermost.
  calls: [],

  step: function (log, db) {
    var op = log.op.toString();
    if (this.previous !== undefined) this.previous.next = op;
    this.previous = undefined;
    var isUnassigned = op.indexOf("not defined") >= 0;
    if (this.details[op] === undefined && !isUnassigned) return;
    var step = { op: op, depth: log.getDepth(), address: toHex(log.contract.getAddress()) };
    this.steps.push(step);
    this.previous = step;
    // Anvil ignores exceptions of a tracer.
    try {
      if (!isUnassigned) this.details[op](step, log, db);
    } catch (exception) {
      step.tracerError = String(exception);
    }
  },

  fault: function () {},

  enter: function (call) {
    this.calls.push(toHex(call.getTo()));
  },

  exit: function (call) {
    var depth = this.calls.length + 1;
    var address = this.calls.pop();
    var error = call.getError();
    if (error !== undefined) this.steps.push({ op: "exit", depth: depth, address: address, error: String(error) });
  },

  result: function () {
    return this.steps;
  },

  details: (function () {
    var word = function (log, index) {
      return "0x" + log.stack.peek(index).toString(16);
    };
    // Memory that was never written is zero, and is not in `log.memory` yet.
    var memory = function (log, offset, length) {
      var end = Math.max(offset, Math.min(offset + length, log.memory.length()));
      var written = toHex(log.memory.slice(offset, end)).slice(2);
      return "0x" + written + "0".repeat(2 * length - written.length);
    };
    var storage = function (step, log) {
      step.slot = word(log, 0);
    };
    var target = function (index) {
      return function (step, log, db) {
        var address = toAddress(word(log, index));
        step.target = toHex(address);
        step.targetHasCode = db.getCode(address).length > 0;
      };
    };
    // `inputIndex` is the position of the input's offset and length on the stack.
    var call = function (inputIndex) {
      return function (step, log, db) {
        target(1)(step, log, db);
        var length = Number(log.stack.peek(inputIndex + 1));
        step.hasValue = inputIndex === 3 && word(log, 2) !== "0x0";
        step.selector = memory(log, Number(log.stack.peek(inputIndex)), Math.min(length, 4));
      };
    };
    var hash = function (step, log) {
      // Only a hash of two words can be the slot of a mapping.
      if (Number(log.stack.peek(1)) !== 64) return;
      step.preimage = memory(log, Number(log.stack.peek(0)), 64);
    };
    var details = {
      SLOAD: storage,
      SSTORE: storage,
      TLOAD: storage,
      TSTORE: storage,
      CALL: call(3),
      CALLCODE: call(3),
      DELEGATECALL: call(2),
      STATICCALL: call(2),
      EXTCODESIZE: target(0),
      EXTCODEHASH: target(0),
      EXTCODECOPY: target(0),
      KECCAK256: hash,
      LOG1: function (step, log) {
        step.topic = word(log, 2);
      },
    };
    var plain =
      "GAS CREATE CREATE2 ORIGIN GASPRICE BLOCKHASH COINBASE TIMESTAMP NUMBER DIFFICULTY PREVRANDAO GASLIMIT " +
      "BASEFEE INVALID SELFDESTRUCT BALANCE SELFBALANCE";
    plain.split(" ").forEach(function (op) {
      details[op] = function () {};
    });
    return details;
  })(),
})
