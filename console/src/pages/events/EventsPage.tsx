import { Button, Group, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { DeveloperEvent } from '../../api/resources';
import { setParams } from '../../app/search-params';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { useOlder } from '../../ui/use-older';
import { WordFilter } from '../../ui/WordFilter';
import { EventDrawer } from './EventDrawer';
import { EventList } from './EventList';
import { LinkedFilters } from './LinkedFilters';
import { SearchFurther } from './SearchFurther';
import { isWanted, readEventFilters, type EventFilters } from './filters';
import { EVENT_STATUSES, EVENT_TYPES } from '../../../../src/domain/event-types.ts';
import { mergeEvents } from './merge-events';
import { StreamStatus } from './StreamStatus';
import { useEventStream } from './use-event-stream';

/** Events as they happen, and the history. */
export function EventsPage() {
  const { query } = useWorkspace();
  const search: Record<string, unknown> = useSearch({ strict: false });
  const filters = useMemo(() => readEventFilters(search), [search]);
  const navigate = useNavigate();
  const stream = useEventStream();
  const [paused, setPaused] = useState<{ events: DeveloperEvent[]; gaps: number } | null>(null);
  const [opened, setOpened] = useState<DeveloperEvent | null>(null);
  const queryKey = ['events', query, 'tail', filters];
  const history = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }) => ({
      ...(await bodyOf(
        api.GET('/api/developer-events', {
          params: { query: { ...query, ...filters, ...(pageParam && { cursor: pageParam }) } },
        }),
      )),
      readAtGap: stream.gaps,
    }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    // Only once the stream is open, so that no event is missed in between; or is known not to open.
    enabled: stream.state !== 'connecting',
    staleTime: 0,
    refetchOnWindowFocus: false,
    // The gap is filled once the stream is open again.
    refetchOnReconnect: ({ state }) => state.status === 'error',
  });
  const { refetch, isFetching, isError } = history;
  const older = useOlder(history, queryKey);
  const isPaused = paused !== null;
  const readAtGap = history.data?.pages[0]?.readAtGap ?? stream.gaps;
  // Not while paused, or the list would show the events held back.
  const isBehind = readAtGap < stream.gaps && !isPaused;
  useEffect(() => {
    // After any fetch in progress, which may have been answered before the gap.
    if (isBehind && !isFetching && !isError) void refetch();
  }, [isBehind, isFetching, isError, refetch]);

  const live = paused?.events ?? stream.events;
  const fresh = useMemo(() => live.filter((event) => isWanted(event, filters)), [live, filters]);
  const events = useMemo(
    () => mergeEvents(fresh, history.data?.pages.flatMap(({ data }) => data) ?? []),
    [fresh, history.data],
  );
  const isEmpty = events.length === 0 && history.isSuccess;
  const shown = useMemo(() => new Set(events.map(({ id }) => id)), [events]);
  // Counted by what is shown rather than by the stream, because the list may contain an event before the stream
  // delivers it.
  const held = isPaused
    ? stream.events.filter((event) => isWanted(event, filters) && !shown.has(event.id)).length
    : 0;
  const set = (change: { [Name in keyof EventFilters]?: EventFilters[Name] | undefined }) => {
    void navigate({ to: '.', search: setParams({ ...filters, ...change }), replace: true });
  };
  return (
    <>
      <PageHeader
        title="Live events"
        about="Checks, tracks, changes, payments and webhooks, as they are recorded."
        actions={
          <Button
            size="xs"
            variant={isPaused ? 'filled' : 'default'}
            onClick={() => setPaused(isPaused ? null : stream)}
          >
            {isPaused ? `Resume (${held}${stream.gaps > paused.gaps ? ' or more' : ''} new)` : 'Pause'}
          </Button>
        }
      />
      <Group mb="sm" gap="sm">
        <StreamStatus state={stream.state} isPaused={isPaused} count={fresh.length} />
        <WordFilter
          aria-label="Search messages and sources"
          placeholder="Message or source"
          word={filters.search ?? ''}
          onFind={(text) => set({ search: text === '' ? undefined : text })}
        />
        <Select
          aria-label="Type"
          placeholder="Any type"
          clearable
          data={EVENT_TYPES.map((value) => ({ value, label: value.toLowerCase().replaceAll('_', ' ') }))}
          value={filters.eventType ?? null}
          onChange={(eventType) => set({ eventType: eventType ?? undefined })}
        />
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          data={EVENT_STATUSES.map((value) => ({ value, label: value.toLowerCase() }))}
          value={filters.status ?? null}
          onChange={(status) => set({ status: status ?? undefined })}
        />
      </Group>
      <LinkedFilters filters={filters} onClear={(name) => set({ [name]: undefined })} />
      {history.isError && <ProblemPanel error={history.error} retry={() => void history.refetch()} />}
      {isEmpty && history.hasNextPage && <SearchFurther isBusy={older.isBusy} onPress={older.fetch} />}
      {isEmpty && !history.hasNextPage && (
        <EmptyState
          title={Object.keys(filters).length === 0 ? 'Nothing has happened yet' : 'No events match'}
        >
          {Object.keys(filters).length === 0
            ? 'Call check with a secret key: its event shows here within a second.'
            : 'New events that match show here by themselves. Clear a filter to see more.'}
        </EmptyState>
      )}
      {!isEmpty && (
        <EventList
          events={events}
          onOpen={setOpened}
          onEnd={() => {
            // Fetching an older page would cancel a refetch, and the events that it was for would stay missing.
            if (history.hasNextPage && !isFetching && !isBehind && !isError) void history.fetchNextPage();
          }}
        />
      )}
      <EventDrawer event={opened} onClose={() => setOpened(null)} />
    </>
  );
}
