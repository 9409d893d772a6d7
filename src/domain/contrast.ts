/** Colour as `#rrggbb`. Contrast is defined by WCAG 2.2, section 1.4.3. */
type Colour = string;

/** Minimum contrast of text of ordinary size. */
const TEXT_CONTRAST = 4.5;
const STEPS = 100;

const channels = (colour: Colour): [number, number, number] => [
  Number.parseInt(colour.slice(1, 3), 16),
  Number.parseInt(colour.slice(3, 5), 16),
  Number.parseInt(colour.slice(5, 7), 16),
];

function luminance(colour: Colour): number {
  const [red, green, blue] = channels(colour);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Returns the light of a channel, from 0 to 1, without the gamma of sRGB. */
function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

/** Returns the contrast ratio, from 1 (none) to 21 (black on white). */
export function contrastBetween(one: Colour, other: Colour): number {
  const luminances = [luminance(one), luminance(other)];
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

/** Returns black or white, whichever has more contrast with the background: at least 4.58 on any colour. */
export function textOn(background: Colour): Colour {
  const [white, black] = ['#ffffff', '#000000'] as const;
  return contrastBetween(white, background) >= contrastBetween(black, background) ? white : black;
}

/**
 * Returns the colour itself if text in it is readable on the background, and otherwise mixes it with as little black or
 * white as needed.
 */
export function readableOn(colour: Colour, background: Colour): Colour {
  const towards = textOn(background);
  for (let step = 0; step <= STEPS; step += 1) {
    const mixed = mix(colour, towards, step / STEPS);
    if (contrastBetween(mixed, background) >= TEXT_CONTRAST) return mixed;
  }
  return towards;
}

function mix(colour: Colour, other: Colour, share: number): Colour {
  const [from, to] = [channels(colour), channels(other)];
  const mixed = from.map((channel, index) => Math.round(channel + ((to[index] ?? 0) - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
