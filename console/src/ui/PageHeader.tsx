import { Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useWorkspace } from '../app/workspace';
import { ShowAsCurl } from './ShowAsCurl';
import { useFocusOnPage } from './use-focus-on-page';
import { WorkspaceLink } from './WorkspaceLink';

interface PageHeaderProps {
  title: string;
  /** One sentence on the purpose of this page. */
  about?: ReactNode;
  /** The parent page. */
  above?: { title: string; path: string };
  actions?: ReactNode;
}

/** Header of every page of a workspace. */
export function PageHeader({ title, about, above, actions }: PageHeaderProps) {
  const { organization, env } = useWorkspace();
  useFocusOnPage();
  useEffect(() => {
    document.title = `${title} · ${organization.name} ${env} · Tollgate`;
  }, [title, organization.name, env]);
  return (
    <Stack gap={4} mb="lg">
      {/* In a narrow window the header has no room for it. */}
      <Text size="xs" c="dimmed" hiddenFrom="sm" truncate dir="auto" ta="left">
        {organization.name}
      </Text>
      {above !== undefined && (
        <Breadcrumbs>
          <WorkspaceLink size="sm" path={above.path}>
            {above.title}
          </WorkspaceLink>
          <Text size="sm" c="dimmed" lh={1.5} truncate maw="60vw">
            {title}
          </Text>
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Title order={1} size="h2" lineClamp={3} title={title} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        <Group gap="xs" align="flex-start">
          {actions}
          <ShowAsCurl />
        </Group>
      </Group>
      {about !== undefined && (
        <Text c="dimmed" size="sm" maw={720}>
          {about}
        </Text>
      )}
    </Stack>
  );
}
