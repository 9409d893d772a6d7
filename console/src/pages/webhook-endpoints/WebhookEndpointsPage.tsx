import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { api, bodyOf } from '../../api/client';
import { environmentInWords } from '../../../../src/domain/environment.ts';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { PageHeader } from '../../ui/PageHeader';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { CreateEndpoint } from './CreateEndpoint';
import { EndpointState } from './EndpointState';
import { MessageDrawer } from './MessageDrawer';
import { TakenTypes } from './TakenTypes';
import { useEndpointRefusal } from './use-endpoint-refusal';

/** Webhook endpoints: where integrators receive events. */
export function WebhookEndpointsPage() {
  const { env, query } = useWorkspace();
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader
        title="Webhook endpoints"
        about={`Where ${environmentInWords(env)} sends events: signed, to your servers, and repeated until they are acknowledged.`}
        actions={
          <ReasonedButton size="xs" reason={useEndpointRefusal()} onClick={open}>
            New endpoint
          </ReasonedButton>
        }
      />
      <PagedTable
        label="Webhook endpoints"
        queryKey={['webhook-endpoints', query]}
        load={(cursor) =>
          bodyOf(
            api.GET('/api/webhook-endpoints', { params: { query: { ...query, ...(cursor && { cursor }) } } }),
          )
        }
        minWidth={720}
        rowKey={({ id }) => id}
        columns={[
          {
            title: 'Address',
            cell: ({ id, url, description }) => (
              <>
                <WorkspaceLink path={`/developer/webhooks/${id}`}>
                  <Text span inherit lineClamp={2} title={url} style={{ overflowWrap: 'anywhere' }}>
                    <bdi>{url}</bdi>
                  </Text>
                </WorkspaceLink>
                {description !== '' && (
                  <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                    <bdi>{description}</bdi>
                  </Text>
                )}
              </>
            ),
          },
          { title: 'Types', cell: ({ types }) => <TakenTypes types={types} shown={2} /> },
          { title: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} precision="day" /> },
        ]}
        empty={
          <EmptyState title="There is no endpoint yet">
            Create one with New endpoint, and your server is notified when a subscription changes, a payment
            arrives, or a quota runs out.
          </EmptyState>
        }
      />
      {isCreating && <CreateEndpoint onClose={close} />}
      <MessageDrawer />
    </>
  );
}
