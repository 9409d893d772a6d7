import { line } from '../schemas/text';

/** The search of the catalogue's lists: a person finds what they look for by any part of what it is called. */
export const catalogSearch = line({ min: 1, max: 255 })
  .optional()
  .meta({ description: 'Part of the name, slug or key; case-insensitive.' });
