import type { UseInfiniteQueryResult } from '@tanstack/react-query';

type List = Pick<UseInfiniteQueryResult, 'isFetching' | 'isFetchingNextPage' | 'refetch' | 'fetchNextPage'>;

/**
 * Fetches the next page of a list, after any refetch in progress: the library would cancel the refetch for the page,
 * and consider the data read before to be up to date.
 */
export async function fetchOlder(list: List): Promise<void> {
  if (list.isFetching && !list.isFetchingNextPage) await list.refetch({ cancelRefetch: false });
  await list.fetchNextPage();
}
