import type { CredentialReport } from '../../api/resources';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';

/** Figures of the latest run. */
export function LastMigration({ migration }: { migration: NonNullable<CredentialReport['migration']> }) {
  const { id, keyId, status, migrated, scrubbed, skipped, startedAt, updatedAt } = migration;
  return (
    <Facts
      facts={[
        ['Latest run', <Id key="id" value={id} />],
        ['State', <StatusBadge key="state" status={status} />],
        ['To the key', keyId],
        ['Connections changed', migrated.toLocaleString()],
        ['of them with secrets taken out of public settings', scrubbed.toLocaleString()],
        ['Left, because they do not open', skipped.toLocaleString()],
        ['Started', <Time key="started" at={startedAt} precision="second" />],
        ['Last progress', <Time key="updated" at={updatedAt} precision="second" />],
      ]}
    />
  );
}
