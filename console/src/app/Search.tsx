import { Button, Kbd, Text, VisuallyHidden } from '@mantine/core';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../api/client';
import { problemOf } from '../api/problem';
import { useUppermost } from '../ui/uppermost';
import { PAGES } from './pages';
import { useSearchRoles } from './use-search-roles';
import { useWorkspace } from './workspace';

/** Page of an id, by its prefix. */
const BY_PREFIX = new Map(
  Object.entries({
    sub: '/subscriptions/',
    cus: '/customers/',
    plan: '/catalogue/plans/',
    conn: '/connections/',
    dec: '/decisions?id=',
    req: '/events?requestId=',
    evt: '/events?search=',
    whe: '/developer/webhooks/',
    pay: '/payments?tab=payments&id=',
    txn: '/payments?tab=transactions&id=',
    ref: '/payments?tab=refunds&id=',
    stl: '/payments?tab=settlements&id=',
    chk: '/payments?tab=checkouts&id=',
    op: '/commands?id=',
    whk: '/webhooks?id=',
    msg: '/developer/webhooks?message=',
  }),
);

const [store, spotlight] = createSpotlight();
const select = (selected: number) => {
  if (store.getState().selected !== selected) store.updateState((state) => ({ ...state, selected }));
};

/** Search (Ctrl-K): pages by title, customers by their external id, and other objects by their id. */
export function Search() {
  const { base, query } = useWorkspace();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { opened, listId } = useSpotlight(store);
  // It may be opened above a dialog, which Escape does not close then.
  useUppermost(opened);
  useSearchRoles(opened ? listId : '', select);
  const word = text.trim();
  const {
    data: customers,
    isFetching,
    isError,
    error,
  } = useQuery({
    queryKey: ['customers', 'search', query, word],
    queryFn: () =>
      bodyOf(api.GET('/api/customers', { params: { query: { ...query, search: word, take: 5 } } })),
    enabled: word.length >= 2,
  });
  // Of a text that no customer can have, such as one that is too long.
  const isRefused = isError && problemOf(error).code === 'validation_failed';
  const go = (path: string) => () => {
    void navigate({ to: `${base}${path}` });
  };
  const place = BY_PREFIX.get(/^([a-z]+)_/.exec(word)?.[1] ?? '');
  const pages = PAGES.flatMap((group) => group.pages);
  const actions = [
    ...(place === undefined
      ? []
      : [
          {
            id: word,
            label: `Open ${word}`,
            onClick: go(`${place}${encodeURIComponent(word)}`),
            keywords: word,
          },
        ]),
    ...(customers?.data ?? []).map(({ id, externalId, name }) => ({
      id,
      label: externalId,
      description: name ?? 'Customer',
      // Already matched by the API, possibly by the e-mail address.
      keywords: word,
      onClick: go(`/customers/${id}`),
    })),
    ...pages.map(({ title, path }) => ({
      id: `page ${path}`,
      label: title,
      description: 'Page',
      onClick: go(path),
    })),
  ];
  return (
    <>
      <Button
        variant="default"
        size="sm"
        px={{ base: 8, sm: 'md' }}
        onClick={spotlight.open}
        rightSection={<Kbd visibleFrom="sm">Ctrl K</Kbd>}
      >
        <Text size="sm" c="dimmed" visibleFrom="sm">
          Search
        </Text>
        <VisuallyHidden hiddenFrom="sm">Search</VisuallyHidden>
        <Text hiddenFrom="sm" aria-hidden>
          ⌕
        </Text>
      </Button>
      <Spotlight
        store={store}
        attributes={{ content: { 'aria-label': 'Search for pages, customers and ids' } }}
        // Not by the library, which would close it before the dialog below is asked whether it is uppermost.
        closeOnEscape={false}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Escape' && !nativeEvent.isComposing) spotlight.close();
        }}
        actions={actions}
        query={text}
        onQueryChange={setText}
        // Ctrl-K works in a field, too: the browser would open its own search.
        tagsToIgnore={[]}
        nothingFound={
          <span role="status">
            {isFetching
              ? 'Searching …'
              : isError && !isRefused
                ? 'Customers could not be searched. Try again in a moment.'
                : 'Nothing found. You can search for ids, external ids and pages.'}
          </span>
        }
        searchProps={{ placeholder: 'An id, an external id, or a page', 'aria-label': 'Search' }}
        scrollable
        maxHeight={420}
        // At a zoom of 400 %, the results would have no room below the usual offset.
        yOffset="min(80px, 6dvh)"
      />
    </>
  );
}
