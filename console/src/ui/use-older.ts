import { hashKey, type QueryKey } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { fetchOlder } from '../api/fetch-older';

/**
 * Returns a function that fetches the next page of a list, and whether that page is awaited, which includes the refetch
 * that precedes it.
 *
 * @param queryKey of the list: a filter leads to another one, whose next page was not asked for
 */
export function useOlder(
  list: Parameters<typeof fetchOlder>[0],
  queryKey: QueryKey,
): { isBusy: boolean; fetch: () => void } {
  const key = hashKey(queryKey);
  const shown = useRef(key);
  useLayoutEffect(() => {
    shown.current = key;
  }, [key]);
  const [awaited, setAwaited] = useState<readonly string[]>([]);
  const fetch = () => {
    setAwaited((keys) => [...keys, key]);
    void fetchOlder(list, () => shown.current === key).finally(() =>
      setAwaited((keys) => keys.filter((other) => other !== key)),
    );
  };
  return { isBusy: awaited.includes(key) || list.isFetchingNextPage, fetch };
}
