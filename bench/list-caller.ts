/** An operator who reads lists of the console, one call at a time. */
export class ListCaller {
  private constructor(
    private readonly url: string,
    private readonly cookie: string,
    private readonly workspaceId: string,
  ) {}

  static async logIn(
    url: string,
    { email, password }: { email: string; password: string },
    workspaceId: string,
  ): Promise<ListCaller> {
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url },
      body: JSON.stringify({ email, password }),
    });
    if (answer.status !== 200) throw new Error(`The log-in was answered ${answer.status}.`);
    return new ListCaller(url, answer.headers.get('set-cookie')?.split(';')[0] ?? '', workspaceId);
  }

  /** Reads the first pages of a list, or an answer without pages once. Returns the milliseconds of each call. */
  async readPages(path: string, query: Readonly<Record<string, string>>, pages: number): Promise<number[]> {
    const taken: number[] = [];
    let cursor: string | undefined;
    do {
      const url = new URL(this.url + path);
      const all = { organizationId: this.workspaceId, env: 'production', ...query };
      for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
      if (cursor !== undefined) url.searchParams.set('cursor', cursor);
      const begun = performance.now();
      const answer = await fetch(url, { headers: { Cookie: this.cookie } });
      const body = (await answer.json()) as { nextCursor?: string };
      taken.push(performance.now() - begun);
      if (answer.status !== 200)
        throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(body)}`);
      cursor = body.nextCursor;
    } while (cursor !== undefined && taken.length < pages);
    return taken;
  }
}
