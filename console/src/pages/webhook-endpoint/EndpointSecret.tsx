import { Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { WebhookEndpoint } from '../../api/resources';
import { Facts } from '../../ui/Facts';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { Time } from '../../ui/Time';
import { useEndpointRefusal } from '../webhook-endpoints/use-endpoint-refusal';
import { ROLE_REASON } from './reasons';
import { RollSecret } from './RollSecret';

/** The signing secret of an endpoint, which can be replaced. */
export function EndpointSecret({ endpoint }: { endpoint: WebhookEndpoint }) {
  const refusal = useEndpointRefusal();
  const [isRolling, { open, close }] = useDisclosure(false);
  const { secretLastFour, previousSecretUntil } = endpoint;
  return (
    <Panel title="Signing secret">
      <Stack>
        <Facts
          facts={[
            ['Secret', <Text key="secret" span inherit ff="monospace">{`whsec_…${secretLastFour}`}</Text>],
            previousSecretUntil !== null && [
              'Earlier secrets',
              <span key="before">
                sign too until <Time at={previousSecretUntil} />
              </span>,
            ],
          ]}
        />
        <ReasonedButton size="xs" variant="default" reason={refusal} saidBy={ROLE_REASON} onClick={open}>
          Roll the secret
        </ReasonedButton>
      </Stack>
      {isRolling && <RollSecret endpoint={endpoint} onClose={close} />}
    </Panel>
  );
}
