/**
 * Colours of screens in inks of the press, through the profile of the output intent
 * (docs/spec/print.md section 4). The profile's table from ink to colour is searched backwards: the
 * bundled profiles have no table in that direction that is fine enough.
 */
import { toLinear } from "../../base/color/color.ts";
import type { Cmyk, Ink } from "../../base/shapes/label-art.ts";
import { inkLimitOf } from "./icc-profile.ts";
import { type IccTable, readIccTable } from "./icc-table.ts";

/** Red, green, blue, 0 to 255. */
export type Rgb = readonly [r: number, g: number, b: number];

type Lab = readonly [l: number, a: number, b: number];

/** CIE XYZ of the profiles' illuminant, D50. */
const WHITE = [0.9642, 1, 0.8249] as const;
/** sRGB (IEC 61966-2-1) to XYZ, adapted to D50 by Bradford's matrix. */
const SRGB = [
  [0.4360747, 0.3850649, 0.1430804],
  [0.2225045, 0.7168786, 0.0606169],
  [0.0139322, 0.0971045, 0.7141733],
] as const;

const labCurve = (t: number): number =>
  t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116;

/** A colour as people see it, relative to the white of the paper. */
export function toLab(rgb: Rgb): Lab {
  const [r, g, b] = rgb.map(toLinear) as [number, number, number];
  const [x, y, z] = SRGB.map((row, i) =>
    labCurve((row[0] * r + row[1] * g + row[2] * b) / (WHITE[i] as number)),
  ) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Lab from 0 to 1 as tables hold it: 16 bits of version 2 are not used up to their end. */
const fromTable: Readonly<Record<IccTable["lab"], (values: readonly number[]) => Lab>> = {
  "version-2": ([l = 0, a = 0, b = 0]) => [
    (l * 65535) / 652.8,
    (a * 65535) / 256 - 128,
    (b * 65535) / 256 - 128,
  ],
  "version-4": ([l = 0, a = 0, b = 0]) => [l * 100, a * 255 - 128, b * 255 - 128],
};

const difference = (one: Lab, other: Lab): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/** Invisible differences. */
const ALIKE = 1;

interface Found {
  readonly cmyk: Cmyk;
  readonly off: number;
}

const platesOf = ({ cmyk }: Found): number => cmyk.filter((share) => share > 0).length;
const totalOf = (cmyk: Cmyk): number => cmyk[0] + cmyk[1] + cmyk[2] + cmyk[3];

/** Solves 3 x 3 by Cramer's rule; undefined where there is no one answer. */
function solve(m: readonly Lab[], v: Lab): Lab | undefined {
  const [p, q, r] = m as readonly [Lab, Lab, Lab];
  const det = (a: Lab, b: Lab, c: Lab): number =>
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    b[0] * (a[1] * c[2] - a[2] * c[1]) +
    c[0] * (a[1] * b[2] - a[2] * b[1]);
  const whole = det(p, q, r);
  if (Math.abs(whole) < 1e-9) return undefined;
  return [det(v, q, r) / whole, det(p, v, r) / whole, det(p, q, v) / whole];
}

/** Points along each side of the table that pictures are turned with. */
const LATTICE = 17;
/** Lightness under which pictures have black in them. */
const BLACK_BELOW = 60;

const STEPS = 12;
const SLOPE = 0.01;

/** Turns RGB colours into inks. */
export class PressColors {
  readonly #toLab: IccTable;
  readonly #known = new Map<string, Ink>();

  readonly #mostInk: number;

  /** `mostInk`: all inks on one place, as a share of one full ink (docs/spec/print.md section 4). */
  constructor(toLabTable: IccTable, mostInk: number) {
    this.#toLab = toLabTable;
    this.#mostInk = mostInk;
  }

  /** The look of inks on the paper of the profile. */
  seen(cmyk: Cmyk): Lab {
    return fromTable[this.#toLab.lab](this.#toLab.at(cmyk));
  }

  /** How far the look of inks is from an RGB colour, in Lab: 2 is hardly seen, 10 is obvious. */
  difference(rgb: Rgb, cmyk: Cmyk): number {
    return difference(toLab(rgb), this.seen(cmyk));
  }

  /** The ink of a flat colour: as few plates as show it, whole percents. */
  inkOf(rgb: Rgb): Ink {
    const key = rgb.join();
    const known = this.#known.get(key) ?? { cmyk: this.#search(rgb), spot: null, tint: 1 };
    this.#known.set(key, known);
    return known;
  }

  /** A place of a picture: mostly colours, black where they get dark, as photographs are separated. */
  pictureInk(rgb: Rgb): Cmyk {
    const nodes = rgb.map((value) =>
      Math.min(LATTICE - 2, Math.floor((value * (LATTICE - 1)) / 255)),
    );
    const share = rgb.map((value, i) => (value * (LATTICE - 1)) / 255 - (nodes[i] as number));
    const mixed = [0, 0, 0, 0];
    for (let corner = 0; corner < 8; corner += 1) {
      let weight = 1;
      let index = 0;
      for (let i = 0; i < 3; i += 1) {
        const isHigh = (corner >> i) & 1;
        weight *= isHigh === 1 ? (share[i] as number) : 1 - (share[i] as number);
        index = index * LATTICE + (nodes[i] as number) + isHigh;
      }
      if (weight === 0) continue;
      const node = this.#node(index);
      for (let i = 0; i < 4; i += 1) mixed[i] = (mixed[i] as number) + weight * (node[i] as number);
    }
    return mixed as unknown as Cmyk;
  }

  readonly #nodes = new Map<number, Cmyk>();

  #node(index: number): Cmyk {
    const known = this.#nodes.get(index);
    if (known !== undefined) return known;
    const at = [
      Math.floor(index / LATTICE ** 2),
      Math.floor(index / LATTICE) % LATTICE,
      index % LATTICE,
    ];
    const made = this.#separate(at.map((n) => (n * 255) / (LATTICE - 1)) as unknown as Rgb);
    this.#nodes.set(index, made);
    return made;
  }

  /** More black than by the curve only where there would be too much ink for the paper. */
  #separate(rgb: Rgb): Cmyk {
    const wanted = toLab(rgb);
    if (wanted[0] > 99.9) return [0, 0, 0, 0];
    const [lightest, darkest] = [100, this.seen([0.8, 0.7, 0.7, 0.8])[0]];
    // Black of screens is darker than that of any paper.
    const lightness = darkest + ((lightest - darkest) * wanted[0]) / 100;
    const aim: Lab = [lightness, wanted[1], wanted[2]];
    let k = Math.max(0, (BLACK_BELOW - lightness) / BLACK_BELOW) ** 1.3;
    for (; k < 1; k += 0.05) {
      const found = this.near(aim, Math.min(1, k));
      if (totalOf(found) <= this.#mostInk) return found;
    }
    return [0.6, 0.5, 0.5, 1];
  }

  #search(rgb: Rgb): Cmyk {
    const wanted = toLab(rgb);
    const isGrey = Math.max(...rgb) - Math.min(...rgb) <= 2;
    const all = isGrey ? this.#greys(wanted) : this.#colors(wanted);
    const best = Math.min(...all.map(({ off }) => off));
    const alike = all.filter(({ off }) => off <= best + ALIKE);
    // Among equal looks: the fewest plates, then the least ink.
    const [found] = alike.toSorted(
      (one, other) =>
        platesOf(one) - platesOf(other) ||
        totalOf(one.cmyk) - totalOf(other.cmyk) ||
        one.off - other.off,
    );
    return found?.cmyk ?? [0, 0, 0, 1];
  }

  #greys([lightness]: Lab): Found[] {
    return Array.from({ length: 101 }, (_, i): Found => {
      const cmyk: Cmyk = [0, 0, 0, i / 100];
      return { cmyk, off: Math.abs(this.seen(cmyk)[0] - lightness) };
    });
  }

  /** The nearest colour for each share of black; also without each of the three others. */
  #colors(wanted: Lab): Found[] {
    const found: Found[] = [];
    for (let k = 0; k <= 100; k += 4) {
      const near = this.near(wanted, k / 100);
      found.push(this.#rounded(near, wanted));
      for (const i of [0, 1, 2]) {
        const without = near.map((share, at) => (at === i ? 0 : share)) as unknown as Cmyk;
        found.push(this.#rounded(without, wanted));
      }
    }
    return found.filter(({ cmyk }) => totalOf(cmyk) <= this.#mostInk);
  }

  #rounded(cmyk: Cmyk, wanted: Lab): Found {
    const whole = cmyk.map((share) => Math.round(share * 100) / 100) as unknown as Cmyk;
    return { cmyk: whole, off: difference(this.seen(whole), wanted) };
  }

  /** Cyan, magenta and yellow that come nearest to a colour with that much black. */
  near(wanted: Lab, k: number, from: readonly [number, number, number] = [0.4, 0.4, 0.4]): Cmyk {
    let at: Cmyk = [...from, k];
    let off = difference(this.seen(at), wanted);
    let reach = 1;
    for (let step = 0; step < STEPS && off > 0.2 && reach > 0.02; step += 1) {
      const here = this.seen(at);
      const slopes = [0, 1, 2].map((i): Lab => {
        const by = (at[i] as number) > 0.5 ? -SLOPE : SLOPE;
        const moved = this.seen(
          at.map((share, j) => (j === i ? share + by : share)) as unknown as Cmyk,
        );
        return [(moved[0] - here[0]) / by, (moved[1] - here[1]) / by, (moved[2] - here[2]) / by];
      });
      const lack: Lab = [wanted[0] - here[0], wanted[1] - here[1], wanted[2] - here[2]];
      const move = this.#step(slopes, at, lack);
      const next: Cmyk = [
        clamp(at[0] + move[0] * reach),
        clamp(at[1] + move[1] * reach),
        clamp(at[2] + move[2] * reach),
        k,
      ];
      const nextOff = difference(this.seen(next), wanted);
      if (nextOff < off) {
        at = next;
        off = nextOff;
      } else reach /= 2;
    }
    return at;
  }

  /** Shares at a limit stay there; the others take up the rest (least squares). */
  #step(slopes: readonly Lab[], at: Cmyk, lack: Lab): Lab {
    const free = [true, true, true];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const move = leastSquares(slopes, free, lack);
      const stuck = [0, 1, 2].filter(
        (i) =>
          free[i] === true &&
          (((at[i] as number) <= 0 && (move[i] as number) < 0) ||
            ((at[i] as number) >= 1 && (move[i] as number) > 0)),
      );
      if (stuck.length === 0) return move;
      for (const i of stuck) free[i] = false;
    }
    return [0, 0, 0];
  }
}

const dot = (a: Lab, b: Lab): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Moves of the free shares that lack the least. */
function leastSquares(slopes: readonly Lab[], free: readonly boolean[], lack: Lab): Lab {
  const normal = [0, 1, 2].map(
    (i): Lab =>
      [0, 1, 2].map((j) => {
        if (free[i] !== true || free[j] !== true) return i === j ? 1 : 0;
        const own = i === j ? 1e-3 : 0;
        return dot(slopes[i] as Lab, slopes[j] as Lab) + own;
      }) as unknown as Lab,
  );
  const right = [0, 1, 2].map((i) =>
    free[i] === true ? dot(slopes[i] as Lab, lack) : 0,
  ) as unknown as Lab;
  return solve(normal, right) ?? [0, 0, 0];
}

/** Undefined for a profile without a table that can be read: CMYK to Lab. */
export function openPressColors(
  profile: Uint8Array,
  mostInk = inkLimitOf(undefined),
): PressColors | undefined {
  const table = readIccTable(profile, "A2B1") ?? readIccTable(profile, "A2B0");
  const isLab = String.fromCharCode(...profile.subarray(20, 24)) === "Lab ";
  if (table === undefined || table.inputs !== 4 || table.outputs !== 3 || !isLab) return undefined;
  return new PressColors(table, mostInk);
}
