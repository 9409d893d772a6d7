import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { invalidate, type Outdated } from '../../console/src/api/invalidate';

const KEY = ['customers', 'one'];

/** A list whose reads end when they are released, and show what was there when they began. */
function heldList() {
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, staleTime: 5_000 } } });
  // The console's compiler finds another declaration of the same class.
  const queries = client as unknown as Parameters<typeof invalidate>[0];
  const releases: (() => void)[] = [];
  let made = 0;
  const options = {
    queryKey: KEY,
    queryFn: async () => {
      const read = made;
      await new Promise<void>((resolve) => releases.push(resolve));
      return read;
    },
  };
  const release = async () => {
    releases.shift()?.();
    await new Promise(setImmediate);
  };
  const show = () => new QueryObserver(client, options).subscribe(() => undefined);
  return { client, queries, make: () => (made += 1), show, release, data: () => client.getQueryData(KEY) };
}

describe.each<[string, Outdated]>([
  ['keys', [['customers']]],
  ['a predicate', ([kind]) => kind === 'customers'],
])('what %s name', (_, outdated) => {
  test('is read again after a first read that was under way when it changed', async () => {
    const { queries, make, show, release, data } = heldList();
    const hide = show();
    make();
    let isReadAgain = false;
    void invalidate(queries, outdated).then(() => (isReadAgain = true));
    await release();
    expect([data(), isReadAgain]).toEqual([0, false]);
    await release();
    expect([data(), isReadAgain]).toEqual([1, true]);
    hide();
  });

  test.each([
    ['a first read', 0],
    ['a further read', 1],
  ])('is outdated also if %s was under way that nobody shows any more', async (_name, earlier) => {
    const { client, queries, make, show, release, data } = heldList();
    const hide = show();
    for (let read = 0; read < earlier; read += 1) {
      await release();
      void client.refetchQueries({ queryKey: KEY });
    }
    hide();
    make();
    await invalidate(queries, outdated);
    await release();
    expect(data()).toBe(0);
    show();
    await release();
    expect(data()).toBe(1);
  });
});
