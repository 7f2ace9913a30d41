// A pool of equal solids placed anew every frame: arrow shafts and heads, dots, tubes.
import * as THREE from "three";

const Z = new THREE.Vector3(0, 0, 1);
const turn = new THREE.Quaternion();
const sizes = new THREE.Vector3();
const way = new THREE.Vector3();

/// Puts a solid of unit length along z from a to b, with this thickness.
export function between(a: THREE.Vector3, b: THREE.Vector3, thickness: number, out = new THREE.Matrix4()): THREE.Matrix4 {
  const length = way.subVectors(b, a).length();
  turn.setFromUnitVectors(Z, way.divideScalar(length));
  return out.compose(a, turn, sizes.set(thickness, thickness, length));
}

const MANY = 400; // solids from which on the coarse geometry is good enough

interface PoolOptions {
  ghost?: THREE.Material; // every solid is drawn a second time with it
  coarse?: THREE.BufferGeometry; // where there are many
  castsShadow?: boolean;
}

export class Pool {
  readonly group = new THREE.Group();
  private ghost: THREE.InstancedMesh | null = null;
  private mesh: THREE.InstancedMesh;
  private used = 0;
  private colours: THREE.InstancedBufferAttribute;
  private isRecoloured = true; // since colours were last sent
  private matrix = new THREE.Matrix4();

  constructor(private geometry: THREE.BufferGeometry, private material: THREE.Material, capacity = 64, private options: PoolOptions = {}) {
    this.colours = new THREE.InstancedBufferAttribute(new Float32Array(0), 3);
    this.mesh = this.make(capacity);
  }
  private make(capacity: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(this.geometry, this.material, capacity);
    mesh.frustumCulled = false;
    mesh.castShadow = this.options.castsShadow ?? false;
    mesh.count = 0;
    mesh.instanceColor = this.colours = new THREE.InstancedBufferAttribute(new Float32Array(3 * capacity).fill(1), 3);
    this.group.clear();
    this.group.add(mesh);
    if (this.options.ghost) {
      this.ghost = new THREE.InstancedMesh(this.geometry, this.options.ghost, 1);
      this.ghost.instanceMatrix = mesh.instanceMatrix;
      this.ghost.instanceColor = mesh.instanceColor;
      this.ghost.frustumCulled = false;
      this.ghost.renderOrder = 1;
      this.group.add(this.ghost);
    }
    return mesh;
  }
  /// The solid that a ray meets first, of those that were drawn last.
  pick(ray: THREE.Raycaster): { solid: number; point: THREE.Vector3; distance: number } | null {
    this.mesh.boundingSphere = null; // they have moved
    const hit = this.used > 0 ? ray.intersectObject(this.mesh, false)[0] : undefined;
    return hit ? { solid: hit.instanceId ?? 0, point: hit.point, distance: hit.distance } : null;
  }
  begin(): void {
    this.used = 0;
  }
  add(matrix: THREE.Matrix4, colour?: THREE.Color): void {
    if (this.used >= this.mesh.instanceMatrix.count) this.grow();
    matrix.toArray(this.mesh.instanceMatrix.array, 16 * this.used);
    if (colour) this.setColour(3 * this.used, colour);
    ++this.used;
  }
  private grow(): void {
    const old = this.mesh;
    const oldColours = this.colours.array;
    this.mesh = this.make(2 * old.instanceMatrix.count);
    this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
    this.colours.array.set(oldColours);
    this.isRecoloured = true;
    old.dispose();
  }
  // Colours seldom change: they are sent only then.
  private setColour(at: number, { r, g, b }: THREE.Color): void {
    const { array } = this.colours;
    if (array[at] === Math.fround(r) && array[at + 1] === Math.fround(g) && array[at + 2] === Math.fround(b)) return;
    array[at] = r;
    array[at + 1] = g;
    array[at + 2] = b;
    this.isRecoloured = true;
  }
  /// A solid of unit length along z from a to b, of this thickness.
  addBetween(a: THREE.Vector3, b: THREE.Vector3, thickness: number, colour?: THREE.Color): void {
    if (a.distanceToSquared(b) > 1e-24) this.add(between(a, b, thickness, this.matrix), colour);
  }
  addDot(at: THREE.Vector3, radius: number, colour?: THREE.Color): void {
    this.add(this.matrix.makeScale(radius, radius, radius).setPosition(at), colour);
  }
  end(): void {
    const { mesh, ghost, used } = this;
    mesh.count = used;
    mesh.visible = used > 0;
    mesh.geometry = used > MANY ? (this.options.coarse ?? this.geometry) : this.geometry;
    if (ghost) {
      ghost.count = used;
      ghost.visible = mesh.visible;
      ghost.geometry = mesh.geometry;
    }
    if (used === 0) return;
    send(mesh.instanceMatrix, used);
    if (this.isRecoloured) send(this.colours, used);
    this.isRecoloured = false;
  }
}

// Only what is drawn goes to the graphics processor.
function send(numbers: THREE.InstancedBufferAttribute, used: number): void {
  numbers.clearUpdateRanges();
  numbers.addUpdateRange(0, numbers.itemSize * used);
  numbers.needsUpdate = true;
}

/// Shines faintly through whatever is in front.
export const ghost = () => new THREE.MeshBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.4, depthTest: false, depthWrite: false });

export const tube = (sides = 8, isOpen = false) => new THREE.CylinderGeometry(1, 1, 1, sides, 1, isOpen).rotateX(Math.PI / 2).translate(0, 0, 0.5);
export const head = (sides = 12) => new THREE.ConeGeometry(1, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5);
export const dot = () => new THREE.SphereGeometry(1, 16, 10);
export const coarseTube = () => tube(5, true);
export const coarseHead = () => head(6);
export const coarseDot = () => new THREE.IcosahedronGeometry(1);
