import { NumberInput } from '@mantine/core';

export const DAY_HOURS = 24;

interface OverlapHoursProps {
  label: string;
  /** The most hours that are taken. */
  most: number;
  value: number;
  onChange: (hours: number) => void;
}

/** How long an old secret goes on beside the one that takes its place. */
export function OverlapHours({ label, most, value, onChange }: OverlapHoursProps) {
  return (
    <NumberInput
      label={label}
      description={`0 ends it at once; ${most} at most.`}
      min={0}
      max={most}
      allowDecimal={false}
      value={value}
      onChange={(hours) => onChange(Number(hours))}
      data-autofocus
    />
  );
}
