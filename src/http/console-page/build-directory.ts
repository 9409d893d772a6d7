import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where `npm run build` puts the page: beside the compiled code, which may be this, or beside the sources. */
const PLACES = ['../../../console-page', '../../../dist/console-page'].map((place) =>
  path.join(__dirname, place),
);

/** The directory of the built console; undefined where it has not been built. */
export function findConsolePage(): string | undefined {
  return PLACES.find((place) => existsSync(path.join(place, 'index.html')));
}
