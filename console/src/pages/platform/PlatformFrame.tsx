import { Anchor, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ShowAsCurl } from '../../ui/ShowAsCurl';
import { StandalonePage } from '../../ui/StandalonePage';

interface PlatformFrameProps {
  title: string;
  /** One sentence on the purpose of the page. */
  about: string;
  children: ReactNode;
}

/** Frame of a page of the installation, which belongs to no organization. */
export function PlatformFrame({ title, about, children }: PlatformFrameProps) {
  return (
    <StandalonePage title={title} size="xl" links={<PlatformLinks />}>
      <Group justify="space-between" align="flex-start">
        <Title order={1} size="h2">
          {title}
        </Title>
        <ShowAsCurl />
      </Group>
      <Text size="sm" c="dimmed" maw={720}>
        {about}
      </Text>
      {children}
    </StandalonePage>
  );
}

function PlatformLinks() {
  return (
    <Group component="nav" aria-label="Platform" gap="md">
      <Anchor component={Link} to="/" size="sm">
        Back to the console
      </Anchor>
      <Anchor component={Link} to="/platform/credentials" size="sm">
        Credential keys
      </Anchor>
      <Anchor component={Link} to="/platform/audit" size="sm">
        Platform audit
      </Anchor>
    </Group>
  );
}
