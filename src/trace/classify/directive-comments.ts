// Comments that a compiler or tool obeys: a change of one is no change of documentation.

const directives = [
  /^#!/,
  /^\/\/go:/,
  /^\/\/ ?\+build/,
  /^\/\/\/ *<(?:reference|amd)/,
  /^\/\*[*\s]*@jsx/,
  /@(?:ts-|jest-environment|vitest-environment|__PURE__|flow|license|preserve|vite-ignore)/,
  /^(?:\/\/|\/\*|#|--) *(?:eslint|prettier-ignore|biome-ignore|tslint|istanbul|c8 ignore|v8 ignore|webpack\w+:)/,
  /^# *(?:type: *ignore|type:|noqa|pylint:|mypy:|pyright:|fmt:|pragma|isort:|ruff:)/,
  /^# *-\*-|^# *(?:en)?coding[:=]/,
  /^# *(?:frozen_string_literal|warn_indent|shareable_constant_value|typed):/,
  /^# *shellcheck|^\/\/ *(?:nolint|swiftlint|swift-tools-version|clang-format|NOLINT|noinspection|@formatter)/,
  /^\/[/*] *#(?:pragma|region|endregion)|^\/\/# *source(?:MappingURL|URL)/,
];

export const directiveComment = (comment: string): boolean => directives.some((pattern) => pattern.test(comment));
