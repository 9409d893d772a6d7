import { formatDecimal, parseDecimal, type Decimal } from '../domain/decimal';
import type { ResetInterval } from '../domain/period';

/** Where units of a use came from, as its event keeps it: a counter's identity, and a grant. Decimals are text. */
export interface StoredDeduction {
  from: 'quota' | 'credits' | 'overage';
  quantity: string;
  subscriptionId: string;
  resetInterval: ResetInterval;
  /** ISO 8601. */
  periodStart: string;
  grantId?: string;
  credits?: string;
}

/** The same with decimals. */
export interface TakenDeduction extends Omit<StoredDeduction, 'quantity' | 'credits'> {
  quantity: Decimal;
  credits?: Decimal;
}

export function toTaken({ quantity, credits, ...rest }: StoredDeduction): TakenDeduction {
  return {
    ...rest,
    quantity: parseDecimal(quantity),
    ...(credits === undefined ? {} : { credits: parseDecimal(credits) }),
  };
}

export function toStored({ quantity, credits, ...rest }: TakenDeduction): StoredDeduction {
  return {
    ...rest,
    quantity: formatDecimal(quantity),
    ...(credits === undefined ? {} : { credits: formatDecimal(credits) }),
  };
}
