import { unknownSettings } from '../config/unknown-settings';

/** Said before the configuration is read: the setting that is missing then may be the misspelt one. */
export function warnOfUnknownSettings(entry: string): void {
  for (const sentence of unknownSettings()) console.error(`${entry}: ${sentence}`);
}
