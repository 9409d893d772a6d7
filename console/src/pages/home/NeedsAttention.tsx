import { List, Text } from '@mantine/core';
import type { Overview } from '../../api/resources';
import { Panel } from '../../ui/Panel';
import { Time } from '../../ui/Time';
import { ATTENTION_LINES, MAX_COUNTED } from './attention-lines';
import { WorkspaceLink } from '../../ui/WorkspaceLink';

/** What needs a person's attention now, each with a link to the page where it is resolved. */
export function NeedsAttention({ attention }: { attention: Overview['attention'] }) {
  const found = ATTENTION_LINES.filter(({ of }) => attention[of] > 0);
  return (
    <Panel title="Needs a person">
      {found.length === 0 && (
        <Text size="sm">
          Nothing: no webhook has failed, nothing is past due, and nothing waits at a provider.
        </Text>
      )}
      <List spacing="xs" size="sm">
        {found.map(({ of, one, many, path, pathOfOne = () => path }) => {
          const count = attention[of];
          return (
            <List.Item key={of}>
              <WorkspaceLink path={count === 1 ? pathOfOne(attention) : path}>
                {count === MAX_COUNTED ? `${MAX_COUNTED} or more` : count} {count === 1 ? one : many}
              </WorkspaceLink>
              {of === 'approvals' && attention.nextApprovalExpiry !== null && (
                <Text span size="sm" c="dimmed">
                  {' '}
                  (the first runs out <Time at={attention.nextApprovalExpiry} />)
                </Text>
              )}
            </List.Item>
          );
        })}
      </List>
    </Panel>
  );
}
