import fc from 'fast-check';
import { contrastBetween, readableOn, textOn } from '../../src/domain/contrast';

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('contrast is that of WCAG', () => {
  expect(contrastBetween('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastBetween('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastBetween('#1d5fd1', '#1d5fd1')).toBe(1);
});

test('text on any colour is read', () => {
  fc.assert(
    fc.property(colour, (background) => {
      expect(contrastBetween(textOn(background), background)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('any colour becomes readable on any background, and a readable one is unchanged', () => {
  fc.assert(
    fc.property(colour, colour, (text, ground) => {
      const shown = readableOn(text, ground);
      expect(shown).toMatch(/^#[0-9a-f]{6}$/);
      expect(contrastBetween(shown, ground)).toBeGreaterThanOrEqual(4.5);
      if (contrastBetween(text, ground) >= 4.5) expect(shown).toBe(text);
    }),
  );
});
