import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState } from 'react';

/** Choices of a select, read from a list of the API. */
export interface Choices<Item> {
  /** Query key of the list; the search or the chosen value is appended. */
  queryKey: QueryKey;
  /** Searches by typed text; undefined returns the beginning of the list. */
  find: (search: string | undefined) => Promise<Item[]>;
  /** Returns the item of a value; undefined if it no longer exists. */
  read: (value: string) => Promise<Item | undefined>;
  toChoice: (item: Item) => { value: string; label: string };
}

interface SearchSelectProps<Item> extends Omit<SelectProps, 'data' | 'value' | 'filter' | 'searchable'> {
  choices: Choices<Item>;
  /** Empty means none. */
  value?: string | null;
}

/**
 * Selects an item of a list of any length: the API searches for the typed text, and the chosen item is read wherever it
 * is in the list.
 */
export function SearchSelect<Item>(props: SearchSelectProps<Item>) {
  const { choices, value = '', onChange, ...select } = props;
  const { queryKey, find, toChoice } = choices;
  const chosen = useChosen(choices, value);
  const [text, setText] = useState('');
  // The field shows the chosen item by its label, which is not a search.
  const isSearch = text.trim() !== '' && text !== chosen?.label;
  const [word] = useDebouncedValue(isSearch ? text.trim() : '', 200);
  const {
    data = [],
    isFetching,
    isError,
  } = useQuery({
    queryKey: [...queryKey, 'search', word],
    queryFn: () => find(word === '' ? undefined : word),
    placeholderData: keepPreviousData,
  });
  const found = data.map(toChoice);
  const isFound = new Set(found.map((choice) => choice.value));
  const isKnown = chosen === undefined || isFound.has(chosen.value);
  return (
    <Select
      {...select}
      {...(isError && { nothingFoundMessage: 'The list could not be read. Type again to retry.' })}
      {...(isFetching && { nothingFoundMessage: 'Searching …' })}
      searchable
      maxDropdownHeight={320}
      data={isKnown ? found : [...found, chosen]}
      // The API has already filtered them. The chosen item is included so that its label is shown.
      filter={({ options }) =>
        isSearch ? options.filter((option) => 'value' in option && isFound.has(option.value)) : options
      }
      value={value === '' ? null : value}
      {...(onChange !== undefined && { onChange })}
      searchValue={text}
      onSearchChange={setText}
      // Typed text replaces the chosen item's label.
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
  );
}

/** Reads the chosen item separately, because its page of the list may not be loaded. */
export function useChosenItem<Item>(choices: Choices<Item>, value: string | null): Item | undefined {
  const { queryKey, read, toChoice } = choices;
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: [...queryKey, 'one', value],
    queryFn: async () => (await read(value ?? '')) ?? null,
    // An item chosen from a list was read with it.
    initialData: () =>
      queries
        .getQueriesData<Item[]>({ queryKey: [...queryKey, 'search'] })
        .flatMap(([, items = []]) => items)
        .find((item) => toChoice(item).value === value),
    enabled: value !== null && value !== '',
  });
  return data ?? undefined;
}

function useChosen<Item>(choices: Choices<Item>, value: string | null) {
  const item = useChosenItem(choices, value);
  return item === undefined ? undefined : choices.toChoice(item);
}
