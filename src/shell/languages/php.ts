// What PHP programs do: file functions, processes, includes, curl.
// Invariant: a function not listed makes the program unknown.
import { hazard } from "../../model/hazards.js";
import type { Emit } from "../analyze/tool.js";
import { wordSet } from "../word-set.js";
import * as m from "./call-effects.js";
import { analyseWith } from "./calls.js";
import type { Meaning, Vocabulary } from "./vocabulary.js";

const contents: Meaning = (call, scope) => {
  const name = scope.constant(call.args[0]);
  if (name && /^(https?|ftp):/.test(name)) m.networkCall()(call, scope);
  else if (!name?.startsWith("php://")) m.readsPath()(call, scope);
};

const fopen: Meaning = (call, scope) => {
  if (!scope.constant(call.args[0])?.startsWith("php://")) m.opens("mode")(call, scope);
};

/** A callback is named by a string: array_map("unlink", $files). */
const callback: Meaning = (call, scope) => {
  for (const arg of call.args) {
    const name = scope.constant(arg);
    if (name !== undefined && Object.hasOwn(meanings, name)) {
      // What the list holds, where it is a pattern: array_map("unlink", glob("dir/*")).
      if (arg === call.args[0] && call.args[1]) meanings[name]!({ ...call, name, args: [call.args[1]] }, scope);
      return scope.emit.unknown(`${call.name} calls ${name}`);
    }
    const closure = arg.some((token) => token.text === "function" || token.text === "fn");
    if (!closure && name === undefined && arg.some((token) => token.kind === "string" || token.text === "."))
      scope.emit.unknown(`${call.name} with a computed callback`);
  }
};

const meanings: Record<string, Meaning> = {
  array_map: callback,
  array_walk: callback,
  array_filter: callback,
  array_reduce: callback,
  usort: callback,
  uasort: callback,
  iterator_apply: callback,
  register_shutdown_function: callback,
  file_put_contents: m.writes(),
  fopen,
  file_get_contents: contents,
  file: m.readsPath(),
  readfile: m.readsPath(),
  unlink: m.deletes(),
  rmdir: m.deletes(),
  rename: m.transfers({ moves: true }),
  copy: m.transfers(),
  move_uploaded_file: m.transfers({ moves: true }),
  mkdir: m.writes(),
  touch: m.writes(),
  chmod: m.writes(),
  chown: m.writes(),
  symlink: m.links,
  link: m.links,
  tempnam: m.nothing,
  exec: m.runsShell(),
  shell_exec: m.runsShell(),
  system: m.runsShell(),
  passthru: m.runsShell(),
  popen: m.runsShell(),
  proc_open: m.processes,
  pcntl_exec: m.spawns,
  eval: m.evaluates,
  assert: m.evaluates,
  create_function: m.loads,
  call_user_func: m.loads,
  call_user_func_array: m.loads,
  unserialize: m.loads,
  include: m.loads,
  include_once: m.loads,
  require: m.loads,
  require_once: m.loads,
  curl_init: m.networkCall(true),
  fsockopen: m.networkCall(true),
  stream_socket_client: m.networkCall(true),
  mail: m.networkCall(true),
  chdir: (_call, scope) => scope.emit.unknown("the program changes its directory"),
  phpinfo: (_call, scope) => scope.emit.hazard(hazard("env-dump"), "phpinfo shows the environment"),
};

const harmless = wordSet(`
  echo print printf sprintf print_r var_dump var_export json_encode json_decode strlen str_replace str_repeat
  strtolower strtoupper ucfirst ucwords trim ltrim rtrim substr strpos stripos strrpos explode implode join count
  sizeof array_map array_filter array_keys array_values array_merge array_slice array_splice array_reverse
  array_unique array_sum array_combine array_column array_push array_pop array_shift array_unshift array_search
  in_array array_key_exists sort rsort usort ksort asort range min max abs floor ceil round rand mt_rand random_int
  intdiv sqrt pow date time microtime strtotime mktime date_default_timezone_set isset empty unset is_array
  is_string is_int is_null is_numeric is_file is_dir file_exists filesize filemtime basename dirname pathinfo
  realpath getcwd scandir glob preg_match preg_match_all preg_replace preg_split preg_quote md5 sha1 hash crc32
  base64_encode base64_decode bin2hex hex2bin urlencode urldecode rawurlencode http_build_query parse_url parse_str
  htmlspecialchars html_entity_decode strip_tags nl2br number_format intval floatval strval boolval settype gettype
  get_class phpversion php_uname php_sapi_name memory_get_usage extension_loaded function_exists class_exists
  defined define constant exit die list array compact extract_ str_pad str_split str_contains str_starts_with
  str_ends_with strrev ucwords wordwrap similar_text levenshtein serialize uniqid usleep sleep fgets fread fclose
  feof fwrite fputs fgetcsv fputcsv ctype_digit ctype_alpha mb_strlen mb_substr mb_strtolower mb_strtoupper
  error_reporting ini_set ini_get set_time_limit iterator_to_array array_walk array_reduce array_fill array_flip
  array_chunk array_diff array_intersect current key next reset end str_word_count chr ord dechex hexdec bindec
  decbin var_export ob_start ob_get_clean sys_get_temp_dir PHP_EOL PHP_VERSION DateTime Exception ArrayObject
  stdClass SplFileInfo_ .format .modify .getTimestamp .getMessage .diff`);

const vocabulary: Vocabulary = {
  language: "PHP",
  id: "php",
  dialect: {
    lineComments: ["//", "#"],
    blockComments: [
      ["/*", "*/"],
      ["<?php", ""],
      ["?>", ""],
    ],
    quotes: { plain: "'", computed: '"' },
    backquote: "shell",
    sigils: "$",
    heredocs: true,
  },
  keywords: wordSet(`
  if else elseif while do for foreach as switch case break continue return function fn class new extends implements
  public private protected static const try catch finally throw use namespace global and or xor instanceof true
  false null TRUE FALSE NULL match default yield echo print`),
  dots: new Set(["->", "::", "?->"]),
  meanings,
  harmless,
  globals: new Set(),
  sigils: "$",
  environment: wordSet("$_ENV getenv"),
  folds: {
    getenv: ([name]) => (name === "HOME" ? "~" : undefined),
    base64_decode: m.base64,
    hex2bin: m.hex,
    str_rot13: m.rot13,
  },
};

/** A shell whose streams are the connection that was just opened. */
const obeysSocket = /\b(?:fsockopen|stream_socket_client|socket_connect)\b[\s\S]*["'][^"']*\bsh\b[^"']*<&\d/;

export const php = (text: string, emit: Emit): void => {
  if (obeysSocket.test(text)) emit.hazard(hazard("reverse-shell"), "a shell is given a connection");
  const program = text.replace(/^\s*<\?(php|=)?/, "").replace(/\?>\s*$/, "");
  analyseWith(vocabulary, program, emit);
};
