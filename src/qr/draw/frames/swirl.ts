/** `swirl`: eighteen curved strokes, thin at both ends. */
import { polar, toNumbers } from "../outline.ts";
import type { DrawFrame } from "./frame.ts";
import { type Circle, cornerRadius, drawRound, OUTER_SHARE } from "./round.ts";

const STROKES = 18;
const INNER_SHARE = 1.015;
/** How far a stroke turns from its inner to its outer end, radians. */
const TURN = 0.52;

function strokePath({ centre, radius }: Circle, angle: number): string {
  const start = polar(centre, radius * INNER_SHARE, angle);
  const end = polar(centre, radius * OUTER_SHARE, angle + TURN);
  const outside = polar(centre, radius * 1.21, angle + TURN * 0.32);
  const inside = polar(centre, radius * 1.05, angle + TURN * 0.66);
  return `M${toNumbers(...start)}Q${toNumbers(...outside, ...end)}Q${toNumbers(...inside, ...start)}z`;
}

function swirlPath(circle: Circle): string {
  const step = (Math.PI * 2) / STROKES;
  return Array.from({ length: STROKES }, (_, i) => strokePath(circle, i * step)).join("");
}

export const swirlFrame: DrawFrame = (input) =>
  drawRound(input, cornerRadius(input.side) * OUTER_SHARE, swirlPath);
