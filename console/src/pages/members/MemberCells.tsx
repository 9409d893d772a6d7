import { Group, Select, Table, Text } from '@mantine/core';
import { memo } from 'react';
import type { Member, Role } from '../../api/resources';
import { useSession } from '../../api/session';
import { useGivenRoles, useRefusal } from '../../app/roles';
import { RowButton } from '../../ui/RowButton';
import { Time } from '../../ui/Time';

/** A dialog about a member, as they were when it was opened: it stays open when the list changes. */
export type OpenedDialog =
  | { member: Member; dialog: 'remove' | 'reset' }
  | { member: Member; dialog: 'role'; role: Role };

interface MemberCellsProps {
  member: Member;
  /** Without an owner, the role could never be granted again. */
  isOnlyOwner: boolean;
  /** The role that is being granted; undefined if none. */
  nextRole: Role | undefined;
  onRole: (change: { operatorId: string; role: Role }) => void;
  onOpen: (opened: OpenedDialog) => void;
}

/** The cells of a member's row. A selection field is slow to render, so they are rendered again only if they change. */
export const MemberCells = memo(function MemberCells(props: MemberCellsProps) {
  const { member, isOnlyOwner, nextRole, onRole, onOpen } = props;
  const { operator } = useSession();
  const refusal = useRefusal('admin');
  const notOwner = useRefusal('owner');
  const roles = useGivenRoles();
  const isSelf = member.id === operator.id;
  // Only owners may change owners.
  const mayChange = refusal === null && (member.role !== 'owner' || notOwner === null);
  return (
    <>
      <Table.Td>
        <bdi>{member.name}</bdi>
        {isSelf && (
          <Text span size="xs" c="dimmed">
            {' '}
            you
          </Text>
        )}
      </Table.Td>
      <Table.Td>{member.email}</Table.Td>
      <Table.Td>
        {mayChange && !isOnlyOwner ? (
          <Select
            size="xs"
            w={130}
            aria-label={`Role of ${member.email}`}
            allowDeselect={false}
            data={roles}
            // Kept focusable while it is answered, but not open for another choice.
            readOnly={nextRole !== undefined}
            aria-busy={nextRole !== undefined}
            value={nextRole ?? member.role}
            onChange={(role) => {
              const chosen = roles.find((known) => known === role);
              if (chosen === undefined || chosen === member.role) return;
              // One's own role is confirmed first: only others can give the rights back.
              if (isSelf) onOpen({ member, dialog: 'role', role: chosen });
              else onRole({ operatorId: member.id, role: chosen });
            }}
          />
        ) : (
          member.role
        )}
      </Table.Td>
      {refusal === null && <Table.Td>{member.hasSecondFactor === true ? 'set up' : 'none'}</Table.Td>}
      <Table.Td>
        <Time at={member.joinedAt} precision="day" />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          {isOnlyOwner ? (
            <Text size="xs" c="dimmed">
              the only owner
            </Text>
          ) : (
            (isSelf || mayChange) && (
              <RowButton
                about={isSelf ? 'the organization' : member.email}
                onClick={() => onOpen({ member, dialog: 'remove' })}
              >
                {isSelf ? 'Leave' : 'Remove'}
              </RowButton>
            )
          )}
          {notOwner === null && !isSelf && (
            <RowButton about={member.email} onClick={() => onOpen({ member, dialog: 'reset' })}>
              Reset
            </RowButton>
          )}
        </Group>
      </Table.Td>
    </>
  );
});
