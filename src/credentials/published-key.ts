/** Formats a key as a process publishes it: its id, and a check value that distinguishes its bytes from others. */
export function publishedKey(id: string, check: string): string {
  return `${id}#${check}`;
}

/** Splits a published key into its parts. */
export function splitPublishedKey(published: string): { id: string; check: string } {
  const [id = '', check = ''] = published.split('#');
  return { id, check };
}

/** Returns the id of a published key. */
export function idOfPublished(published: string): string {
  return splitPublishedKey(published).id;
}
