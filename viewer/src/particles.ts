// Particles of strands: bodies that a strand is cut into (docs/strands.md). They can be pulled and looked at like any body, but there are many of
// them, and their joints hold nothing.
import type { PathInfo, StreamHeader } from "./stream";

export interface Particles {
  bodies: Set<number>;
  joints: Set<number>; // of the same names
}

export function particlesOf(header: StreamHeader | null): Particles {
  const found: Particles = { bodies: new Set(), joints: new Set() };
  if (!header) return found;
  const onStrands = new Set((header.paths ?? []).filter((p) => p.kind === "chain").flatMap((p) => p.points.map(({ body }) => body)));
  header.joints.forEach(({ name, type, parent, child }, j) => {
    if (type !== "translation" || parent >= 0 || !onStrands.has(child) || header.bodies[child].name !== name) return;
    found.joints.add(j);
    found.bodies.add(child);
  });
  return found;
}

/// As scenes call it.
export const kindName = ({ kind }: PathInfo) => (kind === "chain" ? "strand" : kind);
