import { Code } from '@mantine/core';
import { Fragment } from 'react';

/** A text of the API about a problem. It has the names of members and headers in backticks. */
export function ApiText({ text }: { text: string }) {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) =>
      index % 2 === 1 ? <Code key={index}>{part}</Code> : <Fragment key={index}>{part}</Fragment>,
    );
}
