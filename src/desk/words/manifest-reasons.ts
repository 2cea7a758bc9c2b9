/** What is wrong with a manifest, in German: src/job/issues.ts. */
type Saying = readonly [english: string, german: string];

/** What must be true of a field, behind its name. */
export const fieldRules: readonly Saying[] = [
  ["must be free of mistakes, got {}", "ist nicht frei von Fehlern: {}"],
  ["must be given, got nothing", "fehlt"],
  ["must be a known field, got {}", "ist kein bekanntes Feld: {}"],
  ["must be text or a list, got {}", "muss ein Text oder eine Liste sein; hier steht {}"],
  [
    "must be true or false or a map (key: value), got {}",
    "muss true, false oder eine Gruppe von Feldern sein (Name: Wert); hier steht {}",
  ],
  [
    "must be a whole number from {} to {}, got {}",
    "muss eine ganze Zahl von {} bis {} sein; hier steht {}",
  ],
  ["must be text, got {}", "muss ein Text sein; hier steht {}"],
  ["must be a list of {} numbers, got {}", "muss eine Liste von {} Zahlen sein; hier steht {}"],
  ["must be a list, got {}", "muss eine Liste sein; hier steht {}"],
  [
    "must be a map (key: value), got {}",
    "muss eine Gruppe von Feldern sein (Name: Wert); hier steht {}",
  ],
  [
    "must be a number, or a list of {} numbers, got {}",
    "muss eine Zahl oder eine Liste von {} Zahlen sein; hier steht {}",
  ],
  [
    "must be one of {}, or a list of {} numbers, got {}",
    "muss eines davon sein: {}, oder eine Liste von {} Zahlen; hier steht {}",
  ],
  ["must be one of {}, got {}", "muss eines davon sein: {}; hier steht {}"],
  [
    "must not stand in a manifest: secrets never do",
    "darf nicht in einem Manifest stehen: Geheimnisse stehen dort nie",
  ],
];

export const manifestHints: readonly Saying[] = [
  ["write [{}]", "[{}] schreiben"],
  ["write { {} }", "{ {} } schreiben"],
  ["write true", "true schreiben"],
  ["write false", "false schreiben"],
  ["its fields are {}", "Es hat die Felder {}"],
  ["remove the quotes", "Die Anführungszeichen entfernen"],
  ['add "{}: …". {}', "„{}: …“ ergänzen"],
  ['add "{}: …".', "„{}: …“ ergänzen"],
  [
    "remove it and set MAKEREADY_TOKEN, or name a file in api.token_file",
    "Entfernen und MAKEREADY_TOKEN setzen, oder in api.token_file eine Datei nennen",
  ],
];
