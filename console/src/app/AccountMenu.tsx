import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client';
import { problemOf } from '../api/problem';
import { sessionQuery, useSession } from '../api/session';
import { stopAsking } from '../api/session-end';
import { LeaveQuestion } from './LeaveQuestion';
import { lossByLeaving } from './open-forms';
import { announceSession } from './other-pages';
import { ApiText } from '../ui/ApiText';

/** Menu of the signed-in operator: their account, and signing out. */
export function AccountMenu() {
  const { operator } = useSession();
  const queries = useQueryClient();
  const { toggleColorScheme } = useMantineColorScheme();
  const [isAsking, { open: ask, close: stay }] = useDisclosure(false);
  const signOut = async () => {
    try {
      await api.POST('/api/auth/logout');
    } catch (error) {
      // If the session has ended already, the goal is reached.
      const { code, detail, fix } = problemOf(error);
      if (code !== 'session_required') {
        notifications.show({
          color: 'red',
          title: 'You are still signed in',
          message: <ApiText text={`${detail} ${fix}`} />,
        });
        return;
      }
    }
    announceSession();
    stopAsking();
    queries.setQueryData(sessionQuery.queryKey, null);
    // Clears all data of this operator before another one signs in.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    queries.getMutationCache().clear();
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Account of ${operator.name}`}>
            <span aria-hidden>{initialOf(operator.name)}</span>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" truncate maw={260} dir="auto" ta="left">
              {operator.name}
            </Text>
            <Text size="xs" truncate maw={260}>
              {operator.email}
            </Text>
          </Menu.Label>
          <Menu.Item component={Link} to="/account">
            Account and sessions
          </Menu.Item>
          {operator.isPlatformAdministrator && (
            <>
              <Menu.Item component={Link} to="/platform/credentials">
                Credential keys
              </Menu.Item>
              <Menu.Item component={Link} to="/platform/audit">
                Platform audit
              </Menu.Item>
            </>
          )}
          <Menu.Item component="a" href="/docs">
            API reference
          </Menu.Item>
          <Menu.Item onClick={toggleColorScheme}>Light or dark</Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => (lossByLeaving() !== null ? ask() : void signOut())}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAsking && (
        <LeaveQuestion
          leave="Sign out"
          onLeave={() => {
            stay();
            void signOut();
          }}
          onStay={stay}
        />
      )}
    </>
  );
}

/** Returns the first character of a name as a reader sees it, which may be of several code points. */
function initialOf(name: string): string {
  return new Intl.Segmenter().segment(name.trim()).containing(0)?.segment.toUpperCase() ?? '?';
}
