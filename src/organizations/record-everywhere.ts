import { recordOrganizationAudit } from '../audit/audit-store';
import type { DbTransaction } from '../db/pools';
import { setContext } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { recordPlatformAudit } from '../platform-audit/platform-audit-store';
import type { TransactionReason } from '../tenancy/actor';
import { findMemberships } from './membership-store';

/** An action on an account. */
export interface AccountAct {
  operatorId: string;
  /** Dotted, in the past tense: `operator.password_changed`. */
  action: string;
  detail?: Readonly<Record<string, unknown>>;
  ip: string | null;
  now: Instant;
  /** The acting operator, if it is not the account's; null for the installation's administrator. */
  by?: string | null;
  reason?: TransactionReason;
}

/**
 * Records an action on an account in the transaction that performs it. The account belongs to the platform, but its
 * organizations are affected, so each of them and the platform's audit get a record. Switches the transaction's context
 * to those organizations.
 */
export async function recordEverywhere(trx: DbTransaction, act: AccountAct): Promise<void> {
  const { operatorId: target, action, detail = {}, ip, now: receivedAt, reason = 'OPERATOR' } = act;
  const operatorId = act.by === undefined ? target : act.by;
  for (const { workspaceId } of await findMemberships(trx, target)) {
    await setContext(trx, workspaceId, '', reason);
    const who = { workspaceId, operatorId, reason, ip, receivedAt };
    await recordOrganizationAudit(trx, who, { action, target, detail });
  }
  const platform = { operatorId, ip, receivedAt };
  await recordPlatformAudit(trx, platform, { action, detail: { ...detail, operator: target } });
}
