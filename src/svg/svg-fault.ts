/** Why a drawing must not be used; reads behind "the SVG of the code" and "the server's drawing". */
export class SvgFault extends Error {}

/** What a drawing has that can't be ink on a plate; reads behind "the server's drawing has". */
export class SvgUnsupported extends Error {}
