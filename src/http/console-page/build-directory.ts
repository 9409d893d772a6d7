import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where `npm run build` puts the page, relative to the compiled code or to the sources. */
const PLACES = ['../../../console-page', '../../../dist/console-page'].map((place) =>
  path.join(__dirname, place),
);

/** Returns the directory of the built console; undefined if it has not been built. */
export function findConsolePage(): string | undefined {
  return PLACES.find((place) => existsSync(path.join(place, 'index.html')));
}
