import { z } from 'zod';
import { text } from '../schemas/text';

const MAX_MEMBERS = 20;
const MAX_BYTES = 4_096;

const value = z.union([text({ max: 1_000 }), z.number(), z.boolean(), z.null()], {
  error: 'is not text of at most 1,000 characters, a number, true, false or null',
});

/**
 * Properties that an integrator attaches to a use: flat, stored with the event, and grouped by a feature's dimensions.
 */
export const eventProperties = z
  .record(text({ min: 1, max: 64 }), value)
  .refine((properties) => Object.keys(properties).length <= MAX_MEMBERS, {
    error: `has more than ${MAX_MEMBERS} members`,
    params: { fix: `Send at most ${MAX_MEMBERS} members.` },
  })
  .refine((properties) => Buffer.byteLength(JSON.stringify(properties)) <= MAX_BYTES, {
    error: `is larger than ${MAX_BYTES} bytes as JSON`,
    params: { fix: 'Send fewer or shorter members.' },
  })
  .meta({
    description:
      'Flat object: up to 20 members, 4 KB. Stored with the event; a feature’s dimensions are members of it.',
    example: { model: 'large', region: 'eu-west' },
  });
