import { unknownSettings } from '../config/unknown-settings';

/**
 * Warns of unknown settings. Called before the configuration is read, because a missing setting may be the misspelt
 * one.
 */
export function warnOfUnknownSettings(entry: string): void {
  for (const sentence of unknownSettings()) console.error(`${entry}: ${sentence}`);
}
