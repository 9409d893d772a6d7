import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page } from '../api/resources';
import { wordOf } from '../app/search-params';
import { OnlyThese } from './OnlyThese';

/** Returns the id of the single record that the address asks for in place of the list; undefined if none. */
export function useOnlyRecord(): string | undefined {
  return wordOf(useSearch({ strict: false }), 'id');
}

/** Returns a single record as a list. */
export async function pageOf<Item>(record: Promise<Item>): Promise<Page<Item>> {
  return { data: [await record], hasMore: false };
}

/** Shows that the list is limited to a single record. */
export function OnlyRecord() {
  const id = useOnlyRecord();
  const navigate = useNavigate();
  if (id === undefined) return null;
  const showAll = () =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, id: undefined }),
      replace: true,
    });
  return (
    <OnlyThese onClear={showAll}>
      Only <bdi>{id}</bdi>.
    </OnlyThese>
  );
}
