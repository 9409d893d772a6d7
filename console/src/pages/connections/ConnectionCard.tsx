import { Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Connection } from '../../api/resources';
import { isolate } from '../../ui/isolate';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { providerName } from '../../ui/providers';
import { ConnectionFacts } from './ConnectionFacts';
import { ConnectionTrouble } from './ConnectionTrouble';
import { ConnectionWizard } from './ConnectionWizard';
import { SwitchConnection } from './SwitchConnection';
import { TestConnection } from './TestConnection';
import { useConnectionRefusal } from './use-connection-refusal';

interface ConnectionCardProps {
  connection: Connection;
  /** Whether to link to its own page. */
  hasLink?: boolean;
}

/** A connection: its account, stored secrets, webhook URL, and whether it works. */
export function ConnectionCard({ connection, hasLink = false }: ConnectionCardProps) {
  const { id, provider, displayName } = connection;
  const refusal = useConnectionRefusal();
  const [isEditing, { open, close }] = useDisclosure(false);
  return (
    <Panel
      title={`${isolate(displayName)} · ${providerName(provider)}`}
      actions={
        hasLink && (
          <WorkspaceLink size="sm" path={`/connections/${id}`}>
            Settings and drift
          </WorkspaceLink>
        )
      }
    >
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
