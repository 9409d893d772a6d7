import { ENDED_AT_PROVIDER } from '../domain/provider-refused';

/** Refusal of a change because the subscription has ended at the payment provider. */
export const ENDED = {
  kind: 'declined',
  code: ENDED_AT_PROVIDER,
  reason: 'The subscription has ended at the payment provider, so it cannot be changed.',
} as const;
