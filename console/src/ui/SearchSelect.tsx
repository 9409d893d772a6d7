import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState } from 'react';

/** How a list of the API is chosen from. */
export interface Choices<Item> {
  /** Of the list; the search and the chosen one are added to it. */
  queryKey: QueryKey;
  /** What the API finds by a text that was typed; undefined is the beginning of the list. */
  find: (search: string | undefined) => Promise<Item[]>;
  /** The item of a value; undefined where there is none any more. */
  read: (value: string) => Promise<Item | undefined>;
  toChoice: (item: Item) => { value: string; label: string };
}

interface SearchSelectProps<Item> extends Omit<SelectProps, 'data' | 'value' | 'filter' | 'searchable'> {
  choices: Choices<Item>;
  /** An empty one is none. */
  value?: string | null;
}

/** One of a list of any length: the API finds what is typed, and the chosen one is known wherever in the list it stands. */
export function SearchSelect<Item>(props: SearchSelectProps<Item>) {
  const { choices, value = '', onChange, ...select } = props;
  const { queryKey, find, toChoice } = choices;
  const chosen = useChosen(choices, value);
  const [text, setText] = useState('');
  // The field shows the chosen one by its name, which is no search.
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
      // The API has found them; the chosen one is among them so that its name is shown.
      filter={({ options }) =>
        isSearch ? options.filter((option) => 'value' in option && isFound.has(option.value)) : options
      }
      value={value === '' ? null : value}
      {...(onChange !== undefined && { onChange })}
      searchValue={text}
      onSearchChange={setText}
      // What is typed takes the place of the chosen one's name.
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
  );
}

/** The chosen item, read by itself: the page of the list that it stands on may not be there. */
export function useChosenItem<Item>(choices: Choices<Item>, value: string | null): Item | undefined {
  const { queryKey, read, toChoice } = choices;
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: [...queryKey, 'one', value],
    queryFn: async () => (await read(value ?? '')) ?? null,
    // What was chosen from a list has been read with it.
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
