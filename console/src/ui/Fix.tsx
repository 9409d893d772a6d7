import { Code } from '@mantine/core';
import { Fragment } from 'react';

/** What to do about a problem, in the words of the API, which puts names of members and headers in backticks. */
export function Fix({ text }: { text: string }) {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) =>
      index % 2 === 1 ? <Code key={index}>{part}</Code> : <Fragment key={index}>{part}</Fragment>,
    );
}
