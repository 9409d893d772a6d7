import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { useFollowedWord } from '../../ui/use-followed-word';

interface CustomerFilterProps {
  /** An external id. */
  value: string | undefined;
  onChange: (externalId: string | undefined) => void;
}

/**
 * Input of a customer's external id, with suggestions from the API while typing. It also follows the address when a
 * link, Back or Forward sets the customer.
 */
export function CustomerFilter({ value = '', onChange }: CustomerFilterProps) {
  const { query } = useWorkspace();
  const [text, setText] = useState(value);
  const willSend = useFollowedWord(value, setText);
  const [word] = useDebouncedValue(text.trim(), 250);
  const { data: found } = useQuery({
    queryKey: ['customers', 'search', query, word],
    queryFn: () =>
      bodyOf(api.GET('/api/customers', { params: { query: { ...query, search: word, take: 5 } } })),
    enabled: word.length >= 2 && word !== value,
  });
  const choose = (chosen: string) => {
    if (chosen === value) return;
    willSend(chosen);
    onChange(chosen === '' ? undefined : chosen);
  };
  return (
    <Autocomplete
      label="Customer"
      placeholder="Every customer"
      clearable
      data={[...new Set((found?.data ?? []).map(({ externalId }) => externalId))]}
      // The API has already filtered them, possibly by name.
      filter={({ options }) => options}
      value={text}
      onChange={(typed) => {
        setText(typed);
        if (typed === '') choose('');
      }}
      onOptionSubmit={choose}
      onBlur={() => choose(text.trim())}
      onKeyDown={({ key }) => {
        if (key === 'Enter') choose(text.trim());
      }}
    />
  );
}
