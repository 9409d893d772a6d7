import { SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import classes from './Shell.module.css';
import { isEnvironment, useWorkspace } from './workspace';

/** Switches between sandbox and production. Ids differ between them, so it opens the other one's home page. */
export function EnvironmentSwitch() {
  const { organization, env } = useWorkspace();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      size="xs"
      miw="max-content"
      classNames={{ label: classes.environment ?? '' }}
      value={env}
      aria-label="Environment"
      color={env === 'sandbox' ? 'yellow' : 'toll'}
      autoContrast
      data={[
        { value: 'sandbox', label: 'Sandbox' },
        { value: 'production', label: 'Production' },
      ]}
      onChange={(value) => {
        if (!isEnvironment(value)) return;
        const params = { organization: organization.slug, environment: value };
        void navigate({ to: '/o/$organization/$environment', params });
      }}
    />
  );
}
