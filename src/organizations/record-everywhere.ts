import { recordOrganizationAudit } from '../audit/audit-store';
import type { DbTransaction } from '../db/pools';
import { setContext } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { recordPlatformAudit } from '../platform-audit/platform-audit-store';
import type { TransactionReason } from '../tenancy/actor';
import { findMemberships } from './membership-store';

/** An act on an account. */
export interface AccountAct {
  operatorId: string;
  /** Dotted, in the past tense: `operator.password_changed`. */
  action: string;
  detail?: Readonly<Record<string, unknown>>;
  ip: string | null;
  now: Instant;
  /** Who acts, where it is not the operator; null for whoever runs the installation. */
  by?: string | null;
  reason?: TransactionReason;
}

/**
 * Records an act on an account, in the transaction that does it. An account is the platform's, its consequences are its
 * organizations': each of them gets the record, and the platform's audit one. The transaction is turned to those
 * organizations.
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
