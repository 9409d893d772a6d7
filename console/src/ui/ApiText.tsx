import { Code } from '@mantine/core';
import { Sentence } from './Sentence';

/**
 * A text of the API about a problem, with its instants in the viewer's time zone. It has the names of members and
 * headers in backticks.
 */
export function ApiText({ text }: { text: string }) {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) =>
      index % 2 === 1 ? <Code key={index}>{part}</Code> : <Sentence key={index} text={part} />,
    );
}
