import { Grid, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { PageHeader } from '../../ui/PageHeader';
import { CustomerCredits } from './CustomerCredits';
import { CustomerEntities } from './CustomerEntities';
import { CustomerEntitlements } from './CustomerEntitlements';
import { CustomerErasure } from './CustomerErasure';
import { CustomerEvents } from './CustomerEvents';
import { CustomerFacts } from './CustomerFacts';
import { CustomerPortal } from './CustomerPortal';
import { CustomerReservations } from './CustomerReservations';
import { CustomerSubscriptions } from './CustomerSubscriptions';
import { CustomerUsage } from './CustomerUsage';
import { CustomerUses } from './CustomerUses';
import { EraseCustomer } from './EraseCustomer';

/** A customer: its details, entitlements, usage and events. */
export function CustomerPage() {
  const { query } = useWorkspace();
  const { id = '' } = useParams({ strict: false });
  const { data: customer } = useSuspenseQuery({
    queryKey: ['customer', query, id],
    queryFn: () => bodyOf(api.GET('/api/customers/{id}', { params: { query, path: { id } } })),
  });
  return (
    <>
      <PageHeader title={isolate(customer.externalId)} above={{ title: 'Customers', path: '/customers' }} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <CustomerFacts customer={customer} />
            <CustomerCredits customer={customer} />
            {customer.erasureId === null ? (
              <>
                <CustomerPortal customer={customer} />
                <EraseCustomer customer={customer} />
              </>
            ) : (
              <CustomerErasure erasureId={customer.erasureId} />
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <CustomerEntitlements customer={customer} />
            <CustomerUsage customer={customer} />
            <CustomerUses customer={customer} />
            <CustomerReservations customer={customer} />
            <CustomerEntities customer={customer} />
            <CustomerSubscriptions customer={customer} />
            <CustomerEvents customer={customer} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
