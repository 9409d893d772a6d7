import { Alert, Button, Group } from '@mantine/core';
import { useTypedForm } from '../../app/open-forms';
import { CopyableLink } from './CopyableLink';

/** Shows an invitation's link, the only time it is shown. It stays until the operator confirms that it is passed on. */
export function InvitationLink(props: { email: string; link: string; onPassedOn: () => void }) {
  const { email, link, onPassedOn } = props;
  // Leaving the page would lose the link.
  useTypedForm(true);
  return (
    <Alert color="yellow" variant="light" title={`Pass this link on to ${email}: it is shown once`}>
      <Group gap="sm">
        <CopyableLink link={link} />
        <Button size="compact-sm" variant="default" onClick={onPassedOn}>
          I have passed the link on
        </Button>
      </Group>
    </Alert>
  );
}
