import { Table } from '@mantine/core';
import type { CredentialReport } from '../../api/resources';
import { Id } from '../../ui/Id';
import { Panel } from '../../ui/Panel';
import { Time } from '../../ui/Time';

/** The running processes, with the keys that each one has and lacks. */
export function KeyHolders({ report: { runtimes, keys } }: { report: CredentialReport }) {
  return (
    <Panel title="Running processes">
      <Table.ScrollContainer minWidth={560}>
        <Table aria-label="Running processes" verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Process</Table.Th>
              <Table.Th>Id</Table.Th>
              <Table.Th>Holds</Table.Th>
              <Table.Th>Lacks</Table.Th>
              <Table.Th>Last seen</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {runtimes.map(({ id, process, keyIds, seenAt }) => {
              const lacking = keys.filter((key) => !keyIds.includes(key.id)).map((key) => key.id);
              return (
                <Table.Tr key={id}>
                  <Table.Th scope="row">{process}</Table.Th>
                  <Table.Td>
                    <Id value={id} />
                  </Table.Td>
                  <Table.Td>{keyIds.join(', ') || 'none'}</Table.Td>
                  <Table.Td>{lacking.length === 0 ? 'none' : `▲ ${lacking.join(', ')}`}</Table.Td>
                  <Table.Td>
                    <Time at={seenAt} precision="second" />
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}
