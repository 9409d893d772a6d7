import type { ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Capability } from '../api/resources';
import { useRefusal } from '../app/roles';
import { ReasonedButton } from './ReasonedButton';

const WHEN: Record<NonNullable<Capability['timing']>, string> = {
  immediate: 'At once',
  period_end: 'At the end of the period',
  next_renewal: 'At the next renewal',
  after_confirmation: 'After the customer’s approval',
  by_direction: '',
};

interface CapabilityButtonProps extends Omit<ButtonProps, 'disabled'> {
  capability: Capability;
  /** End of the period, in words, for timings that refer to it. */
  until?: string;
  onClick: () => void;
  children: ReactNode;
}

/** Button of a command on a subscription, with its timing, or with the reason why it is unavailable. */
export function CapabilityButton({ capability, until, onClick, children, ...button }: CapabilityButtonProps) {
  const forbidden = useRefusal('developer');
  const reason = capability.available ? forbidden : (capability.reason ?? 'This cannot be done now.');
  return (
    <ReasonedButton {...button} reason={reason} hint={timingInWords(capability, until)} onClick={onClick}>
      {children}
    </ReasonedButton>
  );
}

function timingInWords({ timing, timings }: Capability, until: string | undefined): string | undefined {
  if (timing === 'by_direction' && timings !== undefined)
    return `More: ${WHEN[timings.increase].toLowerCase()}. Less: ${WHEN[timings.decrease].toLowerCase()}.`;
  if (timing === null || timing === 'by_direction') return undefined;
  const isLater = timing === 'period_end' || timing === 'next_renewal';
  return isLater && until !== undefined ? `${WHEN[timing]}, ${until}` : WHEN[timing];
}
