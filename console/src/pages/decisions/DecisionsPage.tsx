import { Group, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { DecisionDetails } from './DecisionDetails';
import { FoundDecisions } from './FoundDecisions';

/** Why a check or a track was granted or denied. */
export function DecisionsPage() {
  const { id = '', before } = useSearch({ from: '/signed-in/o/$organization/$environment/decisions' });
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const { current } = field;
    // A link of the page has led to another one. While it is typed in, the address follows the field.
    if (current !== null && current !== document.activeElement) current.value = id;
  }, [id]);
  const find = useDebouncedCallback((text: string) => {
    const search = { ...(text !== '' && { id: text }), ...(before !== undefined && { before }) };
    void navigate({ to: '.', search, replace: true });
  }, 300);
  const setBefore = (time: string) => {
    const search = { ...(id !== '' && { id }), ...(time !== '' && { before: time }) };
    void navigate({ to: '.', search, replace: true });
  };
  return (
    <>
      <PageHeader
        title="Decisions"
        about="Paste the id of a decision or of a request, or a customer’s external id and a time: what was asked, what was decided, and by which rule."
      />
      <Stack>
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Decision, request or customer"
            placeholder="dec_…, req_… or an external id"
            ref={field}
            defaultValue={id}
            w={360}
            maw="100%"
            onChange={(event) => find(event.currentTarget.value.trim())}
          />
          {!id.startsWith('dec_') && (
            <TextInput
              type="datetime-local"
              label="Decided before"
              defaultValue={before ?? ''}
              onChange={(event) => setBefore(event.currentTarget.value)}
            />
          )}
        </Group>
        {id === '' ? (
          <EmptyState title="Nothing is looked up yet">
            Each answer of check and track has a <code>decisionId</code>, and every answer a{' '}
            <code>Request-Id</code>.
          </EmptyState>
        ) : id.startsWith('dec_') ? (
          <DecisionDetails id={id} />
        ) : (
          <FoundDecisions word={id} before={before} />
        )}
      </Stack>
    </>
  );
}
