import { z } from 'zod';

/** What several settings have in common. */
export const port = z.coerce.number().int().min(0).max(65535);
export const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'is not a postgres:// address');
/** Without its trailing slashes, so that a path can follow. */
export const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));
export const secret = z.string().min(32, 'needs at least 32 characters');
export const path = z.string().min(1);

/** A whole number of this range. */
export const integer = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
