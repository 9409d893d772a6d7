import { applyDeductions, applyHold, type CreditBalance, type Deduction } from '../domain/access';
import { parseDecimal, type Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import { grantsWithHeld, type HeldReservation } from './held-units';
import type { CreditMember } from './usage-context-store';
import type { CreditChange } from './usage-write-store';

/** A customer's grants: as read, including those that have expired since, and the others with what is left of them. */
export interface CustomerGrants {
  read: readonly CreditMember[];
  left: readonly CreditBalance[];
}

const NONE: CustomerGrants = { read: [], left: [] };

/** The grants of a batch's customers, by external id. They are read once, then updated by each granted call. */
export class CustomerCredits {
  private readonly grants = new Map<string, CustomerGrants>();
  /** By id: grants that have expired. A reservation may hold a part of one, which can still be spent. */
  private readonly expired = new Map<string, CreditBalance>();
  private readonly spent = new Map<string, Decimal>();

  /** @param now the workspace's time at which the batch is decided */
  constructor(private readonly now: Instant) {}

  /** @param held the customer's reservations, of any feature */
  add(externalId: string, read: readonly CreditMember[], held: readonly HeldReservation[]): void {
    const spendable: CreditBalance[] = [];
    for (const grant of read.map(toBalance)) {
      if (grant.expiresAt === null || grant.expiresAt > this.now) spendable.push(grant);
      else this.expired.set(grant.grantId, grant);
    }
    this.grants.set(externalId, {
      read,
      left: held.length === 0 ? spendable : grantsWithHeld(spendable, held),
    });
  }

  of(externalId: string): CustomerGrants {
    return this.grants.get(externalId) ?? NONE;
  }

  /** Holds what a reservation takes; with `sign` -1, releases it. */
  hold(externalId: string, deductions: readonly Deduction[], sign: 1n | -1n): void {
    this.update(externalId, (left) => applyHold([], left, deductions, sign).credits);
  }

  /** Takes what a granted track uses. */
  deduct(externalId: string, deductions: readonly Deduction[]): void {
    this.update(externalId, (left) => applyDeductions([], left, deductions).credits);
    for (const deduction of deductions) if (deduction.from === 'credits') this.spend(deduction);
  }

  /** Returns the grants that have changed. */
  changes(): CreditChange[] {
    if (this.spent.size === 0) return [];
    const left = [...this.grants.values()].flatMap((one) => one.left);
    return [...left, ...this.expired.values()].flatMap(({ grantId, remaining }) => {
      const spent = this.spent.get(grantId);
      return spent === undefined ? [] : [{ grantId, spent, remaining }];
    });
  }

  private update(
    externalId: string,
    change: (left: readonly CreditBalance[]) => readonly CreditBalance[],
  ): void {
    const { read, left } = this.of(externalId);
    if (left.length > 0) this.grants.set(externalId, { read, left: change(left) });
  }

  private spend({ grantId, credits }: Extract<Deduction, { from: 'credits' }>): void {
    this.spent.set(grantId, (this.spent.get(grantId) ?? 0n) + credits);
    const expired = this.expired.get(grantId);
    if (expired !== undefined)
      this.expired.set(grantId, { ...expired, remaining: expired.remaining - credits });
  }
}

function toBalance({ id, remaining, expiresAt }: CreditMember): CreditBalance {
  return {
    grantId: id,
    remaining: parseDecimal(remaining),
    reserved: 0n,
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
  };
}
