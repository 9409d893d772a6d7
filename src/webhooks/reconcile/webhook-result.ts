import type { Instant } from '../../domain/instant';

export const WEBHOOK_STATUSES = ['applied', 'ignored', 'unmatched', 'failed'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** A change that a webhook made; values as text. */
export interface WebhookChange {
  /** The id of the record. */
  target: string;
  field: string;
  from: string | null;
  to: string | null;
}

/** The result of a webhook. */
export interface WebhookResult {
  status: WebhookStatus;
  /** Why it was not applied, or not completely; in words. */
  reason: string | null;
  changes: WebhookChange[];
}

/** Adds a change for each member that differs. */
export function noteChanges<Row extends object>(
  changes: WebhookChange[],
  target: string,
  before: Row | null,
  after: Row,
): void {
  for (const field of Object.keys(after) as (keyof Row & string)[]) {
    const [from, to] = [asText(before?.[field]), asText(after[field])];
    if (from !== to) changes.push({ target, field, from, to });
  }
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

/** Formats an instant in a change: ISO 8601. */
export function timeText(instant: Instant | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
