import { List, Stack, Table, Text } from '@mantine/core';
import type { ChangePreview } from '../../api/resources';
import { taxIn } from '../../../../src/domain/contained-tax.ts';
import { Money } from '../../ui/Money';
import { Time } from '../../ui/Time';
import { VIEWER_ZONE } from '../../ui/zone';
import { entitlementInWords } from './entitlement-in-words';

interface PreviewTableProps {
  preview: ChangePreview;
  /** The subscription's time zone, in which the API's sentences name days. */
  timeZone: string;
}

/** Effect of a change: before and after, the money, the entitlements, and the steps. */
export function PreviewTable({ preview, timeZone }: PreviewTableProps) {
  const { from, to, credit, charge, net, tax, dueNow, entitlements, steps, effectiveAt, withdraws } = preview;
  const money: [string, typeof credit][] = [
    ['Credit for what is unused', credit],
    ['Charge for what remains', charge],
    [taxIn([net], tax, dueNow) === 'contained' ? 'Tax, included in the charge and the credit' : 'Tax', tax],
  ];
  return (
    <Stack gap="sm">
      <Table aria-label="Now and after" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th>Now</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th scope="row">Plan</Table.Th>
            <Table.Td>{from.plan.slug}</Table.Td>
            <Table.Td>{to.plan.slug}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="row">Seats</Table.Th>
            <Table.Td>{from.seats.toLocaleString()}</Table.Td>
            <Table.Td>{to.seats.toLocaleString()}</Table.Td>
          </Table.Tr>
          {entitlements.map((entitlement) => (
            <Table.Tr key={entitlement.feature}>
              <Table.Th scope="row">{entitlement.feature}</Table.Th>
              <Table.Td>{entitlementInWords(entitlement.from)}</Table.Td>
              <Table.Td>{entitlementInWords(entitlement.to)}</Table.Td>
            </Table.Tr>
          ))}
          <EntityLimit limit={preview.entityLimit} />
        </Table.Tbody>
      </Table>
      <Table aria-label="What it costs" verticalSpacing={4}>
        <Table.Tbody>
          {money.map(([term, value]) => (
            <Table.Tr key={term}>
              <Table.Th scope="row" fw={400}>
                {term}
              </Table.Th>
              <Table.Td ta="right">
                <Money value={value} />
              </Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Th scope="row">Due now{preview.estimated && ', about'}</Table.Th>
            <Table.Td ta="right" fw={700}>
              <Money value={dueNow} />
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Text size="sm">
        Takes effect <Time at={effectiveAt} />.
        {preview.estimated && ' The payment provider computes the final amounts.'}
        {withdraws !== null && ` The change to ${withdraws.plan.slug} that is scheduled no longer happens.`}
        {preview.policyVersion !== null && ` Proration policy ${preview.policyVersion}.`}
      </Text>
      <List size="sm" type="ordered" aria-label="Steps">
        {steps.map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      {timeZone !== VIEWER_ZONE && (
        <Text size="xs" c="dimmed">
          Days in these steps are those of the subscription’s time zone, {timeZone}.
        </Text>
      )}
    </Stack>
  );
}

/** How many entities both plans allow, if that changes. An earlier version of the service omits it. */
function EntityLimit({ limit }: { limit: ChangePreview['entityLimit'] | undefined }) {
  if (limit === undefined || limit.from === limit.to) return null;
  return (
    <Table.Tr>
      <Table.Th scope="row">Entities</Table.Th>
      <Table.Td>{limitInWords(limit.from)}</Table.Td>
      <Table.Td>{limitInWords(limit.to)}</Table.Td>
    </Table.Tr>
  );
}

function limitInWords(limit: number | null): string {
  return limit === null ? 'any number' : `at most ${limit.toLocaleString()}`;
}
