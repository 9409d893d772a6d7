import { Code, CopyButton, Tooltip, UnstyledButton } from '@mantine/core';
import classes from './Id.module.css';

/** An identifier that is copied when pressed. */
export function Id({ value }: { value: string }) {
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'} withArrow>
          <UnstyledButton onClick={copy} aria-label={`Copy ${value}`} className={classes.id}>
            <Code>{value}</Code>
            <span role="status" className={classes.said}>
              {copied ? 'Copied' : ''}
            </span>
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}
