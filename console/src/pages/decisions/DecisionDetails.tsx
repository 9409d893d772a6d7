import { Grid, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { Panel } from '../../ui/Panel';
import { ReadProblem } from '../../ui/ReadProblem';
import { Sentence } from '../../ui/Sentence';
import { formatQuantity } from '../../ui/quantity';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { DecideNow } from './DecideNow';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { Loading } from '../../ui/Loading';

/** A decision: what was checked, the rule that decided, and the figures at that time. */
export function DecisionDetails({ id }: { id: string }) {
  const { query } = useWorkspace();
  const decision = useQuery({
    queryKey: ['decision', query, id],
    queryFn: () => bodyOf(api.GET('/api/decisions/{id}', { params: { query, path: { id } } })),
    retry: false,
  });
  if (decision.isPending) return <Loading label="Loading the decision" />;
  if (decision.isError) return <ReadProblem read={decision} />;
  const was = decision.data;
  const number = (value: number | null) => (value === null ? '–' : formatQuantity(value));
  return (
    <Stack>
      <Group gap="sm">
        <StatusBadge status={was.allowed ? 'OK' : 'DENIED'} />
        <Text>
          <bdi>
            <Sentence text={was.message} />
          </bdi>
        </Text>
      </Group>
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title="What was asked">
            <Facts
              facts={[
                ['Call', was.operation],
                [
                  'Customer',
                  <WorkspaceLink key="customer" path={`/customers/${was.customerId}`}>
                    <bdi>{was.externalId}</bdi>
                  </WorkspaceLink>,
                ],
                ['Feature', was.feature],
                ['Quantity', number(was.quantity)],
                was.entity !== null && ['Entity', <bdi key="entity">{was.entity.id}</bdi>],
                ['Source', <bdi key="source">{was.source}</bdi>],
                ['When', <Time key="when" at={was.createdAt} precision="second" />],
                ['Request', <Id key="request" value={was.requestId} />],
                ['Decision', <Id key="id" value={was.id} />],
              ]}
            />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title="How it was decided">
            <Facts
              facts={[
                ['Rule', was.rule === null ? 'not recorded' : was.rule.replaceAll('_', ' ')],
                [
                  'Plan',
                  was.plan === null ? (
                    'none'
                  ) : (
                    <WorkspaceLink key="plan" path={`/catalogue/plans/${was.plan.id}`}>
                      {was.plan.slug}
                    </WorkspaceLink>
                  ),
                ],
                ['Used', number(was.usage)],
                ['Quota', was.unlimited === true ? 'unlimited' : number(was.quota)],
                ['Remaining', was.unlimited === true ? 'unlimited' : number(was.remaining)],
                was.entity !== null && [
                  'Of the entity',
                  `${number(was.entity.usage)} used, ${was.entity.quota === null ? 'no quota of its own' : `a quota of ${number(was.entity.quota)}`}`,
                ],
                was.reserved !== null && was.reserved > 0 && ['Held by reservations', number(was.reserved)],
                was.rollover !== null && was.rollover > 0 && ['From earlier periods', number(was.rollover)],
                ['Credits', number(was.creditBalance)],
                ['Overage', number(was.overage)],
                [
                  'Period',
                  was.period === null ? (
                    '–'
                  ) : (
                    <span key="period">
                      <Time at={was.period.start} /> to <Time at={was.period.end} />
                    </span>
                  ),
                ],
                was.subscriptionId !== null && [
                  'Subscription',
                  <WorkspaceLink key="subscription" path={`/subscriptions/${was.subscriptionId}`}>
                    {was.subscriptionId}
                  </WorkspaceLink>,
                ],
              ]}
            />
          </Panel>
        </Grid.Col>
      </Grid>
      <DecideNow decision={was} />
    </Stack>
  );
}
