import { Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { WebhookEndpoint } from '../../api/resources';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { Time } from '../../ui/Time';
import { EndpointState } from '../webhook-endpoints/EndpointState';
import { TakenTypes } from '../webhook-endpoints/TakenTypes';
import { useEndpointRefusal } from '../webhook-endpoints/use-endpoint-refusal';
import { ROLE_REASON } from './reasons';
import { ChangeEndpoint } from './ChangeEndpoint';
import { SwitchEndpoint } from './SwitchEndpoint';

/** Details of an endpoint, and its actions. */
export function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const refusal = useEndpointRefusal();
  const [isChanging, { open, close }] = useDisclosure(false);
  return (
    <Panel title="Endpoint">
      <Stack>
        <Facts
          facts={[
            ['Id', <Id key="id" value={endpoint.id} />],
            ['State', <EndpointState key="state" endpoint={endpoint} />],
            ['Address', <Long key="address" text={endpoint.url} />],
            ['Description', <Long key="description" text={endpoint.description || '–'} />],
            ['Types', <TakenTypes key="types" types={endpoint.types} shown={endpoint.types?.length ?? 0} />],
            ['Created', <Time key="created" at={endpoint.createdAt} />],
            ['Changed', <Time key="changed" at={endpoint.updatedAt} />],
          ]}
        />
        <Group gap="xs" align="flex-start">
          <ReasonedButton size="xs" variant="default" reason={refusal} saidBy={ROLE_REASON} onClick={open}>
            Change
          </ReasonedButton>
          <SwitchEndpoint endpoint={endpoint} />
        </Group>
      </Stack>
      {isChanging && <ChangeEndpoint endpoint={endpoint} onClose={close} />}
    </Panel>
  );
}

/** Shortens an address, which may have two thousand characters. The form shows it in full. */
function Long({ text }: { text: string }) {
  return (
    <Text component="bdi" inherit lineClamp={5} title={text}>
      {text}
    </Text>
  );
}
