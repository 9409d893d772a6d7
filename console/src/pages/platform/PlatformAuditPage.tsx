import { Button, Code, Group, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { Time } from '../../ui/Time';
import { useFollowedWord } from '../../ui/use-followed-word';
import { PlatformFrame } from './PlatformFrame';

/** Actions in the installation outside of its organizations. */
export function PlatformAuditPage() {
  const { action = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [typed, setTyped] = useState(action);
  const willSend = useFollowedWord(action, setTyped);
  return (
    <PlatformFrame
      title="Platform audit"
      about="Log-ins, credential keys and migrations, and webhooks that belong to no workspace; newest first."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = typed.trim();
          willSend(wanted);
          void navigate({ to: '/platform/audit', search: wanted === '' ? {} : { action: wanted } });
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label="What"
            miw={280}
            placeholder="operator.login_failed"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default">
            Filter
          </Button>
        </Group>
      </form>
      <PagedTable
        label="Platform audit records"
        queryKey={['platform', 'audit', action]}
        load={(cursor) =>
          bodyOf(
            api.GET('/api/admin/audit', {
              params: { query: { ...(action !== '' && { action }), ...(cursor && { cursor }) } },
            }),
          )
        }
        rowKey={({ id }) => id}
        columns={[
          { title: 'When', cell: ({ lastAt }) => <Time at={lastAt} precision="second" /> },
          { title: 'What', cell: (record) => <Code>{record.action}</Code> },
          {
            title: 'Who',
            cell: ({ operator }) =>
              operator === null ? 'nobody signed in' : <bdi title={operator.email}>{operator.name}</bdi>,
          },
          {
            title: 'From',
            cell: ({ ip, host, provider }) => [ip, host, provider].filter(Boolean).join(', ') || '–',
          },
          { title: 'How often', align: 'right', cell: ({ count }) => count.toLocaleString() },
          {
            title: 'Details',
            cell: ({ detail }) =>
              Object.keys(detail).length === 0 ? (
                '–'
              ) : (
                <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(detail)}</Code>
              ),
          },
        ]}
        empty={
          <EmptyState title="There is no record">
            {action === ''
              ? 'Nothing was done yet.'
              : 'No record of this action. Clear the filter to see all.'}
          </EmptyState>
        }
      />
    </PlatformFrame>
  );
}
