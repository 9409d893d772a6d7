/**
 * Returns a number that a variable sets, or the default. If the variable holds anything else, this ends the process with
 * one line: a benchmark would otherwise measure nothing, or wait forever.
 */
export function numberFrom(
  variable: string,
  otherwise: number,
  { least = 0 }: { least?: number } = {},
): number {
  const value = process.env[variable];
  return value === undefined ? otherwise : read(variable, value, least);
}

/** Does the same for numbers separated by commas. */
export function numbersFrom(variable: string, otherwise: readonly number[]): readonly number[] {
  const value = process.env[variable];
  return value === undefined ? otherwise : value.split(',').map((one) => read(variable, one, 1));
}

/** Does the same for names separated by semicolons; all of them if the variable is not set. */
export function namesFrom(variable: string, all: readonly string[]): readonly string[] {
  const value = process.env[variable];
  if (value === undefined) return all;
  const names = value.split(';');
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) refuse(`${variable} names ${unknown.join('; ')}. There are: ${all.join('; ')}`);
  return names;
}

function read(variable: string, value: string, least: number): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number) || number < least)
    refuse(`${variable} must be a number of at least ${least}: ${value}`);
  return number;
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(1);
}
