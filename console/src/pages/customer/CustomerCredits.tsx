import { Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Customer } from '../../api/resources';
import type { components } from '../../api/schema';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { formatCredits, formatQuantity } from '../../ui/quantity';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { RowButton } from '../../ui/RowButton';
import { Time } from '../../ui/Time';
import { GrantCredits } from './GrantCredits';

type Grant = components['schemas']['CreditGrant'];

const TAKE = 10;

const isSpendable = ({ expired, remaining }: Grant) => !expired && remaining > 0;

/** The credits a customer can spend beyond its quotas. */
export function CustomerCredits({ customer }: { customer: Customer }) {
  const { query } = useWorkspace();
  const refusal = useRefusal('developer');
  const [isGranting, { open, close }] = useDisclosure(false);
  const [ending, setEnding] = useState<Grant>();
  // Commands for an erased customer are refused.
  const isErased = customer.erasureId !== null;
  const load = (page: { take: number; cursor?: string }) =>
    bodyOf(
      api.GET('/api/customers/{id}/credits', {
        params: { query: { ...query, ...page }, path: { id: customer.id } },
      }),
    );
  const credits = useQuery({
    queryKey: ['credits', query, customer.id, 'balance'],
    queryFn: () => load({ take: 1 }),
  });
  return (
    <Panel
      title="Credits"
      actions={
        <ReasonedButton
          size="xs"
          variant="default"
          reason={isErased ? 'The customer was erased.' : refusal}
          onClick={open}
        >
          Grant credits
        </ReasonedButton>
      }
    >
      {credits.isError && <ProblemPanel error={credits.error} retry={() => void credits.refetch()} />}
      <Stack gap="xs">
        {credits.data !== undefined && (
          <Text size="sm">
            <b>{formatQuantity(credits.data.balance)}</b> can be spent now.
          </Text>
        )}
        <PagedTable
          label="Grants of credits"
          queryKey={['credits', query, customer.id, 'grants']}
          load={(cursor) => load({ take: TAKE, ...(cursor && { cursor }) })}
          rowKey={({ id }) => id}
          minWidth={250}
          columns={[
            {
              title: 'Granted',
              cell: ({ amount, reason }) => (
                <>
                  {formatQuantity(amount)}{' '}
                  <Text span size="xs" c="dimmed">
                    <bdi>{reason}</bdi>
                  </Text>
                </>
              ),
            },
            { title: 'Left', align: 'right', cell: ({ remaining }) => formatQuantity(remaining) },
            {
              title: 'Until',
              cell: ({ expiresAt, expired }) => (
                <>
                  {expiresAt === null ? 'no end' : <Time at={expiresAt} />}
                  {expired && ' (expired)'}
                </>
              ),
            },
            ...(refusal === null && !isErased
              ? [
                  {
                    title: 'Actions',
                    cell: (grant: Grant) =>
                      isSpendable(grant) && (
                        <RowButton
                          about={`the grant ${grant.id}`}
                          refusedBy={undefined}
                          onClick={() => setEnding(grant)}
                        >
                          Expire
                        </RowButton>
                      ),
                  },
                ]
              : []),
          ]}
          empty={null}
        />
      </Stack>
      {isGranting && <GrantCredits customer={customer} onClose={close} />}
      {ending !== undefined && (
        <ConfirmDialog
          title="Expire a grant of credits"
          submit={`Expire ${formatCredits(ending.remaining)}`}
          isDestructive
          send={() =>
            api.POST('/api/customers/{id}/credits/{grantId}/expire', {
              params: { query, path: { id: customer.id, grantId: ending.id } },
            })
          }
          refresh={[['credits'], ['entitlements of']]}
          onClose={() => setEnding(undefined)}
        >
          The rest of the grant can no longer be spent. It cannot be taken back: grant credits again instead.
        </ConfirmDialog>
      )}
    </Panel>
  );
}
