import { Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { components } from '../../api/schema';
import { useRefusal } from '../../app/roles';
import { environmentInWords } from '../../../../src/domain/environment.ts';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { PageHeader } from '../../ui/PageHeader';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { RowButton } from '../../ui/RowButton';
import { Time } from '../../ui/Time';
import { CreateApiKey } from './CreateApiKey';
import { hasExpired } from './has-expired';
import { keyInWords } from './key-in-words';
import { RevokeApiKey } from './RevokeApiKey';
import { RollApiKey } from './RollApiKey';

/** A dialog about a key. It is not part of the key's row, which a change of the list or of the own role removes. */
interface OpenedDialog {
  apiKey: components['schemas']['ApiKey'];
  dialog: 'roll' | 'revoke';
}

/** The secret keys used by an integrator's servers. */
export function ApiKeysPage() {
  const { env, query } = useWorkspace();
  const [isCreating, { open, close }] = useDisclosure(false);
  const [opened, setOpened] = useState<OpenedDialog>();
  const closeOpened = () => setOpened(undefined);
  const refusal = useRefusal(env === 'production' ? 'admin' : 'developer');
  return (
    <>
      <PageHeader
        title="API keys"
        about={`Secret keys of ${environmentInWords(env)}: for servers only, never for browsers or apps. Each is shown once, when it is created.`}
        actions={
          <ReasonedButton size="xs" reason={refusal} onClick={open}>
            New key
          </ReasonedButton>
        }
      />
      <PagedTable
        label="API keys"
        queryKey={['api-keys', query]}
        load={(cursor) =>
          bodyOf(api.GET('/api/api-keys', { params: { query: { ...query, ...(cursor && { cursor }) } } }))
        }
        rowKey={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
          {
            title: 'Key',
            cell: ({ prefix, lastFour }) => (
              <Text span ff="monospace" inherit>{`${prefix}…${lastFour}`}</Text>
            ),
          },
          { title: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
          {
            title: 'Created',
            cell: ({ createdAt, createdBy }) => (
              <>
                <Time at={createdAt} precision="day" />{' '}
                {createdBy !== null && (
                  <>
                    by <bdi>{createdBy.name}</bdi>
                  </>
                )}
              </>
            ),
          },
          {
            title: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />),
          },
          {
            title: 'Ends',
            cell: ({ revokedAt, expiresAt }) =>
              revokedAt !== null ? (
                <>
                  revoked <Time at={revokedAt} />
                </>
              ) : expiresAt === null ? (
                'never'
              ) : (
                <>
                  {hasExpired({ expiresAt }) && 'expired '}
                  <Time at={expiresAt} />
                </>
              ),
          },
          {
            title: 'Actions',
            cell: (key) =>
              key.revokedAt === null &&
              refusal === null && (
                <Group gap="xs" wrap="nowrap">
                  {!hasExpired(key) && (
                    <RowButton
                      about={keyInWords(key)}
                      onClick={() => setOpened({ apiKey: key, dialog: 'roll' })}
                    >
                      Roll
                    </RowButton>
                  )}
                  <RowButton
                    about={keyInWords(key)}
                    onClick={() => setOpened({ apiKey: key, dialog: 'revoke' })}
                  >
                    Revoke
                  </RowButton>
                </Group>
              ),
          },
        ]}
        empty={
          <EmptyState title="There are no keys yet">
            Your server sends a key with check and track. Create one with New key.
          </EmptyState>
        }
      />
      {isCreating && <CreateApiKey onClose={close} />}
      {opened?.dialog === 'roll' && <RollApiKey apiKey={opened.apiKey} onClose={closeOpened} />}
      {opened?.dialog === 'revoke' && <RevokeApiKey apiKey={opened.apiKey} onClose={closeOpened} />}
    </>
  );
}
