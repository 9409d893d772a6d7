import { Button, Center, Stack, Table, Text } from '@mantine/core';
import { hashKey, useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Page } from '../api/resources';
import { ProblemPanel } from './ProblemPanel';
import { useOlder } from './use-older';
import { Loading } from './Loading';

export interface Column<Item> {
  title: string;
  /** Figures are aligned to the right. */
  align?: 'right';
  cell: (item: Item) => ReactNode;
}

interface PagedTableProps<Item> {
  /** Name of the list, for screen readers. */
  label: string;
  queryKey: QueryKey;
  /** @param cursor undefined for the first page */
  load: (cursor: string | undefined) => Promise<Page<Item>>;
  columns: Column<Item>[];
  rowKey: (item: Item) => string;
  /** Shown if the list is empty. */
  empty: ReactNode;
  /** Below this width, in pixels, it is scrolled horizontally. */
  minWidth?: number;
  /** Returns how soon it is refreshed, in ms, given its items; false if not automatically. */
  refreshAfter?: (items: Item[]) => number | false;
}

/** Width in pixels that a list has beside the navigation in a window of 1,280 pixels, with some room to spare. */
const WHOLE_PAGE = 960;

/**
 * A list of the API, newest first, page by page. Its pages stay loaded, so that returning to it restores the position.
 */
export function PagedTable<Item>(props: PagedTableProps<Item>) {
  const { label, queryKey, load, columns, rowKey, empty, refreshAfter } = props;
  const { minWidth = Math.min(columns.length * 130, WHOLE_PAGE) } = props;
  // Of this list only: the end of another, which a filter has made, would take the focus from the filter.
  const [moreAskedOf, setMoreAskedOf] = useState<string>();
  const isMoreAsked = moreAskedOf === hashKey(queryKey);
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: ({ state }) =>
      refreshAfter?.(state.data?.pages.flatMap((page) => page.data) ?? []) ?? false,
  });
  const older = useOlder(list, queryKey);
  if (list.isPending)
    return (
      <Center py="xl">
        <Loading label={`Loading ${label}`} />
      </Center>
    );
  const retry = () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch());
  const problem = list.isError && <ProblemPanel error={list.error} retry={retry} />;
  if (list.data === undefined) return problem;
  const items = list.data.pages.flatMap((page) => page.data);
  if (items.length === 0) return problem || empty;
  return (
    <Stack gap="sm">
      <Table.ScrollContainer minWidth={minWidth}>
        <Table aria-label={label} highlightOnHover verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ title, align }) => (
                <Table.Th key={title} ta={align}>
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={rowKey(item)}>
                {columns.map(({ title, align, cell }) => (
                  <Table.Td key={title} ta={align}>
                    {cell(item)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {/* Data read before stays, and so does the scroll position. */}
      {problem}
      <Center>
        {list.hasNextPage ? (
          <Button
            variant="default"
            loading={older.isBusy}
            onClick={() => {
              setMoreAskedOf(hashKey(queryKey));
              older.fetch();
            }}
          >
            Older
          </Button>
        ) : (
          <Text size="xs" c="dimmed" tabIndex={-1} {...(isMoreAsked && { ref: takeFocus })}>
            {items.length === 1 ? 'That is the only one.' : `These are all ${items.length}.`}
          </Text>
        )}
      </Center>
    </Stack>
  );
}

/** Moves the focus from the button that loads older items, which is removed with the last page. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
