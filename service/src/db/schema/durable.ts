interface WorkflowExecutorTable {
  readonly executorId: string;
  readonly leaseExpiresAt: Date;
}

export interface DurableTables {
  readonly workflowExecutors: WorkflowExecutorTable;
}
