import { parse } from 'lossless-json';
import { z } from 'zod';
import type { Instant } from '../../domain/instant';
import { minorUnits } from './amounts';

/**
 * Parses JSON text, keeping numbers as their original text so that no amount passes through a double.
 * @throws SyntaxError or RangeError when it is not JSON, or is nested too deeply
 */
export function readJson(text: string): unknown {
  return parse(text, null, (number) => number);
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Parses an instant such as `2018-08-15T12:13:29-07:00`, with or without fractions; null if it is not one. */
export function readInstant(text: string): Instant | null {
  const instant = TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}

export const instant = z.string().transform((text, ctx): Instant => {
  const read = readInstant(text);
  if (read !== null) return read;
  ctx.addIssue({ code: 'custom', message: 'not a date and time' });
  return z.NEVER;
});

/** An identifier of an object at provider B. */
export const identifier = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);

const written = z
  .object({ value: z.string(), currency_code: z.string() })
  .transform((a) => [a.value, a.currency_code] as const);

/** Money in the format of the newer APIs. */
export const amount = money(written);

/** Money in the format of the newer APIs, where the sign says which side received it. */
export const signedAmount = signedMoney(written);

/** Money in the format of the version 1 APIs. A refund's amount is negative there. */
export const amountOfVersion1 = money(
  z.object({ total: z.string(), currency: z.string() }).transform((a) => [a.total, a.currency] as const),
);

/** A running total in the format of version 1. */
export const totalOfVersion1 = money(
  z.object({ value: z.string(), currency: z.string() }).transform((a) => [a.value, a.currency] as const),
);

type Written = z.ZodType<readonly [string, string]>;

function money(text: Written) {
  return signedMoney(text).transform(({ amount: signed, currency }) => ({
    amount: signed < 0n ? -signed : signed,
    currency,
  }));
}

function signedMoney(text: Written) {
  return text.transform(([value, currency], ctx): { amount: bigint; currency: string } => {
    try {
      return { amount: minorUnits(value, currency), currency };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      ctx.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });
}

const link = z.object({ href: z.string(), rel: z.string() });
export const links = z.array(link).nullish();

/** Describes a problem in an answer by its path and kind; never includes the value itself. */
export function problemInWords(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)
    .join('; ');
}
