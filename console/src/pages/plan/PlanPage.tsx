import { Grid, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { Money } from '../../ui/Money';
import { isolate } from '../../ui/isolate';
import { PageHeader } from '../../ui/PageHeader';
import { Panel } from '../../ui/Panel';
import { Time } from '../../ui/Time';
import { Entitlements } from './Entitlements';
import { PlanActions } from './PlanActions';
import { ProviderMappings } from './ProviderMappings';
import { saleInWords } from './sale-in-words';
import { trialInWords } from './trial-in-words';

/** A plan: its price, entitlements, and references at the payment providers. */
export function PlanPage() {
  const { query } = useWorkspace();
  const { id = '' } = useParams({ strict: false });
  const { data: plan } = useSuspenseQuery({
    queryKey: ['plan', query, id],
    queryFn: () => bodyOf(api.GET('/api/plans/{id}', { params: { query, path: { id } } })),
  });
  return (
    <>
      <PageHeader title={isolate(plan.name)} above={{ title: 'Catalogue', path: '/catalogue' }} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Panel title="Plan" actions={<PlanActions plan={plan} />}>
            <Facts
              facts={[
                ['Id', <Id key="id" value={plan.id} />],
                ['Slug', plan.slug],
                [
                  'Price',
                  <span key="price">
                    <Money value={plan.price} /> a {plan.interval}
                    {plan.pricing === 'per_seat' && ' for each seat'}
                  </span>,
                ],
                ['Trial', trialInWords(plan.trialDays)],
                ['State', saleInWords(plan)],
                ['Created', <Time key="created" at={plan.createdAt} />],
              ]}
            />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <Entitlements plan={plan} />
            <ProviderMappings plan={plan} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
