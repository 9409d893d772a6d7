/** ISO 4217 currencies in use, by the decimals of their minor unit. Excludes funds codes and metals. */
const CODES_BY_EXPONENT = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY ' +
    'COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ' +
    'IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR ' +
    'MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG ' +
    'SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST ' +
    'XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
} as const;

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_EXPONENT).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(exponent)]),
  ),
);

/** Whether the code, in capital letters, is that of a currency in use. */
export function isCurrency(code: string): boolean {
  return EXPONENTS.has(code);
}

/**
 * Returns the decimals of the currency's minor unit: 2 for USD, 0 for JPY, 3 for KWD.
 * @throws RangeError when the code is not a currency in use.
 */
export function currencyExponent(code: string): number {
  const exponent = EXPONENTS.get(code);
  if (exponent === undefined) throw new RangeError(`Not a currency in use: ${JSON.stringify(code)}.`);
  return exponent;
}

/** Currencies with decimals in which provider B charges whole amounts only. */
const WHOLE_AT_PROVIDER_B: ReadonlySet<string> = new Set(['HUF', 'TWD']);

/** Returns the minor units that every charge of provider B is a multiple of: 100 for forints, and 1 for dollars. */
export function stepAtProviderB(currency: string): bigint {
  return WHOLE_AT_PROVIDER_B.has(currency) ? 10n ** BigInt(currencyExponent(currency)) : 1n;
}
