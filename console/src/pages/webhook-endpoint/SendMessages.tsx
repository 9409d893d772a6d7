import { Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { WebhookEndpoint } from '../../api/resources';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { ResendProgress } from './ResendProgress';
import { ResendSince } from './ResendSince';
import { SendTest } from './SendTest';
import { useDeliverySearch } from './use-delivery-search';
import { useSendRefusal } from './use-send-refusal';

/** What an operator has sent to an endpoint: a test, or what was missed. */
export function SendMessages({ endpoint }: { endpoint: WebhookEndpoint }) {
  const refusal = useSendRefusal(endpoint);
  const { resend } = useDeliverySearch();
  const [isResending, { open, close }] = useDisclosure(false);
  return (
    <Panel title="Send">
      <Stack>
        <Group gap="xs" align="flex-start">
          <SendTest endpoint={endpoint} />
          <ReasonedButton size="xs" variant="default" reason={refusal} onClick={open}>
            Send again since a time
          </ReasonedButton>
        </Group>
        {resend !== undefined && <ResendProgress endpoint={endpoint} resendId={resend} />}
      </Stack>
      {isResending && <ResendSince endpoint={endpoint} onClose={close} />}
    </Panel>
  );
}
