import { Text } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { components } from '../../api/schema';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { NoneLikeThis } from '../../ui/NoneLikeThis';
import { ListRefusal } from '../../ui/ListRefusal';
import { OnlyRecord, pageOf, useOnlyRecord } from '../../ui/OnlyRecord';
import { PagedTable } from '../../ui/PagedTable';
import { RowButton } from '../../ui/RowButton';
import { StatusBadge } from '../../ui/StatusBadge';
import { StatusFilter, useStatus } from '../../ui/StatusFilter';
import { Time } from '../../ui/Time';
import { providerName } from '../../ui/providers';
import { ReplayWebhook } from './ReplayWebhook';

const REPLAY_REFUSAL = 'replay-refusal';
const STATUSES = ['applied', 'ignored', 'unmatched', 'failed'] as const;

/** Verified webhooks, and the changes made by each. */
export function ReceivedWebhooks() {
  const { query } = useWorkspace();
  const id = useOnlyRecord();
  const status = useStatus(STATUSES);
  const filter = { ...(status && { status }) };
  const refusal = useRefusal('admin');
  // Not part of the row, which webhooks received since may move out of the list.
  const [replaying, setReplaying] = useState<components['schemas']['Webhook']>();
  return (
    <>
      <OnlyRecord />
      {id === undefined && <StatusFilter label="Status of the webhooks" statuses={STATUSES} />}
      <ListRefusal id={REPLAY_REFUSAL} of="Replaying a webhook" refusal={refusal} />
      <PagedTable
        label="Webhooks"
        queryKey={['webhooks', query, filter, id]}
        load={(cursor) =>
          id === undefined
            ? bodyOf(
                api.GET('/api/webhooks', {
                  params: { query: { ...query, ...filter, ...(cursor && { cursor }) } },
                }),
              )
            : pageOf(bodyOf(api.GET('/api/webhooks/{id}', { params: { path: { id }, query } })))
        }
        rowKey={({ id }) => id}
        columns={[
          { title: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} precision="second" /> },
          { title: 'Provider', cell: ({ provider }) => providerName(provider) },
          { title: 'Event', cell: ({ eventType }) => eventType },
          { title: 'Result', cell: ({ status }) => <StatusBadge status={status} /> },
          { title: 'Why', cell: ({ reason }) => <bdi>{reason ?? '–'}</bdi> },
          { title: 'Changes', align: 'right', cell: ({ changes }) => changes.length },
          { title: 'Deliveries', align: 'right', cell: ({ deliveries }) => deliveries },
          {
            title: 'Actions',
            cell: (webhook) =>
              webhook.erasedAt === null ? (
                <RowButton
                  about={`the webhook ${webhook.id}`}
                  refusedBy={refusal === null ? undefined : REPLAY_REFUSAL}
                  onClick={() => setReplaying(webhook)}
                >
                  Replay
                </RowButton>
              ) : (
                <Text size="xs" c="dimmed">
                  erased with its customer
                </Text>
              ),
          },
        ]}
        empty={
          status === undefined ? (
            <EmptyState title="No webhook has come yet">
              Register the webhook URL of each provider connection at the provider: it is shown on the
              connection’s card.
            </EmptyState>
          ) : (
            <NoneLikeThis />
          )
        }
      />
      {replaying !== undefined && (
        <ReplayWebhook webhook={replaying} onClose={() => setReplaying(undefined)} />
      )}
    </>
  );
}
