/** Returns the statements with which an operator lets an operation that needs one run again (docs/production.md). */
export function runAgain(operationId: string): string {
  return `begin;
    update operations set status = 'running', error = null
      where operation_id = '${operationId}' and status = 'needs_operator';
    update operation_steps set status = 'running' where operation_id = '${operationId}' and status = 'failed';
    delete from dbos.transaction_completion where workflow_id = '${operationId}';
    delete from dbos.workflow_input where workflow_uuid = '${operationId}';
    delete from dbos.workflow_output where workflow_uuid = '${operationId}';
    delete from dbos.operation_outputs where workflow_uuid = '${operationId}';
    delete from dbos.workflow_status where workflow_uuid = '${operationId}';
    commit`;
}
