import type { UseInfiniteQueryResult } from '@tanstack/react-query';

type List = Pick<UseInfiniteQueryResult, 'isFetching' | 'isFetchingNextPage' | 'refetch' | 'fetchNextPage'>;

/**
 * Fetches the next page of a list, after a refetch that is under way: the library ends a refetch for the page, and takes
 * what was read before it to be up to date.
 */
export async function fetchOlder(list: List): Promise<void> {
  if (list.isFetching && !list.isFetchingNextPage) await list.refetch({ cancelRefetch: false });
  await list.fetchNextPage();
}
