/** What the values of designs are called in German: src/api/design.ts. The desk has the same words. */
export const looksInGerman: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pattern: {
    Original: "durchgehend",
    Circles: "Punkte",
    Squares: "Quadrate",
    Diamonds: "Rauten",
    Triangles: "Dreiecke",
  },
  eye_style: { Square: "eckig", Rounded: "abgerundet", Drop: "Tropfen", Leaf: "Blatt" },
  frame: {
    border: "Rand",
    "border-small": "schmaler Rand",
    "border-large": "breiter Rand",
    square: "eckiger Rand",
    "speech-bubble": "Sprechblase, Text unten",
    "speech-bubble-above": "Sprechblase, Text oben",
    card: "Karte, Text unten",
    "card-above": "Karte, Text oben",
    "text-frame": "Rahmen mit Text",
    "round-frame": "runder Rahmen",
    "circle-viewfinder": "runder Sucher",
    "solid-spin": "Sägeblatt",
    burst: "Strahlenkranz",
    "scattered-lines": "verstreute Striche",
    polkadot: "Tupfen",
    swirl: "Wirbel",
  },
};
