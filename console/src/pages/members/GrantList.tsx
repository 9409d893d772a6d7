import { List, Stack, Text } from '@mantine/core';
import type { AccessGrant } from '../../api/resources';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { adviceOn, KINDS, madeInWords, pathOf } from './access-review';

interface GrantListProps {
  label: string;
  grants: AccessGrant[];
  /** Called when a link is followed, which may lead to the same page. */
  onFollow?: () => void;
}

/** What somebody made that keeps working: each entry with who made it, what to do, and a link to where. */
export function GrantList({ label, grants, onFollow }: GrantListProps) {
  return (
    <List aria-label={label} listStyleType="none" spacing="md" size="sm">
      {grants.map((grant) => (
        // Two people may have made parts of one endpoint or connection.
        <List.Item key={`${grant.id} ${grant.madeBy}`} styles={{ itemWrapper: { width: '100%' } }}>
          <Stack gap={2}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {KINDS[grant.kind]}{' '}
              <WorkspaceLink path={pathOf(grant)} env={grant.environment} onClick={onFollow}>
                <bdi>{grant.name}</bdi>
              </WorkspaceLink>
              {grant.environment !== null && `, ${grant.environment}`}
            </Text>
            <Text size="xs" c="dimmed">
              {madeInWords(grant)} by <bdi>{grant.madeByName}</bdi>
              {grant.kind === 'member' ? '; joined ' : ', '}
              <Time at={grant.madeAt} precision="day" />
              {grant.kind === 'api_key' &&
                (grant.lastUsedAt === null ? (
                  '; never used'
                ) : (
                  <>
                    ; last used <Time at={grant.lastUsedAt} />
                  </>
                ))}
            </Text>
            <Text size="sm">{adviceOn(grant)}</Text>
          </Stack>
        </List.Item>
      ))}
    </List>
  );
}
