/** Codes that let no phone join their network, in German; English: src/base/text/wifi-text.ts and src/plan/odd-text.ts. */

/** English, German; `{}` stands for what differs. */
type Saying = readonly [english: string, german: string];

const faults: readonly Saying[] = [
  [
    "P must be the password, not a word for none: a network without one has T:nopass",
    "P muss das Passwort sein, kein Wort für „keines“: Ein WLAN ohne Passwort hat T:nopass",
  ],
  ["P must be the password", "P muss das Passwort sein"],
  [
    "P must be a password of 8 to 63 characters, as WPA wants it",
    "P muss ein Passwort von 8 bis 63 Zeichen sein, wie WPA es verlangt",
  ],
  [
    "WIFI and the letters T, S, P and H must be capitals without spaces beside them",
    "WIFI und die Buchstaben T, S, P und H müssen groß geschrieben sein, ohne Leerzeichen daneben",
  ],
  [
    'a backslash must stand before each \\ ; , : and " of a name and a password',
    'Vor jedem \\ ; , : und " eines Namens und eines Passworts muss ein umgekehrter Schrägstrich stehen',
  ],
  [
    "T must be WPA beside a password: with nopass, phones look for open networks",
    "T muss neben einem Passwort WPA sein: Bei nopass suchen Telefone ein offenes WLAN",
  ],
  ["S must be the name of the network", "S muss der Name des WLANs sein"],
  [
    "T must be WPA (for WPA2 and WPA3, too), WEP or nopass",
    "T muss WPA (auch für WPA2 und WPA3), WEP oder nopass sein",
  ],
];

const hints: readonly Saying[] = [
  [
    "look at the password in the cells of this row or in qr_data, which is best written as {} with the names of your columns",
    "Sehen Sie das Passwort in dieser Zeile oder in qr_data nach; qr_data steht am besten so da, mit den Namen Ihrer Spalten: {}",
  ],
  [
    "look at the name of the network in the cells of this row or in qr_data, which is best written as {} with the names of your columns",
    "Sehen Sie den Namen des WLANs in dieser Zeile oder in qr_data nach; qr_data steht am besten so da, mit den Namen Ihrer Spalten: {}",
  ],
  [
    "look at the kind of network in the cells of this row or in qr_data, which is best written as {} with the names of your columns",
    "Sehen Sie die Art des WLANs in dieser Zeile oder in qr_data nach; qr_data steht am besten so da, mit den Namen Ihrer Spalten: {}",
  ],
  [
    "look at the cells of this row; qr_data is best written as {} with the names of your columns",
    "Sehen Sie die Zellen dieser Zeile nach; qr_data steht am besten so da, mit den Namen Ihrer Spalten: {}",
  ],
  [
    "mend these codes or rows, run the job again, and print only then",
    "Diese Codes oder Zeilen berichtigen, den Auftrag noch einmal ausführen und erst dann drucken",
  ],
];

const plan: Saying = [
  "no phone joins the network of this code",
  "Mit diesem Code kommt kein Telefon ins WLAN",
];

const nobody: Saying = [
  "phones call or write to nobody with this code: its number or address is missing",
  "Mit diesem Code erreicht niemand jemanden: Die Nummer oder Adresse fehlt",
];

export const networkSayings: readonly Saying[] = [
  ...faults.flatMap(([english, german]): readonly Saying[] => [
    [`${plan[0]}: ${english}`, `${plan[1]}: ${german}`],
    [
      `no phone joins the network of 1 code: ${english}: {}`,
      `Mit 1 Code kommt kein Telefon ins WLAN: ${german}: {}`,
    ],
    [
      `no phone joins the network of {} codes: ${english}: {}`,
      `Mit {} Codes kommt kein Telefon ins WLAN: ${german}: {}`,
    ],
  ]),
  nobody,
  [
    "phones may dial the (0) of this number, too, and reach nobody",
    "Telefone können die (0) dieser Nummer mitwählen und erreichen dann niemanden",
  ],
  ["write {} in place of {}", "{} anstelle von {} schreiben"],
  ["fill the cell, or delete the row", "Die Zelle ausfüllen oder die Zeile löschen"],
  ...hints,
];
