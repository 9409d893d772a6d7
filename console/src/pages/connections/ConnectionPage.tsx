import { Grid } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { PageHeader } from '../../ui/PageHeader';
import { ConnectionCard } from './ConnectionCard';
import { ConnectionDrift } from './ConnectionDrift';
import { ConnectionSettings } from './ConnectionSettings';
import { connectionQuery } from './queries';

/** A connection, with its settings and how its subscriptions differ from the provider. */
export function ConnectionPage() {
  const { query } = useWorkspace();
  const { id = '' } = useParams({ strict: false });
  const { data: connection } = useSuspenseQuery(connectionQuery(query, id));
  return (
    <>
      <PageHeader
        title={isolate(connection.displayName)}
        above={{ title: 'Provider connections', path: '/connections' }}
      />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <ConnectionCard connection={connection} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <ConnectionSettings connection={connection} />
        </Grid.Col>
        <Grid.Col span={12}>
          <ConnectionDrift connection={connection} />
        </Grid.Col>
      </Grid>
    </>
  );
}
