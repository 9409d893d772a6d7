/** Up to this many names are compared one by one. */
const FEW = 16;

/** The names of one object's members. A few are compared one by one, which is cheaper than a set. */
export class MemberNames {
  private readonly few: string[] = [];
  private many: Set<string> | undefined;

  /** @returns false if the name already exists */
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
