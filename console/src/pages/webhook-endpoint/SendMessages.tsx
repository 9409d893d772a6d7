import { Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { WebhookEndpoint } from '../../api/resources';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { useEndpointRefusal } from '../webhook-endpoints/use-endpoint-refusal';
import { DISABLED_REASON, ROLE_REASON } from './reasons';
import { ResendProgress } from './ResendProgress';
import { ResendSince } from './ResendSince';
import { SendTest } from './SendTest';
import { useDeliverySearch } from './use-delivery-search';
import { useSendRefusal } from './use-send-refusal';

/** Sends messages to an endpoint on request: a test, or missed messages. */
export function SendMessages({ endpoint }: { endpoint: WebhookEndpoint }) {
  const refusal = useSendRefusal(endpoint);
  const saidBy = useEndpointRefusal() === null ? DISABLED_REASON : ROLE_REASON;
  const { resend } = useDeliverySearch();
  const [isResending, { open, close }] = useDisclosure(false);
  return (
    <Panel title="Send">
      <Stack>
        <Group gap="xs" align="flex-start">
          <SendTest endpoint={endpoint} saidBy={saidBy} />
          <ReasonedButton size="xs" variant="default" reason={refusal} saidBy={saidBy} onClick={open}>
            Send again since a time
          </ReasonedButton>
        </Group>
        {refusal !== null && saidBy === DISABLED_REASON && (
          <Text id={DISABLED_REASON} size="xs" c="dimmed">
            {refusal}
          </Text>
        )}
        {resend !== undefined && <ResendProgress endpoint={endpoint} resendId={resend} />}
      </Stack>
      {isResending && <ResendSince endpoint={endpoint} onClose={close} />}
    </Panel>
  );
}
