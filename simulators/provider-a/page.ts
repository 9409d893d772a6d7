import { isCurrency } from '../../src/domain/currency';
import { majorUnits } from '../../src/domain/major-units';

/** Returns an HTML page for people and tests. */
export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>body{font:16px system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}
button{font:inherit;padding:.6rem 1rem;width:100%;margin:.25rem 0;cursor:pointer}</style>
<p>Simulated provider A. No money moves.</p><h1>${title}</h1>${body}</html>`;
}

/** Currencies without decimals that A counts with two. */
const WITH_TWO: ReadonlySet<string> = new Set(['ISK', 'UGX']);

/** Formats an amount in A's minor units: `20.00 USD`. */
export function price(amount: number, currency: string): string {
  const code = currency.toUpperCase();
  if (!isCurrency(code)) return `${amount} (minor units)`;
  return `${majorUnits(String(WITH_TWO.has(code) ? amount / 100 : amount), code)} ${code}`;
}
