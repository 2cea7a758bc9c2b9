/**
 * Why a drawing must not be used; the text fits after "the SVG of the code" and "the server's
 * drawing".
 */
export class SvgFault extends Error {}

/**
 * Something in a drawing that can't be ink on a plate; the text fits after "the server's drawing
 * has".
 */
export class SvgUnsupported extends Error {}
