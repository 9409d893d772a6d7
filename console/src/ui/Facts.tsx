import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Facts.module.css';

type Fact = [term: string, value: ReactNode];

/** Terms with their values, in rows; `false` entries are skipped. */
export function Facts({ facts }: { facts: (Fact | false)[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter((fact) => fact !== false)
        .map(([term, value]) => (
          <div key={term} className={classes.fact}>
            <Text component="dt" size="sm" c="dimmed">
              {term}
            </Text>
            <Text component="dd" size="sm" className={classes.value}>
              {value}
            </Text>
          </div>
        ))}
    </dl>
  );
}
