import { z } from 'zod';

const MAX_BYTES = 32_768;
const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

export interface Logo {
  type: LogoType;
  bytes: Buffer;
}

/** Leading bytes of each type, so that only real images are stored, whatever their declared type. */
const BEGINNINGS: Record<LogoType, (bytes: Buffer) => boolean> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/webp': (bytes) =>
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
};

const DATA_URL = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

/**
 * Parses an image given as a `data:` URL. It is stored and served from here, so that the page loads nothing from
 * elsewhere and no other host sees its customers. Vector images are refused because they can contain scripts.
 */
export const logoInput = z
  .string()
  .max(60 + Math.ceil(MAX_BYTES / 3) * 4)
  .transform((written, context): Logo => {
    const [, type, base64 = ''] = DATA_URL.exec(written) ?? [];
    const known = LOGO_TYPES.find((name) => name === type);
    const bytes = Buffer.from(base64, 'base64');
    if (known !== undefined && bytes.length <= MAX_BYTES && BEGINNINGS[known](bytes))
      return { type: known, bytes };
    context.addIssue({
      code: 'custom',
      message: 'is not a PNG, JPEG or WebP image of at most 32 KB as a data URL in base64',
      params: { fix: 'Send an image of one of these types, or a smaller one.' },
    });
    return z.NEVER;
  });

export function toDataUrl({ type, bytes }: Logo): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}
