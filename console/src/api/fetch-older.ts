import type { UseInfiniteQueryResult } from '@tanstack/react-query';

type List = Pick<UseInfiniteQueryResult, 'isFetching' | 'isFetchingNextPage' | 'refetch' | 'fetchNextPage'>;

/**
 * Fetches the next page of a list, after any refetch in progress: the library would cancel the refetch for the page,
 * and consider the data read before to be up to date.
 *
 * @param isShown returns whether it is still this list that is shown: after a change of the filter, the same functions
 *   fetch pages of another one
 */
export async function fetchOlder(list: List, isShown: () => boolean): Promise<void> {
  if (list.isFetching && !list.isFetchingNextPage) await list.refetch({ cancelRefetch: false });
  if (isShown()) await list.fetchNextPage();
}
