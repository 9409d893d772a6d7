import { Group, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { WordFilter } from '../../ui/WordFilter';
import { BeforeFilter } from './BeforeFilter';
import { DecisionDetails } from './DecisionDetails';
import { FoundDecisions } from './FoundDecisions';

/** Shows why checks and tracks were granted or denied. */
export function DecisionsPage() {
  const { id = '', before } = useSearch({ from: '/signed-in/o/$organization/$environment/decisions' });
  const navigate = useNavigate();
  const find = (text: string) => {
    const search = { ...(text !== '' && { id: text }), ...(before !== undefined && { before }) };
    void navigate({ to: '.', search, replace: true });
  };
  const setBefore = (instant: string) => {
    const search = { ...(id !== '' && { id }), ...(instant !== '' && { before: instant }) };
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
          <WordFilter
            label="Decision, request or customer"
            placeholder="dec_…, req_… or an external id"
            word={id}
            w={360}
            maw="100%"
            onFind={find}
          />
          {!id.startsWith('dec_') && <BeforeFilter instant={before ?? ''} onChoose={setBefore} />}
        </Group>
        {id === '' ? (
          <EmptyState title="Nothing is looked up yet">
            Each answer of check and track has a <code>decisionId</code>, and every answer a{' '}
            <code>Request-Id</code>.
          </EmptyState>
        ) : id.startsWith('dec_') ? (
          <DecisionDetails key={id} id={id} />
        ) : (
          <FoundDecisions word={id} before={before} />
        )}
      </Stack>
    </>
  );
}
