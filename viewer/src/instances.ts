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

/// With a ghost material, every solid is drawn a second time with it.
export class Pool {
  readonly group = new THREE.Group();
  private ghost: THREE.InstancedMesh | null = null;
  private mesh: THREE.InstancedMesh;
  private used = 0;
  private castsShadow = false;
  private matrix = new THREE.Matrix4();

  constructor(private geometry: THREE.BufferGeometry, private material: THREE.Material, capacity = 64, private ghostMaterial?: THREE.Material) {
    this.mesh = this.make(capacity);
  }
  private make(capacity: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(this.geometry, this.material, capacity);
    mesh.frustumCulled = false;
    mesh.castShadow = this.castsShadow;
    mesh.count = 0;
    mesh.setColorAt(0, new THREE.Color("#ffffff"));
    this.group.clear();
    this.group.add(mesh);
    if (this.ghostMaterial) {
      this.ghost = new THREE.InstancedMesh(this.geometry, this.ghostMaterial, 1);
      this.ghost.instanceMatrix = mesh.instanceMatrix;
      this.ghost.instanceColor = mesh.instanceColor;
      this.ghost.frustumCulled = false;
      this.ghost.renderOrder = 1;
      this.group.add(this.ghost);
    }
    return mesh;
  }
  castShadow(): void {
    this.castsShadow = this.mesh.castShadow = true;
  }
  begin(): void {
    this.used = 0;
  }
  add(matrix: THREE.Matrix4, colour?: THREE.Color): void {
    if (this.used >= this.mesh.instanceMatrix.count) {
      const old = this.mesh;
      this.mesh = this.make(2 * old.instanceMatrix.count);
      (this.mesh.instanceMatrix.array as Float32Array).set(old.instanceMatrix.array as Float32Array);
      if (old.instanceColor && this.mesh.instanceColor) (this.mesh.instanceColor.array as Float32Array).set(old.instanceColor.array as Float32Array);
      old.dispose();
    }
    this.mesh.setMatrixAt(this.used, matrix);
    if (colour) this.mesh.setColorAt(this.used, colour);
    ++this.used;
  }
  /// A solid of unit length along z from a to b, of this thickness.
  addBetween(a: THREE.Vector3, b: THREE.Vector3, thickness: number, colour?: THREE.Color): void {
    if (a.distanceToSquared(b) > 1e-24) this.add(between(a, b, thickness, this.matrix), colour);
  }
  addDot(at: THREE.Vector3, radius: number, colour?: THREE.Color): void {
    this.add(this.matrix.makeScale(radius, radius, radius).setPosition(at), colour);
  }
  end(): void {
    this.mesh.count = this.used;
    if (this.ghost) this.ghost.count = this.used;
    if (this.used === 0) return;
    for (const numbers of [this.mesh.instanceMatrix, this.mesh.instanceColor]) { // only what is drawn goes to the graphics processor
      numbers?.clearUpdateRanges();
      numbers?.addUpdateRange(0, numbers.itemSize * this.used);
      if (numbers) numbers.needsUpdate = true;
    }
  }
}

/// Shines faintly through whatever is in front.
export const ghost = () => new THREE.MeshBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.4, depthTest: false, depthWrite: false });

export const tube = (sides = 8) => new THREE.CylinderGeometry(1, 1, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5);
export const head = () => new THREE.ConeGeometry(1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
export const dot = () => new THREE.SphereGeometry(1, 16, 10);
