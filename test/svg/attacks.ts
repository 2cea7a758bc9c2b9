/** Drawings that a hostile server may send, and what is said of each. */
const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const NS = 'xmlns="http://www.w3.org/2000/svg"';
const PNG_1X1 =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const HTML = Buffer.from("<html><script>alert(1)</script></html>").toString("base64");

export const embeddedPng = `data:image/png;base64,${PNG_1X1}`;

/** A PNG that says of itself that it is so large. */
export function hugePng(width: number, height: number): string {
  const file = Buffer.from(PNG_1X1, "base64");
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  return `data:image/png;base64,${file.toString("base64")}`;
}

export const svg = (body: string, attributes = ""): string =>
  `<svg ${NS} ${XLINK} viewBox="0 0 10 10" ${attributes}>${body}</svg>`;

const utf16 = (text: string): Uint8Array =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);

/** Name, file, what is said of it. */
export type Attack = readonly [name: string, file: string | Uint8Array, says: string];

const elements: readonly Attack[] = [
  ["a script", svg("<script>alert(1)</script>"), "has <script>"],
  ["a script elsewhere", svg('<script href="https://evil.example/x.js"/>'), "has <script>"],
  [
    "a script under a prefix",
    `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script/></s:svg>`,
    "has <s:script>",
  ],
  ["a script without namespace", `<svg ${NS}><script xmlns="">x</script></svg>`, "has <script>"],
  ["a script that HTML would run", svg("<SCRIPT>alert(1)</SCRIPT>"), "has <SCRIPT>"],
  [
    "HTML",
    svg(`<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>`),
    "has <foreignObject>",
  ],
  ["a script of HTML", svg(`<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>`), "has <h:script>"],
  [
    "HTML in its metadata",
    svg(`<metadata><h:img xmlns:h="http://www.w3.org/1999/xhtml"/></metadata>`),
    "has <h:img>",
  ],
  ["HTML in its title", svg("<title><g>x</g></title>"), "has <g> in its <title>"],
  ["a frame", svg('<iframe src="https://evil.example"/>'), "has <iframe>"],
  ["a link", svg('<a href="https://evil.example"><rect/></a>'), "has <a>"],
  [
    "animation of an address",
    svg('<use href="#a"><set attributeName="href" to="javascript:alert(1)"/></use>'),
    "has <set>",
  ],
  ["animation", svg('<rect><animate attributeName="x" to="9"/></rect>'), "has <animate>"],
  ["a handler of SVG Tiny", svg("<handler>alert(1)</handler>"), "has <handler>"],
  [
    "a listener",
    svg('<ev:listener xmlns:ev="http://www.w3.org/2001/xml-events" handler="#x"/>'),
    "has <ev:listener>",
  ],
  [
    "a file of this computer by XInclude",
    svg(
      '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>',
    ),
    "has <xi:include>",
  ],
  ["a filter", svg('<filter id="f"><feTurbulence numOctaves="999"/></filter>'), "has <filter>"],
  ["a picture by a filter", svg('<feImage href="https://evil.example/x.png"/>'), "has <feImage>"],
  [
    "a style sheet by link",
    svg('<link rel="stylesheet" href="https://evil.example/x.css"/>'),
    "has <link>",
  ],
  ["a font", svg("<font-face/>"), "has <font-face>"],
];

const attributes: readonly Attack[] = [
  ["a handler on its root", svg("", 'onload="alert(1)"'), "has the attribute onload on <svg>"],
  ["a handler on a part", svg('<rect onclick="alert(1)"/>'), "has the attribute onclick on <rect>"],
  ["a handler in capitals", svg("", 'ONLOAD="alert(1)"'), "has the attribute ONLOAD on <svg>"],
  [
    "a handler under a prefix",
    svg(`<rect i:onload="x" xmlns:i="http://www.inkscape.org/namespaces/inkscape"/>`),
    "has the attribute i:onload",
  ],
  ["an attribute that nobody knows", svg('<rect formaction="x"/>'), "has the attribute formaction"],
  ["another base", svg("", 'xml:base="https://evil.example/"'), "has the attribute xml:base"],
  [
    "javascript: in a use",
    svg('<use href="javascript:alert(1)"/>'),
    'refers from <use> to "javascript:alert(1)"',
  ],
  [
    "javascript: in letters of XML",
    svg('<use href="&#106;avascript:alert(1)"/>'),
    'refers from <use> to "javascript:alert(1)"',
  ],
  [
    "a use of elsewhere",
    svg('<use xlink:href="https://evil.example/x.svg#a"/>'),
    'refers from <use> to "https://evil.example/x.svg#a"',
  ],
  [
    "a use of elsewhere under another prefix",
    svg('<use q:href="//evil.example/x.svg#a" xmlns:q="http://www.w3.org/1999/xlink"/>'),
    'refers from <use> to "//evil.example/x.svg#a"',
  ],
  [
    "a use of SVG in its address",
    svg('<use href="data:image/svg+xml;base64,AAAA#x"/>'),
    'refers from <use> to "data:image/svg+xml',
  ],
  [
    "a gradient of elsewhere",
    svg('<linearGradient href="https://evil.example/#g"/>'),
    "refers from <linearGradient>",
  ],
  [
    "a picture of elsewhere",
    svg('<image href="https://evil.example/x.png"/>'),
    "has a picture that is not in it",
  ],
  [
    "a picture of this computer",
    svg('<image href="file:///etc/hostname"/>'),
    "has a picture that is not in it",
  ],
  [
    "a picture that is HTML",
    svg(`<image href="data:text/html;base64,${HTML}"/>`),
    "has a picture that is not in it",
  ],
  [
    "a picture that is SVG",
    svg('<image href="data:image/svg+xml;base64,AAAA"/>'),
    "has a picture that is not in it",
  ],
  [
    "HTML that calls itself a PNG",
    svg(`<image href="data:image/png;base64,${HTML}"/>`),
    "has a picture that is no PNG or JPEG",
  ],
  [
    "a picture that unpacks to gigabytes",
    svg(`<image href="${hugePng(60_000, 60_000)}"/>`),
    "has a picture of 60000 x 60000 pixels",
  ],
];

const styles: readonly Attack[] = [
  [
    "a colour of elsewhere",
    svg('<rect fill="url(https://evil.example/x.svg#p)"/>'),
    'refers to "https://evil.example/x.svg#p"',
  ],
  ["a style of elsewhere", svg(`<rect style="fill:url('https://evil.example/#p')"/>`), "refers to"],
  [
    "an escaped style",
    svg(String.raw`<rect fill="\75rl(https://evil.example)"/>`),
    "has an escape in the style",
  ],
  ["a background", svg('<g style="background:url(https://evil.example)"/>'), "has the style"],
  ["an expression", svg('<g style="fill:expression(alert(1))"/>'), "has the style"],
  ["a cover over the page", svg('<g style="position:fixed"/>'), "has the style"],
  [
    "an import",
    svg("<style>@import 'https://evil.example/x.css';</style>"),
    "has a style sheet with",
  ],
  [
    "a font of elsewhere",
    svg("<style>@font-face{src:url(https://evil.example)}</style>"),
    "has a style sheet with",
  ],
  [
    "a sheet that loads",
    svg("<style>rect{fill:url(//evil.example)}</style>"),
    "has a style sheet with",
  ],
  [
    "markup in a sheet",
    svg("<style><![CDATA[</style><img src=x onerror=alert(1)>]]></style>"),
    "hides markup in CDATA",
  ],
  [
    "markup in CDATA",
    svg("<desc><![CDATA[<img src=x onerror=alert(1)>]]></desc>"),
    "hides markup in CDATA",
  ],
  ["markup in a comment", svg("<!--><img src=x onerror=alert(1)>-->"), "hides markup in a comment"],
];

const prologs: readonly Attack[] = [
  [
    "a sheet by instruction",
    `<?xml-stylesheet href="https://evil.example/x.xsl"?>${svg("")}`,
    "has the instruction <?xml-stylesheet?>",
  ],
  ["entities", `<!DOCTYPE svg [<!ENTITY a "b">]>${svg("<text>&a;</text>")}`, "defines entities"],
  [
    "entities that grow",
    `<!DOCTYPE svg [<!ENTITY a "bbbb"><!ENTITY c "&a;&a;&a;">]>${svg("&c;")}`,
    "defines entities",
  ],
  [
    "a file of this computer",
    `<!DOCTYPE svg SYSTEM "file:///etc/passwd">${svg("")}`,
    "has a DOCTYPE of its own",
  ],
  ["an entity that nobody defined", svg("<text>&x;</text>"), "is not well-formed XML"],
  ["UTF-16", utf16(svg("<script/>")), "must be written in UTF-8"],
  [
    "UTF-7",
    `<?xml version="1.0" encoding="utf-7"?>${svg("+ADw-script/+AD4-")}`,
    "must be written in UTF-8, got utf-7",
  ],
  [
    "UTF-16 by its own word",
    `<?xml version="1.0" encoding="UTF-16"?>${svg("")}`,
    "must be written in UTF-8, got UTF-16",
  ],
  [
    "bytes that are no text",
    Buffer.from(svg("<desc>\u00ff</desc>"), "latin1"),
    "must be written in UTF-8",
  ],
  ["a prefix of nothing", svg('<rect x:href="javascript:alert(1)"/>'), "is not well-formed XML"],
];

export const attacks: readonly Attack[] = [...elements, ...attributes, ...styles, ...prologs];

const zigzag = (count: number): string =>
  Array.from({ length: count }, (_, i) => `L${(i * 37) % 10} ${i % 2 === 0 ? 0 : 10}`).join("");
const nested = (levels: number): string =>
  Array.from(
    { length: levels },
    (_, i) =>
      `<g id="l${i}">${`<use href="#l${i - 1}"/>`.repeat(i === 0 ? 0 : 10)}<rect width="1" height="1"/></g>`,
  ).join("");
const MUCH = "takes far more work to draw";

/** Small files that take very long to draw. */
export const bombs: readonly Attack[] = [
  ["edges from end to end", svg(`<path d="M0 0${zigzag(20_000)}"/>`), MUCH],
  ["outlines", svg(`<path stroke="#000" stroke-width="9" d="M0 0${zigzag(2000)}"/>`), MUCH],
  [
    "outlines by a sheet",
    svg(
      `<style>path{stroke:#000;stroke-width:9}</style><path stroke="none" d="M0 0${zigzag(2000)}"/>`,
    ),
    MUCH,
  ],
  ["dashes", svg('<path d="M0 0H9V9" stroke="#000" stroke-dasharray="0.00001"/>'), MUCH],
  ["a use of uses (billion laughs)", svg(`<defs>${nested(12)}</defs><use href="#l11"/>`), MUCH],
  [
    "two of one name",
    svg(`<g id="a"><path d="M0 0${zigzag(900)}"/></g><g id="a"/>${'<use href="#a"/>'.repeat(20)}`),
    MUCH,
  ],
  [
    "many of one name",
    svg(`${'<g id="a"/>'.repeat(20_000)}${'<use href="#a"/>'.repeat(15_000)}`),
    MUCH,
  ],
  [
    "a long number, used again and again",
    svg(`<path id="a" d="M0 0L.${"1".repeat(90_000)} 0"/>${'<use href="#a"/>'.repeat(2000)}`),
    MUCH,
  ],
  [
    "blanks, used again and again",
    svg(`<text id="a">${" ".repeat(90_000)}</text>${'<use href="#a"/>'.repeat(2000)}`),
    MUCH,
  ],
  [
    "a transform without end",
    svg(`<g transform="${"scale(1)".repeat(10_000)}"/>`),
    "has the attribute transform on <g> of more than 1000 characters",
  ],
  [
    "dashes without end",
    svg(`<g style="stroke-dasharray:${"1,".repeat(10_000)}"/>`),
    "has the attribute stroke-dasharray on <g> of more than 1000 characters",
  ],
  [
    "a use of a name without end",
    svg(`<use href="#${"a".repeat(10_000)}"/>`),
    "has the attribute href on <use> of more than 1000 characters",
  ],
  ["a use of itself", svg('<g id="a"><use href="#a"/></g>'), "uses itself"],
  [
    "masks",
    svg(`<mask id="m"><rect width="9" height="9"/></mask>${'<g mask="url(#m)"/>'.repeat(100)}`),
    MUCH,
  ],
  [
    "masks of masks",
    svg('<mask id="m"><g mask="url(#m)"/></mask><g mask="url(#m)"/>'),
    "uses itself",
  ],
  ["layers", svg('<g opacity=".5"/>'.repeat(1000)), MUCH],
  [
    "clips of many parts",
    svg(`<clipPath id="c">${'<circle r="5"/>'.repeat(900)}</clipPath><g clip-path="url(#c)"/>`),
    MUCH,
  ],
  [
    "a pattern of many parts",
    svg(
      `<pattern id="p">${'<rect width="1" height="1"/>'.repeat(400)}</pattern><rect width="9" height="9" fill="url(#p)"/><rect width="9" height="9" fill="url(#p)"/>`,
    ),
    MUCH,
  ],
  [
    "a colour of many steps",
    svg(
      `<linearGradient id="g">${"<stop/>".repeat(3000)}</linearGradient><g fill="url(#g)">${'<rect width="1" height="1"/>'.repeat(60)}</g>`,
    ),
    MUCH,
  ],
  ["text without end", svg(`<text>${"a".repeat(2000)}</text>`), MUCH],
  [
    "a view of a billionth",
    svg(`<svg viewBox="0 0 1e-9 1e-9"><path d="M0 0${zigzag(4000)}"/></svg>`),
    MUCH,
  ],
  ["depth", svg("<g>".repeat(70) + "</g>".repeat(70)), "is nested more than 64 deep"],
  [
    "attributes without end",
    svg(`<g ${Array.from({ length: 1001 }, (_, i) => `data-${i}=""`).join(" ")}/>`),
    "has more than 1000 attributes on one element",
  ],
  [
    "corners without end",
    svg(`<polygon points="${"0 0 ".repeat(300_000)}"/>`),
    "has the attribute points on <polygon> of more than 1000000 characters",
  ],
  [
    "a text that never ends",
    svg(`<![CDATA[${"]]".repeat(600_000)}]]>`),
    "has a text or comment of more than 1000000 characters",
  ],
  [
    "a comment that is very long",
    svg(`<!--${"x".repeat(1_200_000)}-->`),
    "has a text or comment of more than 1000000 characters",
  ],
  ["parts without end", svg("<g/>".repeat(40_001)), "has more than 40000 elements"],
  [
    "a number of 200 digits",
    svg(`<path d="a${"1".repeat(200)}"/>`),
    "has a path whose path data has",
  ],
  ["endless corners", svg('<polygon points="0,0 1e999,-1e999 -1e999,1e999"/>'), MUCH],
  ["an endless number", svg('<path d="M0 0L1e999 0"/>'), "has a path whose path data has"],
  ["comments that never end", svg("<!--".repeat(400_000)), "is not well-formed XML"],
  ["tags that never end", "<svg ".repeat(300_000), "is not"],
  ["attributes that never end", `<svg ${"a".repeat(2_000_000)}`, "is not"],
  ["9 MB", svg(`<desc>${"a".repeat(9 * 1024 * 1024)}</desc>`), "must be at most 8388608 bytes"],
];
