import { Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Customer } from '../../api/resources';
import type { components } from '../../api/schema';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { formatQuantity } from '../../ui/quantity';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { RowButton } from '../../ui/RowButton';
import { Time } from '../../ui/Time';
import { GrantCredits } from './GrantCredits';

type Grant = components['schemas']['CreditGrant'];

const isSpendable = ({ expired, remaining }: Grant) => !expired && remaining > 0;

/** What a customer can spend beyond its quotas. */
export function CustomerCredits({ customer }: { customer: Customer }) {
  const { query } = useWorkspace();
  const refusal = useRefusal('developer');
  const [isGranting, { open, close }] = useDisclosure(false);
  const [ending, setEnding] = useState<Grant>();
  const credits = useQuery({
    queryKey: ['credits', query, customer.id],
    queryFn: () =>
      bodyOf(api.GET('/api/customers/{id}/credits', { params: { query, path: { id: customer.id } } })),
  });
  return (
    <Panel
      title="Credits"
      actions={
        <ReasonedButton size="xs" variant="default" reason={refusal} onClick={open}>
          Grant credits
        </ReasonedButton>
      }
    >
      {credits.isError && <ProblemPanel error={credits.error} />}
      {credits.data !== undefined && (
        <Stack gap="xs">
          <Text size="sm">
            <b>{formatQuantity(credits.data.balance)}</b> can be spent now.
          </Text>
          {credits.data.data.length > 0 && (
            <Table aria-label="Grants of credits" verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Granted</Table.Th>
                  <Table.Th ta="right">Left</Table.Th>
                  <Table.Th>Until</Table.Th>
                  {refusal === null && <Table.Th>Actions</Table.Th>}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {credits.data.data.map((grant) => (
                  <Table.Tr key={grant.id}>
                    <Table.Td>
                      {formatQuantity(grant.amount)}{' '}
                      <Text span size="xs" c="dimmed">
                        {grant.reason}
                      </Text>
                    </Table.Td>
                    <Table.Td ta="right">{formatQuantity(grant.remaining)}</Table.Td>
                    <Table.Td>
                      {grant.expiresAt === null ? 'no end' : <Time at={grant.expiresAt} precision="day" />}
                      {grant.expired && ' (expired)'}
                    </Table.Td>
                    {refusal === null && (
                      <Table.Td>
                        {isSpendable(grant) && (
                          <RowButton
                            about={`the grant ${grant.id}`}
                            refusedBy={undefined}
                            onClick={() => setEnding(grant)}
                          >
                            Expire
                          </RowButton>
                        )}
                      </Table.Td>
                    )}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </Stack>
      )}
      {isGranting && <GrantCredits customer={customer} onClose={close} />}
      {ending !== undefined && (
        <ConfirmDialog
          title="Expire a grant of credits"
          submit={`Expire ${formatQuantity(ending.remaining)} credits`}
          isDestructive
          send={() =>
            api.POST('/api/customers/{id}/credits/{grantId}/expire', {
              params: { query, path: { id: customer.id, grantId: ending.id } },
            })
          }
          refresh={[['credits']]}
          onClose={() => setEnding(undefined)}
        >
          The rest of the grant can no longer be spent. It cannot be taken back: grant credits again instead.
        </ConfirmDialog>
      )}
    </Panel>
  );
}
