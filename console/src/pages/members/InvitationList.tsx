import { Table, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../api/schema';
import { EmptyState } from '../../ui/EmptyState';
import { RowButton } from '../../ui/RowButton';
import { Time } from '../../ui/Time';
import { WindowedRows } from '../../ui/WindowedRows';

export type Invitation = components['schemas']['Invitation'];

interface InvitationListProps {
  invitations: Invitation[];
  mayRevoke: (invitation: Invitation) => boolean;
  /** Ids of those that are being revoked. */
  revoking: string[];
  onRevoke: (id: string) => void;
}

/** Up to this number of invitations the list is rendered completely, and needs no search. */
const WHOLE = 50;

/** Open invitations. */
export function InvitationList({ invitations, mayRevoke, revoking, onRevoke }: InvitationListProps) {
  const [search, setSearch] = useState('');
  const isWhole = invitations.length <= WHOLE;
  const found = isWhole
    ? invitations
    : invitations.filter(({ email }) => email.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <>
      {!isWhole && (
        <TextInput
          aria-label="Search invitations"
          placeholder="Email"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          maw={360}
        />
      )}
      {found.length === 0 ? (
        <EmptyState title="Nobody is found">The search finds parts of email addresses.</EmptyState>
      ) : (
        <Table.ScrollContainer minWidth={480}>
          <Table
            aria-label="Invitations"
            aria-rowcount={found.length + 1}
            // Automatic widths would change as rows come into view.
            {...(!isWhole && { layout: 'fixed', style: { overflowWrap: 'anywhere' } })}
          >
            <Table.Thead>
              <Table.Tr aria-rowindex={1}>
                <Table.Th>Email</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th>Ends</Table.Th>
                <Table.Th>Actions</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <WindowedRows items={found} keyOf={({ id }) => id} rowPx={45} isWhole={isWhole}>
              {(invitation) => (
                <>
                  <Table.Td>{invitation.email}</Table.Td>
                  <Table.Td>{invitation.role}</Table.Td>
                  <Table.Td>
                    <Time at={invitation.expiresAt} />
                  </Table.Td>
                  <Table.Td>
                    {mayRevoke(invitation) && (
                      <RowButton
                        about={`the invitation of ${invitation.email}`}
                        isBusy={revoking.includes(invitation.id)}
                        onClick={() => onRevoke(invitation.id)}
                      >
                        Revoke
                      </RowButton>
                    )}
                  </Table.Td>
                </>
              )}
            </WindowedRows>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}
