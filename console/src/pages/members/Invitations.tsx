import { Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { refreshIfOutdated } from '../../api/problem';
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
import { InvitationLink } from './InvitationLink';
import { InvitationList, type Invitation } from './InvitationList';

const REVOKE = ['revoke invitation'];
interface MadeInvitation {
  invitation: Invitation;
  link: string;
}

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
  // Invitations whose links have not been passed on yet, newest first.
  const [made, setMade] = useState<MadeInvitation[]>([]);
  const forget = (id: string) => setMade((all) => all.filter(({ invitation }) => invitation.id !== id));
  useTypedForm(form.isDirty());
  const invite = useMutation({
    mutationFn: (body: typeof form.values) =>
      bodyOf(api.POST('/api/organizations/{id}/members', { params: { path }, body })),
    onSuccess: async (answer, sent) => {
      setMade((all) => [answer, ...all]);
      showSaved(form, sent, EMPTY);
      await invalidate(queries, [['invitations']]);
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error));
      refreshIfOutdated(queries, error, [['invitations'], ['members']]);
    },
    gcTime: 0,
  });
  const revoke = useMutation({
    mutationKey: REVOKE,
    mutationFn: (invitationId: string) =>
      api.DELETE('/api/organizations/{id}/invitations/{invitationId}', {
        params: { path: { ...path, invitationId } },
      }),
    // Its link no longer works.
    onSuccess: (_, invitationId) => forget(invitationId),
    onSettled: () => invalidate(queries, [['invitations']]),
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
        {made.map(({ invitation: { id, email }, link }) => (
          <InvitationLink key={id} email={email} link={link} onPassedOn={() => forget(id)} />
        ))}
        {invitations.isError && (
          <ProblemPanel error={invitations.error} retry={() => void invitations.refetch()} />
        )}
        {invitations.data !== undefined && invitations.data.data.length > 0 && (
          <InvitationList
            invitations={invitations.data.data}
            mayRevoke={({ role }) => roles.includes(role)}
            revoking={revoking}
            onRevoke={revoke.mutate}
          />
        )}
      </Stack>
    </Panel>
  );
}
