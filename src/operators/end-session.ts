import type { Database } from '../db/pools';
import { recordPlatformAudit, type PlatformOperator } from '../platform-audit/platform-audit-store';
import { revokeSession } from './session-store';

export type EndSession = ReturnType<typeof createEndSession>;

/**
 * Ends one of the operator's sessions by its id; false if no live session has it. Recorded in the audit like a log-out.
 */
export function createEndSession({ database }: { database: Database }) {
  return (who: PlatformOperator & { operatorId: string }, sessionId: string): Promise<boolean> =>
    database.transaction(async (trx) => {
      if (!(await revokeSession(trx, who.operatorId, sessionId, who.receivedAt))) return false;
      const act = { action: 'operator.session_ended', detail: { sessionId } };
      await recordPlatformAudit(trx, who, act);
      return true;
    });
}
