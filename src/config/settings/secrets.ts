import { z } from 'zod';
import { secret } from './formats';

/** Secrets of the installation itself. */
export const secretSettings = {
  TOLLGATE_API_KEY_PEPPER: secret.describe('At least 32 characters. Changing it revokes every API key.'),
  TOLLGATE_CURSOR_SECRET: secret.describe(
    'At least 32 characters. Changing it invalidates cursors in use, and the former external id of an erased customer no longer leads to its erasure.',
  ),
  TOLLGATE_CREDENTIAL_KEYS: z
    .string()
    .min(1)
    .optional()
    .describe(
      '`id:base64` of 32 bytes each, joined by commas or line ends: they encrypt the secrets of provider connections. Without one no secret can be stored.',
    ),
  TOLLGATE_CREDENTIAL_ACTIVE_KEY: z.string().min(1).optional().meta({
    description:
      'The key that encrypts in a database that has no credentials yet. Later the console switches it.',
    unset: 'the first key',
  }),
} as const;
