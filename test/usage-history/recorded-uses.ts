import { randomUUID } from 'node:crypto';
import { newIdentifier } from '../../src/identifiers/identifier';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import type { TestDatabase } from '../support/database';

/** A use as a test records it. */
export interface RecordedUse {
  id: string;
  customerId: string;
  featureId: string;
  quantity: number;
  at: number;
  properties: Record<string, unknown> | null;
  reversed: number;
}

/** Exceptional properties of a use. */
interface UseOptions {
  properties?: Record<string, unknown>;
  late?: boolean;
  entity?: string;
  source?: string;
  recordedAt?: number;
  /** Written like a row from before transactions were recorded with uses. */
  earlier?: boolean;
}

/**
 * Uses and reversals written as rows, for any time. Subscriptions are not involved: the deductions are those of one
 * counter.
 */
export class RecordedUses {
  readonly uses: RecordedUse[] = [];

  constructor(
    private readonly database: TestDatabase,
    private readonly scope: WorkspaceScope,
  ) {}

  async add(
    customerId: string,
    featureId: string,
    quantity: number,
    at: number,
    options: UseOptions = {},
  ): Promise<RecordedUse> {
    const id = newIdentifier('usageEvent');
    const { properties = null, late = false, entity = null, source = 'api', recordedAt } = options;
    const deductions = [{ from: 'overage', quantity: String(quantity), subscriptionId: 'sub_none' }];
    await this.database.query(
      `INSERT INTO tollgate.usage_events (workspace_id, environment, idempotency_key, id, fingerprint, customer_id, feature_id,
         quantity, source, deductions, answer, recorded_at, used_at, late, properties, entity, transaction_id)
       VALUES ($1, $2, $3, $4, '\\x00', $5, $6, $7, $8, $9, '{}', $10, $11, $12, $13, $14,
               CASE WHEN $15 THEN NULL ELSE pg_current_xact_id() END)`,
      [
        ...[
          this.scope.workspaceId,
          this.scope.environment,
          randomUUID(),
          id,
          customerId,
          featureId,
          quantity,
          source,
        ],
        ...[
          JSON.stringify(deductions),
          new Date(recordedAt ?? at),
          recordedAt === undefined ? null : new Date(at),
        ],
        ...[late, properties === null ? null : JSON.stringify(properties), entity, options.earlier === true],
      ],
    );
    const use = { id, customerId, featureId, quantity, at, properties, reversed: 0 };
    this.uses.push(use);
    return use;
  }

  async reverse(use: RecordedUse, quantity: number, at = Date.now()): Promise<void> {
    await this.database.query(
      `INSERT INTO tollgate.usage_reversals (workspace_id, environment, event_id, customer_id, feature_id, quantity, deductions,
         reason, actor, reversed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'A mistake.', '{"operatorId":null,"apiKeyId":"key_1"}', $8)`,
      [
        ...[this.scope.workspaceId, this.scope.environment, use.id, use.customerId, use.featureId, quantity],
        ...[
          JSON.stringify([{ from: 'overage', quantity: String(quantity), subscriptionId: 'sub_none' }]),
          new Date(at),
        ],
      ],
    );
    use.reversed += quantity;
  }
}
