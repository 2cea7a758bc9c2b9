/** A simulated phone camera: what a printed code looks like to a scanner. */
import type { PixelImage } from "../../src/qr/read/decode.ts";
import { seededRandom } from "./payloads.ts";

export interface Camera {
  readonly turnDegrees: number;
  /** Share by which the far side is smaller than the near one. */
  readonly perspective: number;
  /** Pixels of a module in the photograph. */
  readonly pitchPx: number;
  readonly blurPx: number;
  /** Share of the light that is lost on the right. */
  readonly falloff: number;
  /** Standard deviation, in levels of 255. */
  readonly noise: number;
}

export const cameras = {
  mild: { turnDegrees: 7, perspective: 0.1, pitchPx: 4, blurPx: 0.6, falloff: 0.2, noise: 4 },
  hard: { turnDegrees: 13, perspective: 0.2, pitchPx: 3, blurPx: 0.9, falloff: 0.4, noise: 8 },
} as const satisfies Record<string, Camera>;

const PAGE = 215;

interface Grey {
  readonly values: Float32Array;
  readonly width: number;
  readonly height: number;
}

function toGrey({ data, width, height }: PixelImage): Grey {
  const values = new Float32Array(width * height);
  for (let i = 0; i < values.length; i += 1) {
    const [r, g, b, a] = data.subarray(i * 4, i * 4 + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const luma = 0.299 * r + 0.587 * g + 0.114 * b;
    values[i] = luma * (a / 255) + 255 * (1 - a / 255);
  }
  return { values, width, height };
}

function sampleAt({ values, width, height }: Grey, x: number, y: number): number {
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [fx, fy] = [x - 0.5 - left, y - 0.5 - top];
  const at = (px: number, py: number): number =>
    px < 0 || py < 0 || px >= width || py >= height ? PAGE : (values[py * width + px] as number);
  return (
    (at(left, top) * (1 - fx) + at(left + 1, top) * fx) * (1 - fy) +
    (at(left, top + 1) * (1 - fx) + at(left + 1, top + 1) * fx) * fy
  );
}

function blurRows({ values, width, height }: Grey, sigma: number): Grey {
  const reach = Math.ceil(sigma * 3);
  const kernel = Array.from({ length: reach * 2 + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * sigma * sigma)),
  );
  const sum = kernel.reduce((total, weight) => total + weight, 0);
  // Written turned over, so that two passes blur both directions.
  const out = new Float32Array(values.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let value = 0;
      for (let i = -reach; i <= reach; i += 1) {
        const px = Math.min(width - 1, Math.max(0, x + i));
        value += (values[y * width + px] as number) * (kernel[i + reach] as number);
      }
      out[x * height + y] = value / sum;
    }
  }
  return { values: out, width: height, height: width };
}

/** Photographs an image whose modules are `sourcePitchPx` pixels wide. The same seed, the same picture. */
export function photograph(
  image: PixelImage,
  sourcePitchPx: number,
  camera: Camera,
  seed = 1,
): PixelImage {
  const source = toGrey(image);
  const scale = camera.pitchPx / sourcePitchPx;
  const diagonal = Math.hypot(source.width, source.height) * scale;
  const side = Math.ceil(diagonal * 1.08);
  const [cos, sin] = [camera.turnDegrees, camera.turnDegrees].map((degrees, i) =>
    i === 0 ? Math.cos((degrees * Math.PI) / 180) : Math.sin((degrees * Math.PI) / 180),
  ) as [number, number];
  const values = new Float32Array(side * side);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      let value = 0;
      for (const [sx, sy] of [
        [0.25, 0.25],
        [0.75, 0.25],
        [0.25, 0.75],
        [0.75, 0.75],
      ] as const) {
        const [u, v] = [x + sx - side / 2, y + sy - side / 2];
        const depth = 1 + (camera.perspective * u) / diagonal;
        const [pu, pv] = [u / depth, v / depth];
        const px = (pu * cos + pv * sin) / scale + source.width / 2;
        const py = (pv * cos - pu * sin) / scale + source.height / 2;
        value += sampleAt(source, px, py) / 4;
      }
      values[y * side + x] = value;
    }
  }
  const blurred = blurRows(
    blurRows({ values, width: side, height: side }, camera.blurPx),
    camera.blurPx,
  );
  const random = seededRandom(seed);
  const data = new Uint8ClampedArray(side * side * 4);
  for (let i = 0; i < values.length; i += 1) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const light = 1 - (camera.falloff * (i % side)) / side;
    const level = (blurred.values[i] as number) * light * 0.9 + 12 + normal * camera.noise;
    data.fill(level, i * 4, i * 4 + 3);
    data[i * 4 + 3] = 255;
  }
  return { data, width: side, height: side };
}
