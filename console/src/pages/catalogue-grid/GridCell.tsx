import { Button } from '@mantine/core';
import type { Feature, Plan, PlanEntitlement } from '../../api/resources';
import { isolate } from '../../ui/isolate';
import { entitlementInWords } from '../subscription/entitlement-in-words';

interface GridCellProps {
  plan: Plan;
  feature: Feature;
  entitlement: PlanEntitlement | undefined;
  /** The id of the text that says why it cannot be opened. */
  refusedBy: string | undefined;
  onOpen: () => void;
}

/** What a plan includes of a feature; pressed, it can be changed. */
export function GridCell({ plan, feature, entitlement, refusedBy, onOpen }: GridCellProps) {
  const perSeat = entitlement?.perSeat === true ? ', for each seat' : '';
  const words = `${entitlementInWords(entitlement ?? null)}${perSeat}`;
  const isOff = refusedBy !== undefined;
  return (
    <Button
      variant={entitlement === undefined ? 'subtle' : 'default'}
      size="compact-sm"
      h="auto"
      py={4}
      fullWidth
      styles={{ label: { whiteSpace: 'normal' } }}
      aria-label={`${isolate(feature.name)} in ${isolate(plan.name)}: ${words}`}
      aria-disabled={isOff}
      data-disabled={isOff || undefined}
      {...(isOff && { 'aria-describedby': refusedBy })}
      onClick={() => {
        if (!isOff) onOpen();
      }}
    >
      {words}
    </Button>
  );
}
