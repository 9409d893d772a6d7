import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { fetchOlder } from '../../console/src/api/fetch-older';

test('an older page that is asked for during a refetch comes after it, and the first page is the new one', async () => {
  let version = 1;
  let held = Promise.resolve();
  const list = new InfiniteQueryObserver(new QueryClient(), {
    queryKey: ['list'],
    queryFn: async ({ pageParam }) => {
      const read = version;
      await held;
      return { page: pageParam, read };
    },
    initialPageParam: 1,
    getNextPageParam: (last: { page: number }) => last.page + 1,
    gcTime: Infinity,
  });
  const unsubscribe = list.subscribe(() => undefined);
  await list.refetch({ cancelRefetch: false });

  version = 2;
  let release = (): void => undefined;
  held = new Promise((resolve) => (release = resolve));
  void list.refetch();
  const older = fetchOlder(list.getCurrentResult());
  release();
  await older;

  expect(list.getCurrentResult().data?.pages).toEqual([
    { page: 1, read: 2 },
    { page: 2, read: 2 },
  ]);
  unsubscribe();
});
