import { Button, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { CreateOrganization } from './CreateOrganization';
import { useWorkspace } from './workspace';

/** Shows the current organization, and switches to others. */
export function OrganizationPicker() {
  const { organizations, operator } = useSession();
  const [isCreating, { open, close }] = useDisclosure(false);
  const { organization, env } = useWorkspace();
  const navigate = useNavigate();
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="default"
            size="sm"
            maw={{ base: 84, sm: 220 }}
            px="xs"
            rightSection={<span aria-hidden>▾</span>}
          >
            <Text size="sm" fw={600} truncate dir="auto">
              {organization.name}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="calc(100dvh - 72px)" style={{ overflowY: 'auto' }}>
          <Menu.Label>Organizations</Menu.Label>
          {organizations.map(({ id, slug, name, role }) => (
            <Menu.Item
              key={id}
              aria-current={id === organization.id}
              onClick={() =>
                void navigate({
                  to: '/o/$organization/$environment',
                  params: { organization: slug, environment: env },
                })
              }
            >
              <Text size="sm" fw={id === organization.id ? 700 : 400}>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {slug}, you are {role}
              </Text>
            </Menu.Item>
          ))}
          {operator.isPlatformAdministrator && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={open}>New organization</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isCreating && <CreateOrganization onClose={close} />}
    </>
  );
}
