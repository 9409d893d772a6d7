import { Stack } from '@mantine/core';
import { PageHeader } from '../../ui/PageHeader';
import { Invitations } from './Invitations';
import { Members } from './Members';
import { RequireSecondFactor } from './RequireSecondFactor';

/** Who works for the organization. */
export function MembersPage() {
  return (
    <>
      <PageHeader
        title="Members"
        about="Viewers read. Developers work with catalogue, customers and subscriptions. Admins also with production keys, settings and members. Owners also make owners."
      />
      <Stack>
        <Members />
        <Invitations />
        <RequireSecondFactor />
      </Stack>
    </>
  );
}
