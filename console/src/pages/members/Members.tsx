import { Group, Select, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Member, Role } from '../../api/resources';
import { useSession } from '../../api/session';
import { useGivenRoles, useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { Time } from '../../ui/Time';
import { RemoveMember } from './RemoveMember';
import { ResetMember } from './ResetMember';

/** The members with their roles. */
export function Members() {
  const { organizationId } = useWorkspace();
  const { operator } = useSession();
  const queries = useQueryClient();
  const refusal = useRefusal('admin');
  const notOwner = useRefusal('owner');
  const roles = useGivenRoles();
  const path = { id: organizationId };
  const members = useQuery({
    queryKey: ['members', organizationId],
    queryFn: () => bodyOf(api.GET('/api/organizations/{id}/members', { params: { path } })),
  });
  const change = useMutation({
    mutationFn: ({ operatorId, role }: { operatorId: string; role: Role }) =>
      bodyOf(
        api.PATCH('/api/organizations/{id}/members/{operatorId}', {
          params: { path: { ...path, operatorId } },
          body: { role },
        }),
      ),
    // The operator's own role decides what the pages offer.
    onSettled: () =>
      Promise.all([['members'], ['session']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  // Without an owner, the role could never be granted again.
  const owners = members.data?.data.filter(({ role }) => role === 'owner') ?? [];
  const isOnlyOwner = ({ role }: Member) => role === 'owner' && owners.length === 1;
  /** Only owners may change owners. */
  const mayChange = ({ role }: Member) => refusal === null && (role !== 'owner' || notOwner === null);
  return (
    <Panel title="Members">
      {members.isError && <ProblemPanel error={members.error} />}
      {change.isError && <ProblemPanel error={change.error} />}
      <Table.ScrollContainer minWidth={680}>
        <Table aria-label="Members">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Email</Table.Th>
              <Table.Th>Role</Table.Th>
              {refusal === null && <Table.Th>Second factor</Table.Th>}
              <Table.Th>Joined</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {members.data?.data.map((member) => (
              <Table.Tr key={member.id}>
                <Table.Td>
                  <bdi>{member.name}</bdi>
                  {member.id === operator.id && (
                    <Text span size="xs" c="dimmed">
                      {' '}
                      you
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{member.email}</Table.Td>
                <Table.Td>
                  {mayChange(member) && !isOnlyOwner(member) ? (
                    <Select
                      size="xs"
                      w={130}
                      aria-label={`Role of ${member.email}`}
                      allowDeselect={false}
                      data={roles}
                      value={member.role}
                      onChange={(role) => {
                        const chosen = roles.find((known) => known === role);
                        if (chosen !== undefined) change.mutate({ operatorId: member.id, role: chosen });
                      }}
                    />
                  ) : (
                    member.role
                  )}
                </Table.Td>
                {refusal === null && (
                  <Table.Td>{member.hasSecondFactor === true ? 'set up' : 'none'}</Table.Td>
                )}
                <Table.Td>
                  <Time at={member.joinedAt} precision="day" />
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap">
                    {isOnlyOwner(member) ? (
                      <Text size="xs" c="dimmed">
                        the only owner
                      </Text>
                    ) : (
                      (member.id === operator.id || mayChange(member)) && (
                        <RemoveMember member={member} isSelf={member.id === operator.id} />
                      )
                    )}
                    {notOwner === null && member.id !== operator.id && <ResetMember member={member} />}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}
