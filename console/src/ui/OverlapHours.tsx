import { NumberField } from './NumberField';
import { numberProblem, type TypedNumber } from './typed-number';

export const DAY_HOURS = 24;

interface OverlapHoursProps {
  label: string;
  /** The most hours that are taken. */
  most: number;
  value: TypedNumber;
  onChange: (hours: TypedNumber) => void;
}

/** How long an old secret goes on beside the one that takes its place. */
export function OverlapHours({ label, most, value, onChange }: OverlapHoursProps) {
  return (
    <NumberField
      label={label}
      description={`0 ends it at once; ${most} at most.`}
      value={value}
      error={overlapProblem(value, most)}
      onChange={onChange}
      data-autofocus
    />
  );
}

/** What is wrong with such hours; null where nothing is. */
export function overlapProblem(hours: TypedNumber, most: number): string | null {
  return numberProblem(hours, { max: most, whole: true });
}
