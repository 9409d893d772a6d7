import { NumberField } from './NumberField';
import { numberProblem, type TypedNumber } from './typed-number';

export const DAY_HOURS = 24;

interface OverlapHoursProps {
  label: string;
  /** Maximum number of hours. */
  most: number;
  value: TypedNumber;
  onChange: (hours: TypedNumber) => void;
}

/** How long an old secret stays valid alongside its replacement. */
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

/** Returns what is wrong with the hours; null if they are valid. */
export function overlapProblem(hours: TypedNumber, most: number): string | null {
  return numberProblem(hours, { max: most, whole: true });
}
