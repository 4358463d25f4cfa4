// The parts of an OpenAPI document that this server uses, as types.

import type { INFO, SECURITY_SCHEMES } from "./overview.ts";
import type { JsonSchema } from "./schemas.ts";

export interface Reference {
  $ref: string;
}
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  allowEmptyValue?: true;
  style?: "form";
  explode?: false;
  schema: JsonSchema;
}
export interface Header {
  required: boolean;
  description?: string;
  schema: JsonSchema;
}
export type Content = Record<string, { schema: JsonSchema; example: unknown }>;
export interface ResponseObject {
  description: string;
  headers: Record<string, Header | Reference>;
  content?: Content;
}
export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, ResponseObject | Reference>;
  security?: [];
  /** The credential needs one of these scopes. Absent if any credential is accepted. */
  "x-scopes"?: readonly string[];
  "x-rate-limit-tier"?: string;
}
export interface OpenApiDocument {
  openapi: string;
  info: typeof INFO;
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    securitySchemes: typeof SECURITY_SCHEMES;
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, ResponseObject>;
  };
}
