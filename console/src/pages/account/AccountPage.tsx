import { Alert, Anchor, Button, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { mustEnrol, useSession } from '../../api/session';
import { CreateOrganization } from '../../app/CreateOrganization';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { isolate } from '../../ui/isolate';
import { Panel } from '../../ui/Panel';
import { StandalonePage } from '../../ui/StandalonePage';
import { ChangePassword } from './ChangePassword';
import { SecondFactor } from './SecondFactor';
import { Sessions } from './Sessions';

/** The operator's own account: profile, password and sessions. */
export function AccountPage() {
  const session = useSession();
  const { operator, organizations } = session;
  const waiting = organizations.filter((organization) => mustEnrol(session, organization));
  return (
    <StandalonePage
      title="Account"
      size="md"
      links={
        organizations.some((organization) => !mustEnrol(session, organization)) && (
          <Anchor component={Link} to="/" size="sm">
            Back to the console
          </Anchor>
        )
      }
    >
      <Title order={1} size="h2">
        Account
      </Title>
      {waiting.length > 0 && (
        <Alert color="yellow" variant="light" title="Set up a second factor to continue">
          {waiting.map(({ name }) => isolate(name)).join(', ')}{' '}
          {waiting.length === 1 ? 'requires' : 'require'} a second factor of all members. Until you have one,
          you can only set it up here.
        </Alert>
      )}
      <Panel title="You">
        <Facts
          facts={[
            ['Name', <bdi key="name">{operator.name}</bdi>],
            ['Email', operator.email],
            ['Id', <Id key="id" value={operator.id} />],
            [
              'Organizations',
              organizations.length === 0
                ? `None yet: ${operator.isPlatformAdministrator ? 'create one, or ' : ''}ask an admin for an invitation.`
                : organizations.map(({ name, role }) => `${isolate(name)} (${role})`).join(', '),
            ],
          ]}
        />
        {operator.isPlatformAdministrator && <PlatformAdministrator />}
      </Panel>
      <SecondFactor />
      <ChangePassword />
      <Sessions />
    </StandalonePage>
  );
}

/** Makes an organization: who is in none cannot reach the menu that offers it. */
function PlatformAdministrator() {
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm">You are a platform administrator.</Text>
      <Button size="xs" variant="default" onClick={open}>
        New organization
      </Button>
      {isCreating && <CreateOrganization onClose={close} />}
    </Group>
  );
}
