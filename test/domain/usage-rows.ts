import type { Deduction } from '../../src/domain/access';

export const START = Date.parse('2026-01-01');
export const UNIT = 10n ** 12n;

/** What a customer's plan grants of one feature. */
export interface ModelTerms {
  quota: bigint;
  soft: boolean;
  rollover: { periods: number; most: bigint | null; first: boolean };
  /** What each entity may take of the quota; null: no limit of its own. */
  entityQuota: bigint | null;
  entityLimit: number | null;
}

/** The users of a customer, who are added and removed. */
export const PEOPLE = ['ann', 'bob', 'cleo'] as const;
export type Person = (typeof PEOPLE)[number];

/** A recorded use. */
export interface Use {
  entity: Person;
  deductions: readonly Deduction[];
  isReversed: boolean;
}

export interface Hold {
  id: number;
  entity: Person;
  deductions: readonly Deduction[];
  expiresAt: number;
}
