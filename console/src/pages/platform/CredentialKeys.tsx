import { Code, Table, Text } from '@mantine/core';
import type { CredentialReport } from '../../api/resources';
import { Panel } from '../../ui/Panel';
import { SwitchKey } from './SwitchKey';

/** The key ring: the active key, what each key has sealed, and which may be removed. */
export function CredentialKeys({ report }: { report: CredentialReport }) {
  return (
    <Panel title="Key ring">
      <Table.ScrollContainer minWidth={620}>
        <Table aria-label="Key ring" verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Key</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th ta="right">Envelopes</Table.Th>
              <Table.Th>Held by</Table.Th>
              <Table.Th>Removal</Table.Th>
              <Table.Th>Actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report.keys.map((key) => (
              <Table.Tr key={key.id}>
                <Table.Th scope="row">
                  <Code>{key.id}</Code>
                </Table.Th>
                <Table.Td>{key.active ? '● Active: writes' : '○ Reads only'}</Table.Td>
                <Table.Td ta="right">{key.envelopes.toLocaleString()}</Table.Td>
                <Table.Td>{holdersInWords(report, key)}</Table.Td>
                <Table.Td>
                  <Text size="sm">{removalInWords(report, key)}</Text>
                </Table.Td>
                <Table.Td>{!key.active && <SwitchKey keyId={key.id} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}

type Key = CredentialReport['keys'][number];

function holdersInWords({ runtimes }: CredentialReport, { id, heldByAll, mismatch }: Key): string {
  if (mismatch) return '▲ Processes hold different bytes under this id';
  if (heldByAll) return 'every running process';
  const lacking = runtimes.filter(({ keyIds }) => !keyIds.includes(id)).length;
  return `▲ ${lacking} of ${runtimes.length} running processes lack it`;
}

/** Describes whether a key may be removed: only if another one is active and nothing remains to be migrated. */
function removalInWords({ pending }: CredentialReport, { active, envelopes }: Key): string {
  if (active) return 'Not while it is active';
  if (pending > 0 || envelopes > 0)
    return `Not while ${pending.toLocaleString()} ${pending === 1 ? 'is' : 'are'} pending`;
  return '✓ Safe to remove';
}
