import { Code, Tooltip, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { NOT_COPIED } from './CopyText';
import classes from './Id.module.css';

/** An identifier that is copied when pressed. */
export function Id({ value }: { value: string }) {
  const { copy, copied, error } = useClipboard({ timeout: 1_500 });
  const said = copied ? 'Copied' : error === null ? '' : NOT_COPIED;
  return (
    <Tooltip
      label={said || 'Copy'}
      events={{ hover: true, focus: true, touch: true }}
      withArrow
      multiline
      maw={280}
    >
      <UnstyledButton onClick={() => copy(value)} aria-label={`Copy ${value}`} className={classes.id}>
        <Code>{value}</Code>
        <span role="status" className={classes.said}>
          {said}
        </span>
      </UnstyledButton>
    </Tooltip>
  );
}
