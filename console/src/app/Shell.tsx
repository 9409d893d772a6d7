import { ActionIcon, AppShell, Burger, Group, Text, Tooltip, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forgetRequests } from '../api/recent-requests';
import { AccountMenu } from './AccountMenu';
import { EnvironmentSwitch } from './EnvironmentSwitch';
import { Navigation } from './Navigation';
import { OrganizationPicker } from './OrganizationPicker';
import { Search } from './Search';
import classes from './Shell.module.css';
import { useWorkspace } from './workspace';

/** Frame of every page of a workspace: the current place and the navigation. */
export function Shell() {
  const { env } = useWorkspace();
  const { pathname } = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  useEffect(() => {
    close();
    forgetRequests();
  }, [pathname, close]);
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding="lg"
    >
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header data-environment={env} className={classes.header}>
        <Group h="100%" px={{ base: 'xs', sm: 'md' }} wrap="nowrap" justify="space-between" gap="xs">
          <Group wrap="nowrap" gap="xs" className={classes.place}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label="Navigation" />
            <Text fw={700} visibleFrom="sm">
              Tollgate
            </Text>
            <OrganizationPicker />
            <EnvironmentSwitch />
          </Group>
          <Group wrap="nowrap" gap={4}>
            <Search />
            <ThemeToggle />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function ThemeToggle() {
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <Tooltip label="Light or dark" withArrow>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        visibleFrom="sm"
        aria-label="Light or dark"
        onClick={toggleColorScheme}
      >
        <span aria-hidden>◐</span>
      </ActionIcon>
    </Tooltip>
  );
}
