import { Button, Center, Loader, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '../api/resources';
import { ProblemPanel } from './ProblemPanel';

export interface Column<Item> {
  title: string;
  /** Figures stand to the right. */
  align?: 'right';
  cell: (item: Item) => ReactNode;
}

interface PagedTableProps<Item> {
  /** What is listed, for screen readers. */
  label: string;
  queryKey: QueryKey;
  /** @param cursor undefined for the first page */
  load: (cursor: string | undefined) => Promise<Page<Item>>;
  columns: Column<Item>[];
  rowKey: (item: Item) => string;
  /** What stands there when there is nothing. */
  empty: ReactNode;
  /** Narrower than this, in pixels, it is scrolled to the side. */
  minWidth?: number;
  /** How soon it is asked for again, in ms, with what it shows; false is not by itself. */
  refreshAfter?: (items: Item[]) => number | false;
}

/** A list of the API, newest first, a page at a time. Its pages stay loaded, so that coming back finds the place. */
export function PagedTable<Item>(props: PagedTableProps<Item>) {
  const { label, queryKey, load, columns, rowKey, empty, minWidth = columns.length * 130 } = props;
  const { refreshAfter } = props;
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: ({ state }) =>
      refreshAfter?.(state.data?.pages.flatMap((page) => page.data) ?? []) ?? false,
  });
  if (list.isPending)
    return (
      <Center py="xl">
        <Loader aria-label={`Loading ${label}`} />
      </Center>
    );
  if (list.isError) return <ProblemPanel error={list.error} retry={() => void list.refetch()} />;
  const items = list.data.pages.flatMap((page) => page.data);
  if (items.length === 0) return empty;
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
      <Center>
        {list.hasNextPage ? (
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Older
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            {items.length === 1 ? 'That is the only one.' : `These are all ${items.length}.`}
          </Text>
        )}
      </Center>
    </Stack>
  );
}
