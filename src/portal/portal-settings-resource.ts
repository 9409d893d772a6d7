import { z } from 'zod';
import { PORTAL_PARTS } from '../domain/portal';
import { displayName, slug } from '../schemas/text';
import { logoInput, toDataUrl } from './logo';
import type { PortalSettings } from './portal-settings-store';

const MAX_PLANS = 100;

const isDistinct = (names: readonly string[]): boolean => new Set(names).size === names.length;

const shows = z
  .array(z.enum(PORTAL_PARTS))
  .max(PORTAL_PARTS.length)
  .refine(isDistinct, { error: 'names a part twice', params: { fix: 'Name each part once.' } })
  .meta({
    description:
      'What the page shows and offers besides the plan and its price. Whatever is not listed is neither offered nor accepted.',
  });
const plans = z
  .array(slug)
  .max(MAX_PLANS)
  .refine(isDistinct, { error: 'names a plan twice', params: { fix: 'Name each plan once.' } })
  .nullable()
  .meta({
    description:
      'Slugs of the plans that a customer may change to; null: every plan of the group that is for sale.',
    example: null,
  });
const name = displayName.nullable().meta({
  description: 'At the head of the page; null: the organization’s.',
  example: 'Acme',
});
const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/, { error: 'is not a colour such as #1d5fd1, in lower-case hexadecimal digits' })
  .meta({
    description: 'Color of buttons and links, adjusted where text would be hard to read.',
    example: '#1d5fd1',
  });
const LOGO = 'A PNG, JPEG or WebP image of at most 32 KB as a `data:` URL; null: none.';

/** A partial update of the settings of the customer's page. Each member sent replaces the stored one. */
export const portalSettingsPatch = z
  .strictObject({
    shows,
    plans,
    name,
    colour,
    logo: logoInput.nullable().meta({ description: LOGO }),
  })
  .partial();
export type PortalSettingsPatch = z.output<typeof portalSettingsPatch>;

/** Appearance of an environment's customer page, and what it offers. */
export const portalSettingsSchema = z
  .object({ shows, plans, name, colour, logo: z.string().nullable().meta({ description: LOGO }) })
  .meta({ id: 'PortalSettings' });

export function toPortalSettingsResource({
  logo,
  shows: parts,
  plans: slugs,
  ...rest
}: PortalSettings): z.output<typeof portalSettingsSchema> {
  return {
    ...rest,
    shows: [...parts],
    plans: slugs === null ? null : [...slugs],
    logo: logo === null ? null : toDataUrl(logo),
  };
}
