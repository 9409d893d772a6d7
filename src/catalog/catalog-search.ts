import { line } from '../schemas/text';

/** Search of the catalogue's lists, which matches any part of what an entry is called. */
export const catalogSearch = line({ min: 1, max: 255 })
  .optional()
  .meta({ description: 'Part of the name, slug or key; case-insensitive.' });
