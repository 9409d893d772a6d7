import { databaseSettings } from './database';
import { processSettings } from './processes';
import { providerSettings } from './providers';
import { secretSettings } from './secrets';
import { embeddedSettings, temporalSettings } from './temporal';
import { webhookSettings } from './webhooks';

/**
 * Every setting with its form, its default and its description. `docs/configuration.md` is generated from it, in these
 * groups.
 */
export const settingGroups = {
  Processes: processSettings,
  Database: databaseSettings,
  Secrets: secretSettings,
  'Payment providers': providerSettings,
  'Webhooks to integrators': webhookSettings,
  Temporal: temporalSettings,
  'One machine: `npm start`': embeddedSettings,
} as const;

export const settings = {
  ...processSettings,
  ...databaseSettings,
  ...secretSettings,
  ...providerSettings,
  ...webhookSettings,
  ...temporalSettings,
  ...embeddedSettings,
} as const;
