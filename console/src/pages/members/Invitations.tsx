import { Alert, Button, Code, CopyButton, Group, Select, Stack, Table, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { usePendingIds } from '../../api/use-pending-ids';
import { useTypedForm } from '../../app/open-forms';
import { useGivenRoles, useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import type { Role } from '../../api/resources';
import { fieldErrors } from '../../ui/field-errors';
import { FormFields } from '../../ui/FormFields';
import { Panel } from '../../ui/Panel';
import { Form } from '../../ui/Form';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { showSaved } from '../../ui/show-saved';
import { Time } from '../../ui/Time';

const REVOKE = ['revoke invitation'];
const EMPTY = { email: '', role: 'developer' as Role };

/** Invites a person by a link that is shown once, and lists the open invitations. */
export function Invitations() {
  const { organizationId } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useRefusal('admin');
  const roles = useGivenRoles();
  const path = { id: organizationId };
  const invitations = useQuery({
    queryKey: ['invitations', organizationId],
    queryFn: () => bodyOf(api.GET('/api/organizations/{id}/invitations', { params: { path } })),
    enabled: refusal === null,
  });
  const form = useForm({ initialValues: EMPTY });
  useTypedForm(form.isDirty());
  const invite = useMutation({
    mutationFn: (body: typeof form.values) =>
      bodyOf(api.POST('/api/organizations/{id}/members', { params: { path }, body })),
    onSuccess: async (_, sent) => {
      showSaved(form, sent, EMPTY);
      await queries.invalidateQueries({ queryKey: ['invitations'] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
    gcTime: 0,
  });
  const revoke = useMutation({
    mutationKey: REVOKE,
    mutationFn: (invitationId: string) =>
      api.DELETE('/api/organizations/{id}/invitations/{invitationId}', {
        params: { path: { ...path, invitationId } },
      }),
    onSuccess: (_, invitationId) => {
      // Its link no longer works.
      if (invite.data?.invitation.id === invitationId) invite.reset();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  });
  const revoking = usePendingIds(REVOKE);
  return (
    <Panel title="Invitations">
      <Stack>
        <Form
          form={form}
          onSubmit={(values) => {
            if (refusal === null) invite.mutate(values);
          }}
          refused={invite.error}
          isCheckedByBrowser
        >
          <Group align="flex-end" gap="sm">
            <FormFields refusal={refusal}>
              <Group align="flex-end" gap="sm">
                <TextInput label="Email address" type="email" required {...form.getInputProps('email')} />
                <Select
                  label="Role"
                  allowDeselect={false}
                  data={roles}
                  w={140}
                  {...form.getInputProps('role')}
                />
              </Group>
            </FormFields>
            <ReasonedButton type="submit" reason={refusal} loading={invite.isPending}>
              Invite
            </ReasonedButton>
          </Group>
        </Form>
        {invite.isError && <ProblemPanel error={invite.error} />}
        {revoke.isError && <ProblemPanel error={revoke.error} />}
        {invite.data !== undefined && (
          <Alert
            color="yellow"
            variant="light"
            title={`Pass this link on to ${invite.data.invitation.email}: it is shown once`}
          >
            <Group gap="sm">
              <Code>{invite.data.link}</Code>
              <CopyButton value={invite.data.link}>
                {({ copied, copy }) => (
                  <Button size="compact-sm" variant="default" onClick={copy}>
                    {copied ? 'Copied' : 'Copy'}
                  </Button>
                )}
              </CopyButton>
            </Group>
          </Alert>
        )}
        {(invitations.data?.data.length ?? 0) > 0 && (
          <Table.ScrollContainer minWidth={480}>
            <Table aria-label="Invitations">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Email</Table.Th>
                  <Table.Th>Role</Table.Th>
                  <Table.Th>Ends</Table.Th>
                  <Table.Th />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {invitations.data?.data.map(({ id, email, role, expiresAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td>{email}</Table.Td>
                    <Table.Td>{role}</Table.Td>
                    <Table.Td>
                      <Time at={expiresAt} />
                    </Table.Td>
                    <Table.Td>
                      {roles.includes(role) && (
                        <Button
                          size="compact-sm"
                          variant="default"
                          loading={revoking.includes(id)}
                          onClick={() => revoke.mutate(id)}
                        >
                          Revoke
                        </Button>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Stack>
    </Panel>
  );
}
