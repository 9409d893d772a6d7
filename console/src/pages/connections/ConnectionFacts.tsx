import { Code } from '@mantine/core';
import type { Connection } from '../../api/resources';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { Time } from '../../ui/Time';
import { LastTest } from './LastTest';
import { PROVIDER_FIELDS } from './provider-fields';

/** Details of a connection. Of its secrets, only that they are stored. */
export function ConnectionFacts({ connection }: { connection: Connection }) {
  const { id, provider, apiMode, secrets, webhookUrl, disabledAt, updatedAt } = connection;
  const labels = new Map(PROVIDER_FIELDS[provider].secrets.map(({ name, label }) => [name, label]));
  return (
    <Facts
      facts={[
        ['Id', <Id key="id" value={id} />],
        [
          'State',
          disabledAt === null ? (
            `in use, ${apiMode}`
          ) : (
            <span key="state">
              disabled <Time at={disabledAt} />
            </span>
          ),
        ],
        ['Last test', <LastTest key="test" connection={connection} />],
        ...Object.entries(secrets)
          // Accepted from older configurations, but not used.
          .filter(([name, masked]) => labels.has(name) || masked !== null)
          .map(([name, masked]): [string, React.ReactNode] => [
            labels.get(name) ?? name,
            masked === null ? 'not stored' : <Code key={name}>{masked}</Code>,
          ]),
        ['Webhook URL', <Id key="webhook" value={webhookUrl} />],
        ['Changed', <Time key="changed" at={updatedAt} />],
      ]}
    />
  );
}
