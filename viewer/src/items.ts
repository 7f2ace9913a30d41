// What can be selected, hidden and followed.
export type Kind = "body" | "soft" | "joint" | "path";
export interface Item {
  kind: Kind;
  index: number; // among those of its kind in the header
}
export type Hidden = Record<Kind, Set<number>>;

export function isSame(a: Item | null, b: Item | null): boolean {
  return a?.kind === b?.kind && a?.index === b?.index;
}
