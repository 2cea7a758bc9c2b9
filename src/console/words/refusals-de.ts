/**
 * The API's refusals in German. Its sentences have no codes, so they are matched by their text.
 * Others are shown in English and marked as such.
 */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  // Fields.
  [/^This field is required\.$/u, "Bitte ausfüllen."],
  [/^Must not be blank\.$/u, "Darf nicht leer sein."],
  [/^Must be a string\.$/u, "Muss ein Text sein."],
  [/^Must have at most (\d+) characters\.$/u, "Darf höchstens $1 Zeichen haben."],
  [/^must have (\d+) to (\d+) characters\.$/iu, "Muss $1 bis $2 Zeichen haben."],
  [
    /^Must be well-formed text without NUL characters\.$/u,
    "Muss lesbarer Text ohne NUL-Zeichen sein.",
  ],
  [/^Must be a hex colour like #1a2b3c\.$/u, "Muss eine Farbe wie #1a2b3c sein."],
  [/^Must be a URL\.$/u, "Muss eine Web-Adresse sein."],
  [
    /^Must be a URL of at most (\d+) characters\.$/u,
    "Muss eine Web-Adresse von höchstens $1 Zeichen sein.",
  ],
  [
    /^Must be an http or https URL\.$/u,
    "Muss eine Web-Adresse sein, die mit http:// oder https:// beginnt.",
  ],
  [
    /^Must consist of 1 to (\d+) letters, digits and hyphens\.$/u,
    "Muss aus 1 bis $1 Buchstaben, Ziffern und Bindestrichen bestehen.",
  ],
  [/^Must be neither taken nor reserved\.$/u, "Ist vergeben oder dem Dienst vorbehalten."],
  [/^Must be one of (.+)\.$/u, "Muss eines von diesen sein: $1."],
  [/^Must have at most (\d+) links\.$/u, "Darf höchstens $1 Schaltflächen haben."],
  [/^Can be changed for dynamic codes only\.$/u, "Lässt sich nur bei dynamischen Codes ändern."],
  // Images and PDFs.
  [/^Must be an image under 2 MB\.$/u, "Muss ein Bild unter 2 MB sein."],
  [
    /^Must be a JPEG, PNG, GIF or WebP image: .*$/u,
    "Muss ein Bild sein, das sich lesen lässt: JPEG, PNG, GIF oder WebP.",
  ],
  [
    /^Must be a PDF: no %PDF- header was found\.$/u,
    "Muss ein PDF sein: Die Datei beginnt nicht mit %PDF-.",
  ],
  [/^Must be a PDF of at most (.+)\.$/u, "Muss ein PDF von höchstens $1 sein."],
  [/^Must lead to a PDF, but (.+)\.$/u, "Muss zu einem PDF führen, aber: $1."],
  [
    /^One of pdf_url and pdf_base64 must be given\.$/u,
    "Bitte wählen Sie eine PDF-Datei, oder nennen Sie ihre Adresse.",
  ],
  [
    /^Only one of pdf_url and pdf_base64 may be given\.$/u,
    "Bitte wählen Sie eine PDF-Datei oder nennen Sie eine Adresse, nicht beides.",
  ],
  [
    /^The body must have at most (\d+) bytes\.$/u,
    "Was gesendet wird, darf höchstens $1 Bytes haben.",
  ],
  // Folders and tags.
  [
    /^Must be unused under the same parent: another folder has this name\.$/u,
    "Dort gibt es schon einen Ordner mit diesem Namen.",
  ],
  [
    /^Must leave at most (\d+) levels of folders\.$/u,
    "Ordner dürfen höchstens $1 Ebenen tief liegen.",
  ],
  [
    /^A folder can't be moved into itself or one of its subfolders\.$/u,
    "Ein Ordner kann nicht in sich selbst oder einem seiner Unterordner liegen.",
  ],
  // Products.
  [
    /^Another product of the workspace has this identifier, batch and serial\.$/u,
    "Ein anderes Produkt hat schon diesen Schlüssel, diese Charge und Seriennummer.",
  ],
  [
    /^Must be a type that the product does not have yet\.$/u,
    "Das Produkt hat schon einen Link dieser Art.",
  ],
  [/^Must be a GTIN of digits only\.$/u, "Eine GTIN hat nur Ziffern."],
  [/^Must be a GTIN of 8, 12, 13 or 14 digits\.$/u, "Eine GTIN hat 8, 12, 13 oder 14 Ziffern."],
  [
    /^Must be a GTIN with a right check digit \((\d) at the end\)\.$/u,
    "Die Prüfziffer der GTIN stimmt nicht: Am Ende müsste $1 stehen.",
  ],
  [
    /^Must have the check digit (\d) at (?:the end|position \d+)\.$/u,
    "Die Prüfziffer stimmt nicht: Richtig wäre $1.",
  ],
  [/^Must be (\d+) digits\.$/u, "Muss $1 Ziffern haben."],
  [/^Must be six digits, YYMMDD\.$/u, "Muss sechs Ziffern haben: Jahr, Monat, Tag (JJMMTT)."],
  [/^Must have a month from 01 to 12\.$/u, "Der Monat muss 01 bis 12 sein."],
  [/^Must have a day from 00 to (\d+)\.$/u, "Der Tag muss 00 bis $1 sein."],
  [
    /^Must consist of GS1's 82 characters\.$/u,
    "Muss aus den 82 Zeichen von GS1 bestehen: A bis Z, a bis z, 0 bis 9 und !\"%&'()*+,-./:;<=>?_, ohne Leerzeichen und Umlaute.",
  ],
  [
    /^Must be something that a URL can hold\.$/u,
    "Muss etwas sein, das in einer Web-Adresse stehen kann.",
  ],
  [/^(.+) takes no batch\/lot\.$/u, "$1 hat keine Charge."],
  [/^(.+) takes no serial number\.$/u, "$1 hat keine Seriennummer."],
  [/^(.+) takes no expiry date\.$/u, "$1 hat kein Verfallsdatum."],
  [/^Must be a language like de or de-AT\.$/u, "Muss eine Sprache sein, etwa de oder de-AT."],
  // Forms.
  [
    /^The form must have fields to be published\.$/u,
    "Ein Formular ohne Felder lässt sich nicht veröffentlichen.",
  ],
  [/^The form must be published first\.$/u, "Das Formular muss zuerst veröffentlicht werden."],
  // Tokens and receivers.
  [
    /^the token must have a name of its own, .*$/u,
    "Ein anderes Token heißt schon so. Widerrufen Sie es, oder wählen Sie einen anderen Namen.",
  ],
  [
    /^the token's name must have 1 to (\d+) visible characters.*$/u,
    "Der Name des Tokens muss 1 bis $1 sichtbare Zeichen haben.",
  ],
  [
    /^the webhook's address must be an http or https URL.*$/u,
    "Die Adresse des Empfängers muss mit http:// oder https:// beginnen.",
  ],
  [
    /^the webhook's address must be public.*$/u,
    "Die Adresse des Empfängers muss öffentlich sein; diese gehört zum Rechner des Dienstes oder zu seinem Netz. Nur der Betreiber kann sie nennen: mit makeready webhooks add oder serve --webhook-url.",
  ],
  [
    /^the webhook's address must have no user and no password.*$/u,
    "Die Adresse des Empfängers darf weder Benutzernamen noch Passwort haben: Jedes Token dieses Kontos würde sie zeigen. Prüfen Sie stattdessen die Unterschrift der Meldungen (x-signature).",
  ],
  [
    /^the webhook's events must be known ones, got none.*$/u,
    "Bitte wählen Sie mindestens ein Ereignis.",
  ],
  [
    /^a workspace must have at most (\d+) receivers.*$/u,
    "Ein Arbeitsbereich hat höchstens $1 Empfänger. Entfernen Sie zuerst einen.",
  ],
  [
    /^The operator of the service set this receiver: it is changed there\.$/u,
    "Diesen Empfänger hat der Betreiber des Dienstes gesetzt: Er wird dort geändert.",
  ],
  [/^The plan has no webhooks \(webhooks\)\.$/u, "Der Tarif dieses Dienstes hat keine Webhooks."],
  // Deliveries.
  [
    /^the address must be public$/u,
    "Die Adresse muss öffentlich sein: Ihr Name führt zum Rechner des Dienstes oder in sein Netz.",
  ],
  [
    /^the receiver answered (\d+); redirects are not followed$/u,
    "Der Empfänger antwortete $1: Umleitungen wird nicht gefolgt.",
  ],
  [/^the receiver answered (\d+)$/u, "Der Empfänger antwortete $1."],
  [/^connect ECONNREFUSED .*$/u, "Dort nimmt niemand Verbindungen an."],
  [/^getaddrinfo \S+ (\S+)$/u, "Der Name $1 lässt sich nicht auflösen."],
  [/^The operation was aborted due to timeout$/u, "Es kam nicht rechtzeitig eine Antwort."],
  [/^(?:socket hang up|read ECONNRESET)$/u, "Die Verbindung brach ab."],
  // Senders and limits.
  [
    /^This token is read-only: changes need a token with full access\.$/u,
    "Dieses Token darf nur lesen: Änderungen brauchen eines, das auch ändern darf.",
  ],
  [
    /^The plan's limit of (\d+) dynamic codes? \(.*\) is reached\.$/u,
    "Dynamische Codes sind im Tarif auf $1 begrenzt; mehr lassen sich nicht anlegen.",
  ],
  [
    /^The plan's limit of (\d+) landing pages? \(.*\) is reached\.$/u,
    "Landeseiten sind im Tarif auf $1 begrenzt; mehr lassen sich nicht anlegen.",
  ],
  [
    /^Too many requests; try again in (\d+) s\.$/u,
    "Zu viele Anfragen in dieser Minute. Bitte versuchen Sie es in $1 Sekunden noch einmal.",
  ],
  [
    /^Too much is under way right now; try again in (\d+) s\.$/u,
    "Gerade ist zu viel unterwegs. Bitte versuchen Sie es in $1 Sekunden noch einmal.",
  ],
  [
    /^The body came too slowly; send it again over a faster line\.$/u,
    "Das Senden hat zu lange gedauert. Bitte versuchen Sie es noch einmal.",
  ],
  [
    /^The service can't store anything right now\. Please try again later\.$/u,
    "Der Dienst kann gerade nichts speichern. Bitte versuchen Sie es später noch einmal.",
  ],
];

const GOT = ", got ";

/** A sentence of the API in German; undefined when it isn't translated. */
export function refusalInGerman(sentence: string): string | undefined {
  const found = SENTENCES.find(([shape]) => shape.test(sentence));
  if (found !== undefined) return sentence.replace(found[0], found[1]);
  const at = sentence.indexOf(GOT);
  if (at < 0 || !sentence.endsWith(".")) return undefined;
  const said = refusalInGerman(`${sentence.slice(0, at)}.`);
  const got = sentence.slice(at + GOT.length, -1);
  return said === undefined ? undefined : `${said} Gesendet wurde: ${got}`;
}
