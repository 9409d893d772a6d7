import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page } from '../../api/resources';
import { wordOf } from '../../app/search-params';
import { OnlyThese } from '../../ui/OnlyThese';

/** The id of the one record that the address asks for, in place of the list; undefined where it asks for none. */
export function useOnlyRecord(): string | undefined {
  return wordOf(useSearch({ strict: false }), 'id');
}

/** One record as a list of it alone. */
export async function pageOf<Item>(record: Promise<Item>): Promise<Page<Item>> {
  return { data: [await record], hasMore: false };
}

/** Names the one record that the address asks for. */
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
