/** The front door of `makeready/gs1`: identifiers, Digital Links, linksets. */
export { checkGtin, computeCheckDigit } from "./check-digit.ts";
export { toDigitalLink, type DigitalLink } from "./digital-link.ts";
export {
  buildDigitalLinkUri,
  isUriFault,
  parseDigitalLinkUri,
  type DigitalLinkUri,
  type UriFault,
} from "./digital-link-uri.ts";
export {
  parseElementString,
  toElementString,
  type Element,
  type ElementFault,
} from "./elements.ts";
export { gmnCheckPair, isGmn, makeGmn } from "./gmn-helpers.ts";
export { checkIdentifier, identifierTypes, type IdentifierType } from "./identifiers.ts";
export { makeLinkset } from "./linkset.ts";
