import { Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Connection } from '../../api/resources';
import { isolate } from '../../ui/isolate';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { providerName } from '../../ui/providers';
import { ConnectionFacts } from './ConnectionFacts';
import { ConnectionTrouble } from './ConnectionTrouble';
import { ConnectionWizard } from './ConnectionWizard';
import { SwitchConnection } from './SwitchConnection';
import { TestConnection } from './TestConnection';
import { useConnectionRefusal } from './use-connection-refusal';

/** A connection: its account, stored secrets, webhook URL, and whether it works. */
export function ConnectionCard({ connection }: { connection: Connection }) {
  const { provider, displayName } = connection;
  const refusal = useConnectionRefusal();
  const [isEditing, { open, close }] = useDisclosure(false);
  return (
    <Panel title={`${isolate(displayName)} · ${providerName(provider)}`}>
      <Stack>
        <ConnectionTrouble connection={connection} />
        <ConnectionFacts connection={connection} />
        <Group align="flex-start" gap="xs">
          <ReasonedButton size="xs" variant="default" reason={refusal} onClick={open}>
            Edit
          </ReasonedButton>
          <SwitchConnection connection={connection} />
        </Group>
        <TestConnection connection={connection} />
      </Stack>
      {isEditing && <ConnectionWizard connection={connection} onClose={close} />}
    </Panel>
  );
}
