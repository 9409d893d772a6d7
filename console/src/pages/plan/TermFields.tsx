import { Checkbox, Select } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { PlanEntitlement } from '../../api/resources';
import { NumberField } from '../../ui/NumberField';
import { PercentsInput } from '../../ui/PercentsInput';
import { canRollOver, rollsOver, type EntitlementTerms } from './entitlement-terms';

const INTERVALS: { value: PlanEntitlement['resetInterval']; label: string }[] = [
  { value: 'billing_period', label: 'Billing period' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'year', label: 'Year' },
  { value: 'never', label: 'Never again' },
];

type Field = Exclude<keyof EntitlementTerms, 'rollover'> | `rollover.${keyof EntitlementTerms['rollover']}`;

interface TermFieldsProps {
  terms: EntitlementTerms;
  alertsError: React.ReactNode;
  field: (name: Field, options?: { type: 'checkbox' }) => GetInputPropsReturnType;
}

/** Fields of a metered feature's terms in a plan. */
export function TermFields({ terms, alertsError, field }: TermFieldsProps) {
  return (
    <>
      <NumberField label="Quota" disabled={terms.isUnlimited} {...field('quota')} />
      <Checkbox label="Unlimited" {...field('isUnlimited', { type: 'checkbox' })} />
      <NumberField
        label="Quota of each entity"
        description="For each of a customer’s users or projects, within the quota. Leave empty to share the quota."
        {...field('entityQuota')}
      />
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
      {canRollOver(terms) && (
        <NumberField
          label="What is unused stays, periods"
          description="Number of later usage periods in which it may be used. Leave empty for no rollover."
          {...field('rollover.periods')}
        />
      )}
      {rollsOver(terms) && (
        <>
          <NumberField
            label="At most, units in one period"
            description="Leave empty for all unused units."
            {...field('rollover.max')}
          />
          <Select
            label="It is used"
            allowDeselect={false}
            data={[
              { value: 'last', label: 'After the period’s own quota' },
              { value: 'first', label: 'Before the period’s own quota' },
            ]}
            {...field('rollover.use')}
          />
        </>
      )}
      <Checkbox
        label="Its own alerts instead of the workspace’s"
        {...field('hasAlerts', { type: 'checkbox' })}
      />
      {terms.hasAlerts && (
        <PercentsInput
          label="Alerts at, % of the quota"
          description="Each is sent once per usage period. None: no alerts."
          field={field('alertPercents')}
          error={alertsError}
        />
      )}
    </>
  );
}
