import type { LifecycleView } from '../../src/domain/lifecycle';
import { stepBeforeCommand, timeOfCommand } from '../../src/domain/step-before-command';
import { HOUR_MS } from '../../src/domain/instant';
import { END, PROVIDER_ROW, START } from './provider-row';

const IDLE = { unsettled: null, request: null, sync: null, lookAgainAt: null };

const view = (changes: Partial<LifecycleView> = {}): LifecycleView => ({
  ...PROVIDER_ROW,
  cancelAtPeriodEnd: false,
  work: IDLE,
  ...changes,
});

const prepared = { scheduledInterval: 'month' } as const;
const request = { lookAt: START + HOUR_MS, expiresAt: END + HOUR_MS };
const requested = { provider: 'provider_b', work: { ...IDLE, request } } as const;
const pastDue = {
  status: 'past_due',
  pastDueSince: START,
  work: { ...IDLE, pastDueReadAt: null },
} as const;

test.each<[string, Partial<LifecycleView>]>([
  ['nothing is due', {}],
  ['its provider is to be told of a change', prepared],
  ['an approval is to be looked for', requested],
  ['a past-due subscription is to be read', pastDue],
  ['a provider’s checkout has run out', { status: 'incomplete', incompleteUntil: START }],
])('a command is judged at once when %s', (_, changes) => {
  expect(stepBeforeCommand(view(changes), END - HOUR_MS)).toBeNull();
});

test.each<[string, Partial<LifecycleView>, string]>([
  ['of a provider that ended', requested, 'read_back'],
  ['that ended, which was past due', pastDue, 'read_back'],
  ['that ended', { provider: 'internal' }, 'turn_period'],
])('a command waits for the turn of a period %s, whatever else is due before', (_, changes, step) => {
  expect(stepBeforeCommand(view(changes), END)).toMatchObject({ step, boundary: END });
});

test('a command waits for a call of unknown outcome, even if something else is due before', () => {
  const work = { ...IDLE, request, unsettled: { retryAt: START + 2 * HOUR_MS } };
  const step = { step: 'settle_call', boundary: START + 2 * HOUR_MS };
  expect(stepBeforeCommand(view({ ...requested, work }), START + 3 * HOUR_MS)).toEqual(step);
});

test('of two such steps, a command waits for the one that was due first', () => {
  const work = { ...IDLE, unsettled: { retryAt: END + HOUR_MS } };
  expect(stepBeforeCommand(view({ work }), END + 2 * HOUR_MS)).toEqual({ step: 'read_back', boundary: END });
});

test('an unpaid checkout of local billing that has run out is expired first', () => {
  const row = view({ provider: 'internal', status: 'incomplete', incompleteUntil: START });
  expect(stepBeforeCommand(row, START)).toEqual({ step: 'expire_checkout', boundary: START });
});

describe('a command that was submitted before', () => {
  const local = view({ provider: 'internal' });
  const late = END + HOUR_MS;

  test.each<[string, LifecycleView, number | null, number, number]>([
    ['the renewal is judged as of then, however late', local, END - 1, late, END - 1],
    ['now, with nothing due since, is judged now', local, START + 1, END - 1, END - 1],
    ['this period began is judged at its beginning', local, START - 1, late, START],
    [
      'the renewal at a provider is judged now, because the provider has renewed',
      view(),
      END - 1,
      late,
      late,
    ],
    ['nobody knows when is judged now', local, null, late, late],
  ])('%s', (_, row, submittedAt, now, judged) => {
    expect(timeOfCommand(row, submittedAt, now)).toBe(judged);
  });

  test('the instant of the renewal itself waits for it', () => {
    expect(timeOfCommand(local, END, late)).toBe(late);
  });
});
