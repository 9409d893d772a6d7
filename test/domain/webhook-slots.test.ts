import fc from 'fast-check';
import { AttemptsUnderWay } from '../../src/webhook-deliveries/attempts-under-way';
import { shareSlots, type DueEndpoint } from '../../src/domain/webhook-slots';

const endpoint = (id: string, more: Partial<DueEndpoint> = {}): DueEndpoint => ({
  endpointId: id,
  workspaceId: `org_${id}`,
  environment: 'production',
  isFailing: false,
  ...more,
});

test('dead endpoints hold one slot each, and living ones get the rest', () => {
  const underWay = new AttemptsUnderWay();
  const dead = Array.from({ length: 20 }, (_, n) => endpoint(`dead${n}`, { isFailing: true }));
  for (const one of dead) underWay.begin(one);
  const living = Array.from({ length: 4 }, (_, n) => endpoint(`living${n}`));
  const shares = shareSlots([...dead, ...living], underWay, { total: 60, each: 10 });
  expect([...shares]).toEqual(living.map(({ endpointId }) => [endpointId, 10]));
});

test('a workspace with a hundred endpoints leaves room for the others, and sandboxes for production', () => {
  const greedy = Array.from({ length: 100 }, (_, n) =>
    endpoint(`greedy${n}`, { workspaceId: 'org_greedy', environment: 'sandbox' }),
  );
  const sandboxes = Array.from({ length: 100 }, (_, n) => endpoint(`s${n}`, { environment: 'sandbox' }));
  const shares = shareSlots([...greedy, ...sandboxes, endpoint('p')], new AttemptsUnderWay(), {
    total: 100,
    each: 20,
  });
  const sum = (start: string): number =>
    [...shares].filter(([id]) => id.startsWith(start)).reduce((total, [, share]) => total + share, 0);
  expect([sum('greedy'), sum('s'), sum('p')]).toEqual([25, 25, 20]);
});

test('no limit is exceeded, and what was dealt is all that may be', () => {
  const due = fc.uniqueArray(
    fc.record({
      endpointId: fc.integer({ min: 0, max: 30 }).map(String),
      workspaceId: fc.constantFrom('a', 'b', 'c'),
      environment: fc.constantFrom<'sandbox' | 'production'>('sandbox', 'production'),
      isFailing: fc.boolean(),
    }),
    { selector: ({ endpointId }) => endpointId, maxLength: 30 },
  );
  const limits = fc.record({ total: fc.integer({ min: 8, max: 60 }), each: fc.integer({ min: 1, max: 20 }) });
  fc.assert(
    fc.property(due, limits, (endpoints, limit) => {
      const underWay = new AttemptsUnderWay();
      for (const [id, share] of shareSlots(endpoints, underWay, limit)) {
        const of = endpoints.find(({ endpointId }) => endpointId === id);
        if (of === undefined) throw new Error('Somebody else has a share.');
        for (let taken = 0; taken < share; taken += 1) underWay.begin(of);
        expect(share).toBeLessThanOrEqual(of.isFailing ? 1 : limit.each);
      }
      expect(underWay.total).toBeLessThanOrEqual(limit.total);
      expect(underWay.sandboxes).toBeLessThanOrEqual(Math.ceil(limit.total / 2));
      for (const one of endpoints)
        expect(underWay.ofEnvironment(one)).toBeLessThanOrEqual(Math.ceil(limit.total / 4));
      // Once the new deliveries are counted as under way, nothing more is assigned.
      expect(shareSlots(endpoints, underWay, limit).size).toBe(0);
    }),
  );
});
