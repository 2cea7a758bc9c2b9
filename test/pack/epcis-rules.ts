/**
 * What the JSON schema of EPCIS 2.0 (https://ref.gs1.org/standards/epcis) asks of a document of ObjectEvents, as
 * far as makeready writes it: written from its rules, with the words of CBV 2.0 that `bizStep` and `disposition`
 * may have.
 */
import { Ajv } from "ajv";

const time = {
  type: "string",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)$",
};
const uri = { type: "string", pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s<>"{}|\\\\^`]+$' };

const event = {
  type: "object",
  required: ["type", "action", "eventTime", "eventTimeZoneOffset"],
  additionalProperties: false,
  properties: {
    type: { const: "ObjectEvent" },
    eventID: uri,
    eventTime: time,
    eventTimeZoneOffset: {
      type: "string",
      pattern: "^[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00)$",
    },
    epcList: { type: "array", items: uri },
    quantityList: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["epcClass"],
        additionalProperties: false,
        properties: { epcClass: uri, quantity: { type: "number" }, uom: { type: "string" } },
      },
    },
    action: { enum: ["OBSERVE", "ADD", "DELETE"] },
    bizStep: { enum: ["commissioning", "decommissioning"] },
    disposition: { enum: ["active", "inactive"] },
  },
  anyOf: [
    { required: ["epcList"], properties: { epcList: { type: "array", minItems: 1 } } },
    { required: ["quantityList"] },
  ],
};

const document = {
  type: "object",
  required: ["@context", "type", "schemaVersion", "creationDate", "epcisBody"],
  additionalProperties: false,
  properties: {
    "@context": { type: "array", uniqueItems: true, items: uri },
    type: { const: "EPCISDocument" },
    schemaVersion: { const: "2.0" },
    creationDate: time,
    epcisBody: {
      type: "object",
      required: ["eventList"],
      additionalProperties: false,
      properties: { eventList: { type: "array", items: event } },
    },
  },
};

const validate = new Ajv({ allErrors: true }).compile(document);

/** What breaks a rule; empty for a document that keeps to all. */
export function findEpcisFaults(value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = "" }) => `${instancePath} ${message}`,
  );
}
