/** A key as a process publishes it: its id, and a check value that tells its bytes from others. */
export function publishedKey(id: string, check: string): string {
  return `${id}#${check}`;
}

/** The parts of a published key. */
export function splitPublishedKey(published: string): { id: string; check: string } {
  const [id = '', check = ''] = published.split('#');
  return { id, check };
}

/** The id of a key as a process publishes it. */
export function idOfPublished(published: string): string {
  return splitPublishedKey(published).id;
}
