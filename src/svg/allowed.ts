/**
 * Everything that the drawing of a code may consist of. Anything else is refused by name: scripts,
 * HTML, animation, filters, links, and whatever later browsers may run or load.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

export const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
export const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";
export const XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/";
export const XLINK_NAMESPACE = "http://www.w3.org/1999/xlink";

export const ELEMENTS = words(`
  svg g path rect circle ellipse line polyline polygon text tspan textPath defs use symbol clipPath
  mask linearGradient radialGradient stop pattern title desc image style metadata
`);

/** Elements that hold only text: HTML would see elements in it. */
export const TEXT_ONLY = words("title desc style");

/** Style properties, also allowed as attributes; none moves or sizes anything. */
export const PROPERTIES = words(`
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation
  color-rendering cursor direction display dominant-baseline enable-background fill fill-opacity
  fill-rule flood-color flood-opacity font font-family font-feature-settings font-kerning
  font-size font-size-adjust font-stretch font-style font-variant font-variant-alternates
  font-variant-caps font-variant-east-asian font-variant-ligatures font-variant-numeric
  font-variant-position font-variation-settings font-weight image-rendering inline-size isolation
  kerning letter-spacing lighting-color line-height marker marker-end marker-mid marker-start mask
  mask-type mix-blend-mode opacity overflow paint-order pointer-events shape-rendering stop-color
  stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width text-align text-anchor text-decoration
  text-decoration-color text-decoration-line text-decoration-style text-indent text-orientation
  text-rendering text-transform unicode-bidi user-select vector-effect visibility white-space
  word-spacing writing-mode
`);

/** In a style sheet, only properties that cost the same on any number of elements. */
export const SHEET_PROPERTIES = words(`
  clip-rule color color-interpolation color-rendering display dominant-baseline
  enable-background fill fill-opacity fill-rule font font-family font-kerning font-size font-stretch
  font-style font-variant font-weight image-rendering letter-spacing line-height paint-order
  pointer-events shape-rendering stop-color stop-opacity stroke stroke-linecap stroke-linejoin
  stroke-opacity stroke-width text-align text-anchor text-decoration text-rendering visibility
  white-space word-spacing
`);

/** In lower case; `href` and `style` have rules of their own. */
export const ATTRIBUTES = words(`
  version baseprofile contentscripttype contentstyletype id class style lang role tabindex focusable
  width height x y dx dy x1 y1 x2 y2 cx cy r rx ry fx fy fr d points pathlength viewbox
  preserveaspectratio transform transform-origin zoomandpan gradientunits gradienttransform
  spreadmethod offset patternunits patterncontentunits patterntransform clippathunits maskunits
  maskcontentunits rotate textlength lengthadjust startoffset method spacing side href
  requiredfeatures requiredextensions systemlanguage externalresourcesrequired
  crossorigin decoding alt name type media title space
`);

/** Attributes of any length: their content is counted, or nothing uses it. */
export const LONG_ATTRIBUTES = words("d style class title alt");

/** Leftovers of editors and licences; nothing uses them. Beginnings of names. */
const HARMLESS = [
  "http://www.inkscape.org/namespaces/",
  "http://sodipodi.sourceforge.net/",
  "http://inkscape.sourceforge.net/",
  "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  "http://purl.org/dc/",
  "http://creativecommons.org/ns#",
  "http://web.resource.org/cc/",
  "http://ns.adobe.com/",
  "adobe:ns:meta/",
  "http://www.serif.com/",
  "http://www.bohemiancoding.com/sketch/",
  "http://www.figma.com/",
  "http://svgjs.com/",
  "http://svgjs.dev/",
  "https://boxy-svg.com",
  "http://www.corel.com/",
];

export const isHarmless = (namespace: string): boolean =>
  HARMLESS.some((start) => namespace.startsWith(start));
