import { Stack, Text } from '@mantine/core';
import type { ChangedConnection } from '../../api/resources';
import { PlanPrices } from './PlanPrices';
import { TestConnection } from './TestConnection';

/** Tests the stored connection. Differing prices are shown at once. */
export function TestStep({ saved }: { saved: ChangedConnection }) {
  return (
    <Stack>
      <Text size="sm">
        The connection is stored. The test asks the provider, and changes nothing there. The webhook check
        fails until the webhook URL of the next step is registered.
      </Text>
      <TestConnection connection={saved} before={<PlanPrices prices={saved.planPrices} />} />
    </Stack>
  );
}
