import { randomInt } from 'node:crypto';
import { HOUR_MS } from '../../src/domain/instant';

const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXY0123456789';

/** Creates an id like provider B's: capital letters and digits. */
export function newId(length = 17): string {
  return Array.from({ length }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}

/** Formats `2018-12-10T21:20:49Z`: whole seconds. */
export function isoSeconds(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');
}

const OFFSET_MS = 8 * HOUR_MS;

/** Formats `2022-02-07T16:36:47-08:00`: refunds have times in another zone. */
export function isoWithOffset(instant: number): string {
  return isoSeconds(instant - OFFSET_MS).replace('Z', '-08:00');
}
