import { Fragment } from 'react';
import { Time } from './Time';

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A sentence from the API, with its instants in the viewer's time zone. */
export function Sentence({ text }: { text: string }) {
  return text
    .split(INSTANT)
    .map((part, index) =>
      INSTANT.test(part) ? <Time key={index} at={part} /> : <Fragment key={index}>{part}</Fragment>,
    );
}
