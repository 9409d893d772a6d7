import { createHash } from 'node:crypto';
import { readableOn, textOn } from '../domain/contrast';
import type { PortalSettings } from './portal-settings-store';
import type { PortalView } from './portal-view-schema';

/** The lightest and the darkest background of text in the accent colour: `portal/src/portal.css`. */
const GROUNDS = { light: '#f3f5f8', dark: '#1c222b' } as const;

/** Returns name, logo and colours of the page. The logo's address changes with the image. */
export function brandOf(
  { name, colour, logo }: PortalSettings,
  organizationName: string,
): PortalView['brand'] {
  const on = (ground: string) => {
    const accent = readableOn(colour, ground);
    return { accent, onAccent: textOn(accent) };
  };
  const version = logo && createHash('sha256').update(logo.bytes).digest('hex').slice(0, 16);
  return {
    name: name ?? organizationName,
    logo: version && `/portal/api/logo?version=${version}`,
    light: on(GROUNDS.light),
    dark: on(GROUNDS.dark),
  };
}
