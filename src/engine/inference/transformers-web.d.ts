// transformers.js ships no types beside its web build; they are those of the package.

declare module "*/transformers.web.js" {
  export * from "@huggingface/transformers";
}
