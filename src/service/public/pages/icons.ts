/** A small drawing for each kind of link: it shows what is behind it; no trademarks. */

const shapes = {
  globe:
    '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c3.4 3 3.4 15 0 18M12 3c-3.4 3-3.4 15 0 18"/>',
  camera: '<path d="M4 8h3l2-3h6l2 3h3v11H4z"/><circle cx="12" cy="13" r="3.4"/>',
  film: '<rect x="3" y="5" width="18" height="14" rx="3"/><path d="M10 9l5 3-5 3z"/>',
  chat: '<path d="M4 5h16v11H11l-4 4v-4H4zM8 9h8M8 12h5"/>',
  people:
    '<circle cx="9" cy="8" r="3"/><path d="M3 20c0-4 2.6-6 6-6s6 2 6 6M15 5.3a3 3 0 010 5.4M17 14.5c2.5.7 4 2.6 4 5.5"/>',
  person: '<circle cx="12" cy="8" r="4"/><path d="M4 21c0-5 3.2-7 8-7s8 2 8 7"/>',
  briefcase: '<path d="M4 8h16v12H4zM9 8V5h6v3M4 13h16M12 12v2"/>',
  note: '<path d="M9 18V6l11-2.5V16"/><circle cx="6.5" cy="18" r="2.5"/><circle cx="17.5" cy="16" r="2.5"/>',
  mail: '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="M4 7.5l8 6 8-6"/>',
  phone:
    '<path d="M5.5 3.5h3.8l1.7 4.5-2.3 1.6c1 2.3 3.2 4.5 5.6 5.6l1.6-2.3 4.5 1.7v3.9c0 1.1-.9 2-2 2C10.7 20.5 3.5 13.3 3.5 5.5c0-1.1.9-2 2-2z"/>',
  pin: '<path d="M12 21c-4.5-5-7-8.3-7-12a7 7 0 0114 0c0 3.7-2.5 7-7 12z"/><circle cx="12" cy="9" r="2.5"/>',
  calendar: '<rect x="4" y="5" width="16" height="15" rx="2"/><path d="M4 10h16M8 3v4M16 3v4"/>',
  bag: '<path d="M5 8h14l1 13H4zM9 10V6a3 3 0 016 0v4"/>',
  cutlery: '<path d="M5 3v4a2.5 2.5 0 005 0V3M7.5 3v18M18 13h-3.5c0-5 1-8.5 3.5-10v18"/>',
  document: '<path d="M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6"/>',
  download: '<path d="M12 3v12M7 11l5 5 5-5M4 20h16"/>',
  code: '<path d="M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14"/>',
  bookmark: '<path d="M6 3h12v18l-6-5-6 5z"/>',
  card: '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="M3 10h18M7 15h4"/>',
  star: '<path d="M12 3l2.7 5.8 6.3.8-4.6 4.4 1.2 6.3L12 17.2 6.4 20.3l1.2-6.3L3 9.6l6.3-.8z"/>',
  heart: '<path d="M12 20C5 15 3 12 3 8.8A4.5 4.5 0 0112 7a4.5 4.5 0 019 1.8C21 12 19 15 12 20z"/>',
  next: '<path d="M9 5l7 7-7 7"/>',
} as const;

export type Icon = keyof typeof shapes;

/** Words in types (letters only) -> their icon. */
const words: readonly [RegExp, Icon][] = [
  [/^(?:instagram|snapchat|flickr|photos?|gallery|images?)$/u, "camera"],
  [/^(?:youtube|vimeo|twitch|videos?|tiktok|kick)$/u, "film"],
  [
    /^(?:whatsapp|telegram|messenger|signal|discord|slack|wechat|line|sms|chat|skype|viber|x|xtwitter|twitter|threads|mastodon|bluesky|reddit)$/u,
    "chat",
  ],
  [/^(?:facebook|community|group|meetup)$/u, "people"],
  [/^(?:linkedin|xing|jobs?|careers?|portfolio|behance|dribbble)$/u, "briefcase"],
  [/^(?:spotify|soundcloud|applemusic|music|podcasts?|deezer|bandcamp)$/u, "note"],
  [/^(?:e?mail|newsletter)$/u, "mail"],
  [/^(?:phone|tel|telephone|call|mobile)$/u, "phone"],
  [/^(?:maps?|googlemaps|applemaps|location|address|directions)$/u, "pin"],
  [/^(?:calendar|events?|booking|calendly|reservations?|appointments?)$/u, "calendar"],
  [/^(?:shop|store|etsy|amazon|ebay|onlineshop)$/u, "bag"],
  [/^(?:menu|restaurant|food)$/u, "cutlery"],
  [/^(?:pdf|documents?|files?|blog|article|news|medium|brochure)$/u, "document"],
  [/^(?:downloads?|appstore|googleplay|playstore|app)$/u, "download"],
  [/^(?:github|gitlab|code|docs|documentation)$/u, "code"],
  [/^(?:pinterest|bookmark)$/u, "bookmark"],
  [/^(?:paypal|venmo|cashapp|payments?|pay)$/u, "card"],
  [/^(?:reviews?|rating|googlereview|tripadvisor|yelp)$/u, "star"],
  [/^(?:patreon|donate|donations?|kofi|support|gofundme)$/u, "heart"],
  [/^(?:contact|vcard|profile|about)$/u, "person"],
];

const schemes: ReadonlyMap<string, Icon> = new Map([
  ["mailto:", "mail"],
  ["tel:", "phone"],
  ["sms:", "chat"],
  ["geo:", "pin"],
]);

/** The icon of a link: by its address if that is more specific, else by its type, else a globe. */
export function findIcon({ type, url }: { readonly type: string; readonly url: string }): Icon {
  const word = type.toLowerCase().replace(/[^a-z]/gu, "");
  const byType = words.find(([pattern]) => pattern.test(word))?.[1];
  return byType ?? schemes.get(new URL(url).protocol) ?? "globe";
}

/** Inline SVG in the colour of the text, hidden from screen readers. */
export function drawIcon(icon: Icon): string {
  return `<svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${shapes[icon]}</svg>`;
}
