import { List, Stack, Table, Text } from '@mantine/core';
import type { SubscriptionDrift } from '../../api/resources';
import { Sentence } from '../../ui/Sentence';
import { Time } from '../../ui/Time';
import { fieldName, resultInWords, valueInWords } from './drift-words';

/** Result of a comparison with the provider: both values of each difference, and what could not be compared. */
export function DriftDetails({ drift }: { drift: SubscriptionDrift }) {
  const { differences, unverifiable, notes, checkedAt } = drift;
  const remarks = [
    ...notes.map(({ field, words }) => ({ field, words })),
    ...unverifiable.map(({ field, reason }) => ({ field, words: reason })),
  ];
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        <Text span inherit fw={600}>
          {resultInWords(drift)}
        </Text>
        , compared at <Time at={checkedAt} precision="second" /> of this environment’s clock.
      </Text>
      {differences.length > 0 && (
        <Table.ScrollContainer minWidth={380}>
          <Table aria-label="What differs" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>What</Table.Th>
                <Table.Th>Here</Table.Th>
                <Table.Th>At the provider</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {differences.map(({ field, local, provider, words }) => (
                <Table.Tr key={`${field} ${words}`}>
                  <Table.Th scope="row">
                    {fieldName(field)}
                    <Text size="xs" c="dimmed" fw={400}>
                      <Sentence text={words} />
                    </Text>
                  </Table.Th>
                  <Table.Td>{valueInWords(local)}</Table.Td>
                  <Table.Td>{valueInWords(provider)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {remarks.length > 0 && (
        <List size="sm" aria-label="Remarks">
          {remarks.map(({ field, words }) => (
            <List.Item key={`${field} ${words}`}>
              {fieldName(field)}: <Sentence text={words} />
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
