import { invalid } from './problem';

/** A form's parameters as a tree: `items[0][price]=x` is `{ items: { 0: { price: 'x' } } }`. */
export interface Form {
  [name: string]: string | Form;
}

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/** @throws Problem when a name is malformed or occurs twice */
export function parseForm(text: string): Form {
  const form: Form = Object.create(null) as Form;
  for (const [name, value] of new URLSearchParams(text)) {
    const [, first, rest = ''] = NAME.exec(name) ?? [];
    if (first === undefined) throw invalid(`Invalid parameter name: ${name}`);
    place(form, [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key)], value, name);
  }
  return form;
}

function place(form: Form, path: readonly string[], value: string, name: string): void {
  let at = form;
  for (const [depth, segment] of path.entries()) {
    const key = segment === '' ? String(Object.keys(at).length) : segment;
    const there = at[key];
    if (depth === path.length - 1) {
      if (there !== undefined) throw invalid(`Parameter given twice: ${name}`, { param: name });
      at[key] = value;
    } else {
      if (typeof there === 'string') throw invalid(`Invalid hash: ${name}`, { param: name });
      const next = there ?? (Object.create(null) as Form);
      at[key] = next;
      at = next;
    }
  }
}

/** Returns the members that a request wants expanded. */
export function expandedBy({ expand }: Form): string[] {
  const members = typeof expand === 'object' ? Object.values(expand) : [];
  return members.filter((member) => typeof member === 'string');
}
