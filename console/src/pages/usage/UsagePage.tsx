import { Grid, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { defaultStringifySearch, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useWorkspace } from '../../app/workspace';
import { PageHeader } from '../../ui/PageHeader';
import { Panel } from '../../ui/Panel';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { dayOf } from '../../ui/zone';
import { clockQuery } from '../../app/clock-query';
import { Denials } from './Denials';
import { readUsageFilters, usageSearch, type UsageFilters } from './filters';
import { Series } from './Series';
import { TopCustomers } from './TopCustomers';
import { UsageFilterBar } from './UsageFilterBar';

/** Usage by customer and feature, and denials. */
export function UsagePage() {
  const { query } = useWorkspace();
  const search: Record<string, unknown> = useSearch({ strict: false });
  const filters = useMemo(() => readUsageFilters(search), [search]);
  const navigate = useNavigate();
  const { data: clock } = useSuspenseQuery(clockQuery(query));
  const now = Date.parse(clock.now);
  const set = (changed: UsageFilters) => {
    void navigate({ to: '.', search: usageSearch(changed), replace: true });
  };
  const { customer } = filters;
  return (
    <>
      <PageHeader
        title="Usage"
        about="Usage over time: late usage counts at its time of use, reversed usage is excluded."
      />
      <Stack>
        <UsageFilterBar filters={filters} onChange={set} today={dayOf(filters.zone, now)} />
        {customer !== undefined && (
          <Text size="sm">
            Only of <bdi>{customer}</bdi>.{' '}
            <WorkspaceLink path={`/customers${defaultStringifySearch({ search: customer })}`}>
              Find the customer
            </WorkspaceLink>
          </Text>
        )}
        <Panel title="Over time">
          <Series filters={filters} now={now} />
        </Panel>
        <Grid>
          {customer === undefined && (
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <TopCustomers filters={filters} now={now} />
            </Grid.Col>
          )}
          <Grid.Col span={{ base: 12, lg: customer === undefined ? 7 : 12 }}>
            <Denials filters={filters} now={now} ahead={clock.offsetMs} />
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  );
}
