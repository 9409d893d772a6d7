import type { Subscription } from '../../api/resources';

/** Progress of provider A's preparation for the renewal that applies a change, from the subscription's metadata. */
export interface Preparation {
  state: 'claimed' | 'prepared' | 'failed';
  boundary: string;
  attempts: number;
  reason: string | null;
  retryAt: string | null;
}

/** Returns the preparation; null if no renewal is being prepared. */
export function preparationOf({ metadata }: Pick<Subscription, 'metadata'>): Preparation | null {
  const marker: unknown = metadata['nextCycleSync'];
  if (typeof marker !== 'object' || marker === null) return null;
  const member = (name: string): unknown => Reflect.get(marker, name);
  const text = (name: string): string | null => {
    const value = member(name);
    return typeof value === 'string' ? value : null;
  };
  const state = (['claimed', 'prepared', 'failed'] as const).find((known) => known === member('state'));
  const boundary = text('boundary');
  if (state === undefined || boundary === null) return null;
  const attempts = Number(member('attempts'));
  return { state, boundary, attempts, reason: text('reason'), retryAt: text('retryAt') };
}
