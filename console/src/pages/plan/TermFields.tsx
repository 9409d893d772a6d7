import { Checkbox, NumberInput, Select } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { PlanEntitlement } from '../../api/resources';
import { PercentsInput } from '../../ui/PercentsInput';
import type { EntitlementTerms } from './entitlement-terms';

const INTERVALS: { value: PlanEntitlement['resetInterval']; label: string }[] = [
  { value: 'billing_period', label: 'Billing period' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'year', label: 'Year' },
  { value: 'never', label: 'Never again' },
];

interface TermFieldsProps {
  isUnlimited: boolean;
  hasAlerts: boolean;
  alertsError: React.ReactNode;
  field: (name: keyof EntitlementTerms, options?: { type: 'checkbox' }) => GetInputPropsReturnType;
}

/** The fields of a metered feature's terms in a plan. */
export function TermFields({ isUnlimited, hasAlerts, alertsError, field }: TermFieldsProps) {
  return (
    <>
      <NumberInput label="Quota" min={0} allowDecimal={false} disabled={isUnlimited} {...field('quota')} />
      <Checkbox label="Unlimited" {...field('isUnlimited', { type: 'checkbox' })} />
      <Checkbox label="For each seat" {...field('perSeat', { type: 'checkbox' })} />
      <Select label="Begins again each" allowDeselect={false} data={INTERVALS} {...field('resetInterval')} />
      <Select
        label="Beyond it"
        allowDeselect={false}
        data={[
          { value: 'hard', label: 'Denied' },
          { value: 'soft', label: 'Allowed, and counted as overage' },
        ]}
        {...field('enforcement')}
      />
      <Checkbox
        label="Alerts of its own, not the workspace’s"
        {...field('hasAlerts', { type: 'checkbox' })}
      />
      {hasAlerts && (
        <PercentsInput
          label="Alerts at, % of the quota"
          description="Each is notified once in a usage period. None: no alerts."
          field={field('alertPercents')}
          error={alertsError}
        />
      )}
    </>
  );
}
