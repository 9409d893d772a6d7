import { Stack } from '@mantine/core';
import { PageHeader } from '../../ui/PageHeader';
import { AccessReview } from './AccessReview';
import { Invitations } from './Invitations';
import { Members } from './Members';
import { RequireSecondFactor } from './RequireSecondFactor';

/** The members of the organization. */
export function MembersPage() {
  return (
    <>
      <PageHeader
        title="Members"
        about="Viewers can read. Developers manage the catalogue, customers and subscriptions. Admins also manage production keys, settings and members. Owners can also appoint owners."
      />
      <Stack>
        <Members />
        <AccessReview />
        <Invitations />
        <RequireSecondFactor />
      </Stack>
    </>
  );
}
