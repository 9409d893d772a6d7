import { Table, Text } from '@mantine/core';
import type { Connection } from '../../api/resources';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { providerName } from '../../ui/providers';
import { LastTest } from './LastTest';
import { missingForWebhooks } from './provider-fields';

/** All connections, a row each, because an organization may have one for each country; what fails is first. */
export function ConnectionList({ connections }: { connections: Connection[] }) {
  const failing = connections.filter(isFailing);
  const rows = [...failing, ...connections.filter((connection) => !isFailing(connection))];
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table aria-label="Provider connections" highlightOnHover verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Provider</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Last test</Table.Th>
            <Table.Th>Changed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((connection) => (
            <Table.Tr key={connection.id}>
              <Table.Td>
                <WorkspaceLink path={`/connections/${connection.id}`}>
                  <Text
                    span
                    inherit
                    lineClamp={2}
                    title={connection.displayName}
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    <bdi>{connection.displayName}</bdi>
                  </Text>
                </WorkspaceLink>
              </Table.Td>
              <Table.Td>{providerName(connection.provider)}</Table.Td>
              <Table.Td>
                <State connection={connection} />
              </Table.Td>
              <Table.Td>
                <LastTest connection={connection} />
              </Table.Td>
              <Table.Td>
                <Time at={connection.updatedAt} precision="day" />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function State({ connection }: { connection: Connection }) {
  const { disabledAt } = connection;
  if (disabledAt !== null)
    return (
      <>
        <StatusBadge status="disabled" />
        <Text size="xs">
          since <Time at={disabledAt} />
        </Text>
      </>
    );
  const missing = missingForWebhooks(connection);
  return (
    <>
      <StatusBadge status={isFailing(connection) ? 'failing' : 'enabled'} />
      {missing.length > 0 && <Text size="xs">Webhooks are refused: {missing.join(', ')} missing</Text>}
    </>
  );
}

function isFailing(connection: Connection): boolean {
  const { disabledAt, failedChecks } = connection;
  return disabledAt === null && (failedChecks.length > 0 || missingForWebhooks(connection).length > 0);
}
