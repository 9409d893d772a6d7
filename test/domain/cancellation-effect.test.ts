import { cancellationEffect, type CancelledView } from '../../src/domain/cancellation-effect';
import { DAY_MS } from '../../src/domain/instant';
import { END, START } from './provider-row';

const NOW = START + DAY_MS;

const view = (changes: Partial<CancelledView>): CancelledView => ({
  provider: 'provider_a',
  status: 'active',
  cancelAtPeriodEnd: true,
  cancelAt: null,
  currentPeriodEnd: END,
  cancelledAt: null,
  ...changes,
});

describe('a cancellation takes effect', () => {
  it.each<[string, Partial<CancelledView>, ReturnType<typeof cancellationEffect>]>([
    ['with the period that is paid for', {}, { effective: 'period_end', effectiveAt: END }],
    [
      'at the earlier end that the provider names',
      { cancelAt: END - DAY_MS },
      { effective: 'period_end', effectiveAt: END - DAY_MS },
    ],
    [
      'with its period still, asked again after it has ended',
      { status: 'cancelled', cancelledAt: END },
      { effective: 'period_end', effectiveAt: END },
    ],
    [
      'at once in local billing',
      { provider: 'internal', cancelAtPeriodEnd: false, status: 'cancelled', cancelledAt: NOW },
      { effective: 'immediate', effectiveAt: NOW },
    ],
    [
      'when it ended, asked again later',
      { provider: 'internal', cancelAtPeriodEnd: false, status: 'cancelled', cancelledAt: START },
      { effective: 'immediate', effectiveAt: START },
    ],
    ['at once if no end is set', { cancelAtPeriodEnd: false }, { effective: 'immediate', effectiveAt: NOW }],
    [
      'with the period at provider B, too, while the last one runs',
      { provider: 'provider_b' },
      { effective: 'period_end', effectiveAt: END },
    ],
    [
      'at once at provider B after the last charge, although it would have ended with its period',
      { provider: 'provider_b', status: 'cancelled', cancelledAt: NOW },
      { effective: 'immediate', effectiveAt: NOW },
    ],
  ])('%s', (_when, changes, expected) => {
    expect(cancellationEffect(view(changes), NOW)).toEqual(expected);
  });
});
