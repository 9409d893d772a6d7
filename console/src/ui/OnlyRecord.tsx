import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page } from '../api/resources';
import { wordOf } from '../app/search-params';
import { OnlyThese } from './OnlyThese';

/** Returns the id of the single record that the address asks for in place of the list; undefined if none. */
export function useOnlyRecord(): string | undefined {
  return wordOf(useSearch({ strict: false }), 'id');
}

/** Returns what removes a filter from the address. */
export function useShowAll(filter: string): () => void {
  const navigate = useNavigate();
  return () =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, [filter]: undefined }),
      replace: true,
    });
}

/** Returns a single record as a list. */
export async function pageOf<Item>(record: Promise<Item>): Promise<Page<Item>> {
  return { data: [await record], hasMore: false };
}

/** Shows that the list is limited to a single record. */
export function OnlyRecord() {
  const id = useOnlyRecord();
  const showAll = useShowAll('id');
  if (id === undefined) return null;
  return (
    <OnlyThese onClear={showAll}>
      Only <bdi>{id}</bdi>.
    </OnlyThese>
  );
}
