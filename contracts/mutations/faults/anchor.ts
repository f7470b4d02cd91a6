import type { FaultsOfSource } from "../fault.ts";

export const ANCHOR_FAULTS: FaultsOfSource = {
  source: "AuditAnchor.sol",
  faults: [
    {
      id: "anchor-unlimited",
      find: "checkpoints.length > MAX_CHECKPOINTS",
      replace: "checkpoints.length > 2 * MAX_CHECKPOINTS",
      meaning: "A transaction has more checkpoints than are allowed.",
    },
    {
      id: "anchor-forty-nine",
      find: "checkpoints.length > MAX_CHECKPOINTS",
      replace: "checkpoints.length >= MAX_CHECKPOINTS",
      meaning: "Fifty checkpoints are refused.",
    },
    {
      id: "anchor-equal",
      find: "checkpoint.sequence <= last.sequence",
      replace: "checkpoint.sequence < last.sequence",
      meaning: "A checkpoint can be replaced by another one of the same sequence.",
    },
    {
      id: "anchor-lower",
      find: "checkpoint.sequence <= last.sequence",
      replace: "checkpoint.sequence == last.sequence",
      meaning: "An older checkpoint becomes the newest.",
    },
    {
      id: "anchor-ends-at-old",
      find: "continue;",
      replace: "break;",
      meaning: "A checkpoint that is known already hides those after it.",
    },
    {
      id: "anchor-one-publisher",
      find: "newest[msg.sender][checkpoint.stream]",
      replace: "newest[address(this)][checkpoint.stream]",
      meaning: "A stranger publishes in the place of the publisher.",
    },
    {
      id: "anchor-one-stream",
      find: "newest[msg.sender][checkpoint.stream]",
      replace: "newest[msg.sender][0]",
      meaning: "All streams of a publisher are one.",
    },
    {
      id: "anchor-without-sequence",
      find: "(last.sequence, last.blockNumber) = (checkpoint.sequence, blockNumber);",
      replace: "last.blockNumber = blockNumber;",
      meaning: "Every checkpoint counts as newer.",
    },
    {
      id: "anchor-without-block",
      find: "(last.sequence, last.blockNumber) = (checkpoint.sequence, blockNumber);",
      replace: "last.sequence = checkpoint.sequence;",
      meaning: "The log of a checkpoint cannot be found.",
    },
    {
      id: "anchor-event-publisher",
      find: "emit CheckpointPublished(msg.sender,",
      replace: "emit CheckpointPublished(tx.origin,",
      meaning: "The event names another publisher than the sender.",
    },
    {
      id: "anchor-without-event",
      find: "            emit CheckpointPublished(msg.sender, checkpoint.stream, checkpoint.sequence, checkpoint.json);\n",
      replace: "",
      meaning: "The checkpoint is not on the chain.",
    },
    {
      id: "anchor-arbitrum",
      find: "arbSys.code.length == 0 ? block.number : IArbSys(arbSys).arbBlockNumber()",
      replace: "block.number",
      meaning: "On Arbitrum, the log of a checkpoint cannot be found.",
    },
  ],
};
