// The ground: a grid that fades with distance, with the shadows on it. Planes of the world are such grids with a surface; a scene without one gets
// a grid for scale below its lowest point.
import * as THREE from "three";
import { toMatrix } from "./pose";
import type { ShapeInfo } from "./stream";

const VERTEX = `
  varying vec2 at; uniform float reach; uniform vec2 origin;
  void main() { at = position.xy * reach + origin; gl_Position = projectionMatrix * modelViewMatrix * vec4(position * reach, 1.0); }`;
const FRAGMENT = `
  varying vec2 at; uniform float cell; uniform vec3 line; uniform vec3 fill; uniform float solid; uniform float reach; uniform vec2 origin;
  float lines(float size) { vec2 g = abs(fract(at / size - 0.5) - 0.5) / fwidth(at / size); return 1.0 - min(min(g.x, g.y), 1.0); }
  void main() {
    float fade = 1.0 - smoothstep(0.3, 1.0, length(at - origin) / reach);
    float l = max(0.35 * lines(cell), 0.75 * lines(5.0 * cell));
    float s = gl_FrontFacing ? solid : 0.3 * solid;
    float a = (s + (1.0 - s) * l) * fade;
    if (a < 0.003) discard;
    gl_FragColor = vec4(mix(fill, line, l / max(s + (1.0 - s) * l, 1e-3)), a);
    #include <colorspace_fragment>
  }`;

interface Sheet {
  frame: THREE.Matrix4;
  isReal: boolean; // a plane of the world
  grid: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  shadow: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;
}

interface GroundColours {
  line: string;
  ground: string;
  shadow: number; // opacity
}

/// Frames of the planes among the shapes of the world; z is their normal.
export function planesOf(world: ShapeInfo[]): THREE.Matrix4[] {
  return world.filter((s) => s.type === "plane").map((s) => toMatrix([...(s.position ?? [0, 0, 0]), ...(s.orientation ?? [1, 0, 0, 0])]));
}

export class Ground {
  readonly group = new THREE.Group();
  private sheets: Sheet[] = [];
  private colours: GroundColours = { line: "#888888", ground: "#ffffff", shadow: 0.2 };

  /// Sheets for the planes, or one at `height` if there is none; around `centre`, lines every `cell` metres.
  build(planes: THREE.Matrix4[], height: number, centre: THREE.Vector3, radius: number, cell: number): void {
    for (const { grid, shadow } of this.sheets) for (const mesh of [grid, shadow]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.group.clear();
    const isReal = planes.length > 0;
    const frames = isReal ? planes : [new THREE.Matrix4().makeTranslation(0, 0, height)];
    this.sheets = frames.map((frame) => this.makeSheet(frame, isReal, 6 * radius, cell));
    this.moveTo(centre);
    this.applyColours();
  }

  /// Around this place; the lines stay where they are.
  moveTo(centre: THREE.Vector3): void {
    for (const { frame, isReal, grid, shadow } of this.sheets) {
      const foot = centre.clone().applyMatrix4(frame.clone().invert()).setZ(0);
      const { origin, reach } = grid.material.uniforms;
      origin.value.set(foot.x, foot.y);
      if (!isReal) foot.z = -1e-4 * reach.value;
      for (const mesh of [grid, shadow]) mesh.matrix.copy(frame).multiply(new THREE.Matrix4().makeTranslation(foot));
    }
  }

  private makeSheet(frame: THREE.Matrix4, isReal: boolean, reach: number, cell: number): Sheet {
    const material = new THREE.ShaderMaterial({
      transparent: true, depthWrite: false, side: THREE.DoubleSide, vertexShader: VERTEX, fragmentShader: FRAGMENT,
      uniforms: {
        cell: { value: cell }, line: { value: new THREE.Color() }, fill: { value: new THREE.Color() }, solid: { value: isReal ? 0.75 : 0 },
        reach: { value: reach }, origin: { value: new THREE.Vector2() },
      },
    });
    const grid = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
    const shadow = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach), new THREE.ShadowMaterial());
    for (const mesh of [grid, shadow]) {
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    grid.renderOrder = -2;
    shadow.renderOrder = -1;
    shadow.receiveShadow = true;
    shadow.material.depthWrite = false;
    return { frame, isReal, grid, shadow };
  }

  setColours(colours: GroundColours): void {
    this.colours = colours;
    this.applyColours();
  }
  private applyColours(): void {
    for (const { grid, shadow } of this.sheets) {
      grid.material.uniforms.line.value.set(this.colours.line);
      grid.material.uniforms.fill.value.set(this.colours.ground);
      shadow.material.opacity = this.colours.shadow;
    }
  }

  show(hasGrid: boolean, hasShadows: boolean): void {
    for (const { grid, shadow } of this.sheets) {
      grid.visible = hasGrid;
      shadow.visible = hasShadows;
    }
  }
}
