import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { fetchOlder } from '../../console/src/api/fetch-older';
import { refreshWhile } from '../../console/src/ui/refresh-while';

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
  const older = fetchOlder(list.getCurrentResult(), () => true);
  release();
  await older;

  expect(list.getCurrentResult().data?.pages).toEqual([
    { page: 1, read: 2 },
    { page: 2, read: 2 },
  ]);
  unsubscribe();
});

test('an older page that is asked for during a refetch is not one of the list that a filter shows meanwhile', async () => {
  let held = Promise.resolve();
  const optionsOf = (filter: string) => ({
    queryKey: ['list', filter],
    queryFn: async ({ pageParam }: { pageParam: number }) => {
      await held;
      return `${filter} ${pageParam}`;
    },
    initialPageParam: 1,
    getNextPageParam: (_last: string, pages: string[]) => pages.length + 1,
    gcTime: Infinity,
  });
  const list = new InfiniteQueryObserver(new QueryClient(), optionsOf('all'));
  const unsubscribe = list.subscribe(() => undefined);
  await list.refetch({ cancelRefetch: false });

  let release = (): void => undefined;
  held = new Promise((resolve) => (release = resolve));
  void list.refetch();
  let shown = 'all';
  const older = fetchOlder(list.getCurrentResult(), () => shown === 'all');
  list.setOptions(optionsOf('few'));
  shown = 'few';
  release();
  await older;
  await list.refetch({ cancelRefetch: false });

  expect(list.getCurrentResult().data?.pages).toEqual(['few 1']);
  unsubscribe();
});

test('a list with something that waits is refreshed soon at first, and then each minute', async () => {
  jest.useFakeTimers();
  try {
    let refunds = [{ id: 're_1', status: 'pending' }];
    const refreshAfter = refreshWhile<(typeof refunds)[number]>(({ status }) => status === 'pending');
    const list = new InfiniteQueryObserver(new QueryClient(), {
      queryKey: ['refunds'],
      // As an answer of the API, it is read anew.
      queryFn: () => Promise.resolve({ data: structuredClone(refunds) }),
      initialPageParam: undefined,
      getNextPageParam: () => undefined,
      gcTime: Infinity,
    });
    const refresh = async () => {
      const { data } = await list.refetch();
      return refreshAfter(data?.pages.flatMap((page) => page.data) ?? []);
    };
    expect(await refresh()).toBe(5_000);
    jest.advanceTimersByTime(4 * 60_000);
    expect(await refresh()).toBe(5_000);
    jest.advanceTimersByTime(60_000);
    expect(await refresh()).toBe(60_000);
    refunds = [{ id: 're_2', status: 'pending' }, ...refunds];
    expect(await refresh()).toBe(5_000);
    refunds = refunds.map(({ id }) => ({ id, status: 'succeeded' }));
    expect(await refresh()).toBe(false);
  } finally {
    jest.useRealTimers();
  }
});
