import { useState } from 'react';
import { fetchOlder } from '../api/fetch-older';

/**
 * Returns a function that fetches the next page of a list, and whether that page is awaited, which includes the refetch
 * that precedes it.
 */
export function useOlder(list: Parameters<typeof fetchOlder>[0]): { isBusy: boolean; fetch: () => void } {
  const [isAwaited, setAwaited] = useState(false);
  const fetch = () => {
    setAwaited(true);
    void fetchOlder(list).finally(() => setAwaited(false));
  };
  return { isBusy: isAwaited || list.isFetchingNextPage, fetch };
}
