import { Text, UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import type { Feature, Plan, PlanEntitlement } from '../../api/resources';
import { isolate } from '../../ui/isolate';
import { entitlementInWords } from '../subscription/entitlement-in-words';
import classes from './GridCell.module.css';

/** A cell as it was when opened. */
export interface OpenedCell {
  plan: Plan;
  feature: Feature;
  /** Undefined if the plan does not include the feature. */
  granted: PlanEntitlement | undefined;
}

interface GridCellProps extends OpenedCell {
  /** Id of the text that says why it cannot be opened. */
  refusedBy: string | undefined;
  onOpen: (cell: OpenedCell) => void;
}

/**
 * Shows what a plan includes of a feature; pressing it opens the editor. There may be tens of thousands of cells, so
 * each is rendered again only if it has changed.
 */
export const GridCell = memo(function GridCell({ plan, feature, granted, refusedBy, onOpen }: GridCellProps) {
  const perSeat = granted?.perSeat === true ? ', for each seat' : '';
  // A cell has no room for what happens to unused units, and their maximum does not depend on the seats.
  const terms = granted === undefined ? null : { ...granted, rollover: null };
  const words = `${entitlementInWords(terms)}${perSeat}`;
  const isOff = refusedBy !== undefined;
  // An archived feature stays in the plans that include it, and cannot be added to others.
  if (granted === undefined && feature.archivedAt !== null)
    return (
      <Text size="sm" c="dimmed">
        {words}
      </Text>
    );
  return (
    <UnstyledButton
      className={classes.cell}
      data-included={granted === undefined ? undefined : true}
      aria-label={`${isolate(feature.name)} in ${isolate(plan.name)}: ${words}`}
      aria-disabled={isOff}
      {...(isOff && { 'aria-describedby': refusedBy })}
      onClick={() => {
        if (!isOff) onOpen({ plan, feature, granted });
      }}
    >
      {words}
    </UnstyledButton>
  );
});
