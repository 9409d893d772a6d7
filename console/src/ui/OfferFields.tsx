import { TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useWorkspace } from '../app/workspace';
import { planChoices } from './catalogue-choices';
import { NumberField } from './NumberField';
import { SearchSelect } from './SearchSelect';
import { MAX_SEATS } from '../../../src/domain/subscription-types.ts';
import { numberRule, type TypedNumber } from './typed-number';

/** Who is offered which plan, as typed. */
export interface OfferValues {
  externalId: string;
  planId: string;
  seats: TypedNumber;
}

/** Validation of the fields of an offer. */
export const OFFER_RULES = {
  externalId: (value: string) => (value.trim() === '' ? 'Enter the customer’s external id.' : null),
  planId: (value: string) => (value === '' ? 'Choose the plan.' : null),
  seats: numberRule({ min: 1, max: MAX_SEATS, whole: true }),
};

/**
 * Fields of an offer: the customer, the plan and the seats.
 *
 * @param props.field the form's properties of a field
 */
export function OfferFields(props: { field: (name: keyof OfferValues) => GetInputPropsReturnType }) {
  const { field } = props;
  const { query } = useWorkspace();
  return (
    <>
      <TextInput
        label="Customer"
        description="The external id, as usage calls name the customer."
        withAsterisk
        data-autofocus
        {...field('externalId')}
      />
      <SearchSelect
        label="Plan"
        withAsterisk
        allowDeselect={false}
        choices={planChoices(query)}
        nothingFoundMessage="There is no such plan on sale."
        {...field('planId')}
      />
      <NumberField label="Seats" {...field('seats')} />
    </>
  );
}
