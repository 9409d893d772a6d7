import { Table } from '@mantine/core';
import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import type { Member, Role } from '../../api/resources';
import { useSession } from '../../api/session';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { WindowedRows } from '../../ui/WindowedRows';
import { WordFilter } from '../../ui/WordFilter';
import { ChangeOwnRole } from './ChangeOwnRole';
import { MemberCells, type OpenedDialog } from './MemberCells';
import { RemoveMember } from './RemoveMember';
import { ResetMember } from './ResetMember';
import { Loading } from '../../ui/Loading';

interface RoleChange {
  operatorId: string;
  role: Role;
}

/** Up to this number of members the list is rendered completely. */
const WHOLE = 50;

/** Widths of columns that are not rendered completely: automatic ones would change as rows come into view. */
const WIDTHS = { name: 160, role: 150, secondFactor: 110, joined: 120, actions: 190 };

/** The members with their roles. */
export function Members() {
  const { organizationId } = useWorkspace();
  const { operator } = useSession();
  const { search = '' } = useSearch({ from: '/signed-in/o/$organization/$environment/members' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const refusal = useRefusal('admin');
  const [opened, setOpened] = useState<OpenedDialog>();
  const close = () => setOpened(undefined);
  const path = { id: organizationId };
  const changeRole = ['change role', organizationId];
  const members = useQuery({
    queryKey: ['members', organizationId],
    queryFn: () => bodyOf(api.GET('/api/organizations/{id}/members', { params: { path } })),
  });
  const change = useMutation({
    mutationKey: changeRole,
    mutationFn: ({ operatorId, role }: RoleChange) =>
      bodyOf(
        api.PATCH('/api/organizations/{id}/members/{operatorId}', {
          params: { path: { ...path, operatorId } },
          body: { role },
        }),
      ),
    // The operator's own role decides what the pages offer.
    onSettled: () => invalidate(queries, [['members'], ['session']]),
  });
  const changing = useMutationState({
    filters: { mutationKey: changeRole, status: 'pending' },
    select: ({ state }) => state.variables as RoleChange,
  });
  const all = members.data?.data ?? [];
  const found = all.filter((member) => isFound(member, search));
  const isWhole = all.length <= WHOLE;
  const widths: Partial<typeof WIDTHS> = isWhole ? {} : WIDTHS;
  const owners = all.filter(({ role }) => role === 'owner');
  return (
    <Panel title="Members">
      {members.isError && <ProblemPanel error={members.error} retry={() => void members.refetch()} />}
      {change.isError && <ProblemPanel error={change.error} />}
      <WordFilter
        aria-label="Search members"
        placeholder="Name or email"
        word={search}
        onFind={(word) => {
          // A typed invitation is kept.
          const ignoreBlocker = true;
          void navigate({
            to: '.',
            search: word === '' ? {} : { search: word },
            replace: true,
            ignoreBlocker,
          });
        }}
        maw={360}
        mb="sm"
      />
      {members.isPending && <Loading label="Loading members" size="sm" />}
      {all.length > 0 && found.length === 0 ? (
        <EmptyState title="Nobody is found">The search finds parts of names and email addresses.</EmptyState>
      ) : (
        members.data !== undefined && (
          <Table.ScrollContainer minWidth={isWhole ? 680 : 900}>
            <Table
              aria-label="Members"
              aria-rowcount={found.length + 1}
              {...(!isWhole && { layout: 'fixed', style: { overflowWrap: 'anywhere' } })}
            >
              <Table.Thead>
                <Table.Tr aria-rowindex={1}>
                  <Table.Th w={widths.name}>Name</Table.Th>
                  <Table.Th>Email</Table.Th>
                  <Table.Th w={widths.role}>Role</Table.Th>
                  {refusal === null && <Table.Th w={widths.secondFactor}>Second factor</Table.Th>}
                  <Table.Th w={widths.joined}>Joined</Table.Th>
                  <Table.Th w={widths.actions}>Actions</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <WindowedRows items={found} keyOf={({ id }) => id} rowPx={45} isWhole={isWhole}>
                {(member) => (
                  <MemberCells
                    member={member}
                    isOnlyOwner={member.role === 'owner' && owners.length === 1}
                    nextRole={changing.find(({ operatorId }) => operatorId === member.id)?.role}
                    onRole={change.mutate}
                    onOpen={setOpened}
                  />
                )}
              </WindowedRows>
            </Table>
          </Table.ScrollContainer>
        )
      )}
      {opened?.dialog === 'remove' && (
        <RemoveMember member={opened.member} isSelf={opened.member.id === operator.id} onClose={close} />
      )}
      {opened?.dialog === 'role' && <ChangeOwnRole {...opened} onClose={close} />}
      {opened?.dialog === 'reset' && <ResetMember member={opened.member} onClose={close} />}
    </Panel>
  );
}

function isFound({ name, email }: Member, search: string): boolean {
  return [name, email].some((text) => text.toLowerCase().includes(search.toLowerCase()));
}
