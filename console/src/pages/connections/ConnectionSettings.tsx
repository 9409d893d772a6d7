import { Stack, Table, Text } from '@mantine/core';
import type { Connection } from '../../api/resources';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { Panel } from '../../ui/Panel';
import { PROVIDER_FIELDS } from './provider-fields';

/** Public settings of a connection: single values, and tables such as the plans' references. */
export function ConnectionSettings({ connection }: { connection: Connection }) {
  const { provider, settings, customerReturnUrl } = connection;
  const { label: reference } = PROVIDER_FIELDS[provider].planReference;
  const entries = Object.entries(settings);
  const single = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const tables = entries.filter(
    (entry): entry is [string, object] =>
      typeof entry[1] === 'object' && entry[1] !== null && Object.keys(entry[1]).length > 0,
  );
  return (
    <Panel title="Settings">
      <Stack>
        <Facts
          facts={[
            ...single.map(([name, value]): [string, React.ReactNode] => [
              name,
              <bdi key={name}>{value}</bdi>,
            ]),
            ['Return URL for past-due customers', <Id key="return" value={customerReturnUrl} />],
          ]}
        />
        {tables.map(([name, rows]) => (
          <Table key={name} aria-label={name} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Plan</Table.Th>
                <Table.Th>{name === 'planReferences' ? reference : name}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {Object.entries(rows).map(([plan, value]) => (
                <Table.Tr key={plan}>
                  <Table.Th scope="row">{plan}</Table.Th>
                  <Table.Td>
                    <Id value={String(value)} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ))}
        {!tables.some(([name]) => name === 'planReferences') && (
          <Text size="sm" c="dimmed">
            No plan has its own reference here. Plans are sold by their references in the catalogue.
          </Text>
        )}
      </Stack>
    </Panel>
  );
}
