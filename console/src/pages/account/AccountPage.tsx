import { Anchor, Container, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../api/session';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { Panel } from '../../ui/Panel';
import { ChangePassword } from './ChangePassword';
import { Sessions } from './Sessions';

/** The operator's own account: who they are, their password, and where they are signed in. */
export function AccountPage() {
  const { operator, organizations } = useSession();
  return (
    <Container component="main" size="md" py="xl">
      <title>Account · Tollgate</title>
      <Stack>
        {organizations.length > 0 && (
          <Anchor component={Link} to="/" size="sm">
            Back to the console
          </Anchor>
        )}
        <Title order={1} size="h2">
          Account
        </Title>
        <Panel title="You">
          <Facts
            facts={[
              ['Name', <bdi key="name">{operator.name}</bdi>],
              ['Email', operator.email],
              ['Id', <Id key="id" value={operator.id} />],
              [
                'Organizations',
                organizations.length === 0
                  ? 'None yet: ask an admin of yours for an invitation.'
                  : organizations.map(({ name, role }) => `${name} (${role})`).join(', '),
              ],
            ]}
          />
          {operator.isPlatformAdministrator && <Text size="sm">You are a platform administrator.</Text>}
        </Panel>
        <ChangePassword />
        <Sessions />
      </Stack>
    </Container>
  );
}
