/** Names that are compared one by one. */
const FEW = 16;

/** The names of one object's members. Few are compared one by one, which is cheaper than a set of them. */
export class MemberNames {
  private readonly few: string[] = [];
  private many: Set<string> | undefined;

  /** @returns false where the name is there already */
  add(name: string): boolean {
    if (this.many === undefined && this.few.length < FEW) {
      if (this.few.includes(name)) return false;
      this.few.push(name);
      return true;
    }
    this.many ??= new Set(this.few);
    if (this.many.has(name)) return false;
    this.many.add(name);
    return true;
  }
}
