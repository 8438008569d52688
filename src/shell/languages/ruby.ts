// What Ruby programs do: File, FileUtils, Kernel processes, network libraries.
// Invariant: a bare name may be a call in Ruby, so one that is neither a local nor listed makes the program unknown.

import type { Emit } from "../analyze/tool.js";
import { wordSet } from "../word-set.js";
import * as m from "./call-effects.js";
import { analyseWith } from "./calls.js";
import type { Token } from "./tokens.js";
import type { Bindings, Meaning, Vocabulary } from "./vocabulary.js";

/** Kernel#open and IO.* run a command when the name begins with "|". */
const kernelOpen: Meaning = (call, scope) => {
  const name = scope.constant(call.args[0]);
  if (name?.startsWith("|"))
    scope.emit.shell({ source: name, value: name.slice(1), prefix: name.slice(1) }, "open runs a command");
  else if (name && /^(https?|ftp):/.test(name)) m.networkCall()(call, scope);
  else m.opens("mode")(call, scope);
};

const each = (meaning: (pick: ReturnType<typeof m.argument>) => Meaning) => m.each(meaning as never);

const popen: Meaning = (call, scope) => m.processes(call, scope);

const meanings: Record<string, Meaning> = {
  "File.write": m.writes(),
  "File.binwrite": m.writes(),
  "IO.write": m.writes(),
  "IO.binwrite": m.writes(),
  "File.open": m.opens("mode"),
  "File.new": m.opens("mode"),
  "File.delete": each((pick) => m.deletes(pick)),
  "File.unlink": each((pick) => m.deletes(pick)),
  "File.rename": m.transfers({ moves: true }),
  "File.symlink": m.links,
  "File.link": m.links,
  "File.chmod": m.writes(m.argument(1)),
  "File.chown": m.writes(m.argument(2)),
  "File.truncate": m.writes(),
  "File.utime": m.writes(m.argument(2)),
  "File.read": m.readsPath(),
  "File.readlines": m.readsPath(),
  "File.foreach": m.readsPath(),
  "File.binread": m.readsPath(),
  "IO.read": m.readsPath(),
  "IO.readlines": m.readsPath(),
  "IO.foreach": m.readsPath(),
  "IO.copy_stream": m.transfers(),
  "Dir.mkdir": m.writes(),
  "Dir.rmdir": m.deletes(),
  "Dir.delete": m.deletes(),
  "Dir.unlink": m.deletes(),
  "Dir.chdir": (_call, scope) => scope.emit.unknown("the program changes its directory"),
  "FileUtils.rm": each((pick) => m.deletes(pick)),
  "FileUtils.rm_f": each((pick) => m.deletes(pick)),
  "FileUtils.rm_r": each((pick) => m.deletes(pick, true)),
  "FileUtils.rm_rf": each((pick) => m.deletes(pick, true)),
  "FileUtils.remove_dir": m.deletes(m.argument(0), true),
  "FileUtils.remove_entry": m.deletes(m.argument(0), true),
  "FileUtils.remove_entry_secure": m.deletes(m.argument(0), true),
  "FileUtils.rmtree": m.deletes(m.argument(0), true),
  "FileUtils.rmdir": m.deletes(),
  "FileUtils.cp": m.transfers(),
  "FileUtils.copy": m.transfers(),
  "FileUtils.copy_file": m.transfers(),
  "FileUtils.cp_r": m.transfers({ recursive: true }),
  "FileUtils.mv": m.transfers({ moves: true, recursive: true }),
  "FileUtils.move": m.transfers({ moves: true, recursive: true }),
  "FileUtils.ln": m.links,
  "FileUtils.ln_s": m.links,
  "FileUtils.ln_sf": m.links,
  "FileUtils.install": m.transfers(),
  "FileUtils.mkdir": m.writes(),
  "FileUtils.mkdir_p": m.writes(),
  "FileUtils.touch": m.writes(),
  "FileUtils.chmod": m.writes(m.argument(1)),
  "FileUtils.chmod_R": m.writes(m.argument(1), true),
  "FileUtils.chown_R": m.writes(m.argument(2), true),
  ".write": m.nothing,
  ".unlink": m.methodDeletes,
  ".rmtree": m.methodDeletes,
  open: kernelOpen,
  system: m.systemWords,
  exec: m.systemWords,
  spawn: m.systemWords,
  syscall: m.loads,
  "Kernel.system": m.systemWords,
  "Kernel.exec": m.systemWords,
  "Kernel.spawn": m.systemWords,
  "Process.spawn": m.systemWords,
  "Process.kill": m.kills,
  "IO.popen": popen,
  "Open3.capture2": m.systemWords,
  "Open3.capture2e": m.systemWords,
  "Open3.capture3": m.systemWords,
  "Open3.popen3": m.systemWords,
  "Net.HTTP.get": m.networkCall(),
  "Net.HTTP.post": m.networkCall(true),
  "Net.HTTP.post_form": m.networkCall(true),
  "Net.HTTP.start": m.networkCall(true),
  "URI.open": m.networkCall(),
  "TCPSocket.new": m.networkCall(true),
  "TCPSocket.open": m.networkCall(true),
  "UDPSocket.new": m.networkCall(true),
  eval: m.evaluates,
  instance_eval: m.evaluates,
  class_eval: m.evaluates,
  load: m.loads,
  "Marshal.load": m.loads,
  "Base64.decode64": m.nothing,
};

const modules = wordSet(`
  json yaml set time date csv fileutils open3 net/http open-uri uri socket tempfile pathname digest securerandom
  base64 erb optparse pp stringio strscan benchmark English shellwords bigdecimal ostruct tmpdir zlib logger`);

const harmless = wordSet(`
  gsub gsub! sub sub! chomp chomp! chop chop! tr puts print p pp printf sprintf format putc gets require_ raise exit
  abort at_exit loop sleep rand srand Integer Float String Array Hash Rational Complex lambda proc binding_ caller
  freeze frozen? attr_accessor attr_reader attr_writer private public protected include extend catch throw
  block_given? __method__ __FILE__ __dir__ ARGV ARGF ENV STDIN STDOUT STDERR RUBY_VERSION DATA $stdin readlines
  readline File.exist? File.file? File.directory? File.basename File.dirname File.extname File.join File.expand_path
  File.size File.stat File.mtime File.readable? File.writable? File.realpath File.symlink? File.size? File.zero?
  Dir.pwd Dir.glob Dir.entries Dir.children Dir.exist? Dir.each_child Dir.home Dir Dir.tmpdir JSON.* YAML.* Time.*
  Date.* DateTime.* Math.* Digest.* SecureRandom.* Base64.* CSV.parse CSV.generate Random.* Process.clock_gettime
  Process.pid Shellwords.* URI.parse URI.encode_www_form URI.join URI ENV.fetch ENV.key? ENV.* Struct.new Set.new
  Array.new Hash.new String.new Object.new StringIO.new Comparable Enumerable Kernel.puts Kernel.printf
  Kernel.format GC.* ObjectSpace.* Gem.* RbConfig.* BigDecimal Pathname.new Pathname Regexp.* Regexp ERB.new
  OpenStruct.new StandardError RuntimeError ArgumentError JSON YAML Time Date Math File Dir FileUtils IO Kernel
  Process Net HTTP CSV Digest Struct Set Integer Float Object Array Hash String Symbol Exception SHA256 MD5 SHA1
  Comparable Random Open3 Socket TCPSocket UDPSocket Base64 Benchmark.* .each .each_with_index .each_with_object
  .each_line .each_char .each_slice .each_cons .each_pair .each_key .each_value .map .map! .flat_map .collect
  .select .select! .filter .filter_map .reject .reject! .reduce .inject .sum .min .max .min_by .max_by .sort .sort!
  .sort_by .group_by .partition .zip .first .last .take .drop .take_while .drop_while .find .detect .find_index
  .index .any? .all? .none? .one? .include? .member? .count .size .length .empty? .nil? .keys .values .key?
  .has_key? .value? .fetch .dig .merge .merge! .update .delete .delete_if .to_a .to_h .to_s .to_i .to_f .to_sym
  .to_r .to_c .to_json .to_yaml .inspect .class .is_a? .kind_of? .respond_to? .instance_of? .upcase .downcase
  .capitalize .swapcase .strip .lstrip .rstrip .chomp .chop .chomp! .strip! .chars .bytes .lines .split .join .gsub
  .gsub! .sub .sub! .tr .tr_s .delete_prefix .delete_suffix .squeeze .scan .match .match? .start_with? .end_with?
  .center .ljust .rjust .reverse .slice .insert .prepend .concat .replace .ord .chr .hex .oct .succ .next .pred
  .unpack .unpack1 .pack .encode .force_encoding .encoding .valid_encoding? .unicode_normalize .b .times .upto
  .downto .step .abs .round .floor .ceil .truncate_ .divmod .gcd .lcm .zero? .positive? .negative? .even? .odd?
  .between? .clamp .push .pop .shift .unshift .append .flatten .flatten! .compact .compact! .uniq .uniq! .rotate
  .sample .shuffle .combination .permutation .product .transpose .cycle .tally .chunk_while .slice_when .each_entry
  .lazy .force .entries .bsearch .read .readlines .gets .puts .print .printf .close .rewind .eof? .flush .sync .tty?
  .each_byte .getc .call .yield .new .now .strftime .iso8601 .year .month .day .hour .min .sec .parse .hexdigest
  .digest .result .tap .then .yield_self .itself .dup .clone .freeze .frozen? .hash .object_id .method .methods
  .message .backtrace .exist? .file? .directory? .basename .dirname .extname .children .glob .relative_path_from
  .expand_path .body .code .sort_by! .with_index .with_object .sum .minmax .positive .values_at .key .invert
  .transform_values .transform_keys .compare_by_identity .default .to_set .add .subset? .superset? .union .lstat
  .mtime .ctime .host .path .port .curry .arity .owner .set_encoding .none .ljust .succ! .next! .upcase! .downcase!
  .reverse! .tr! .squeeze! .select!`);

const keywords = wordSet(`
  if elsif else unless while until for in do end def class module return begin rescue ensure retry case when then
  and or not yield self nil true false super break next redo alias undef defined? BEGIN END __FILE__ __LINE__`);

/** require "x" loads a library. */
function imports(tokens: Token[], bindings: Bindings): Token[] {
  const out: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const loads = token.kind === "name" && /^(require|require_relative|load|autoload)$/.test(token.text);
    if (!loads) {
      out.push(token);
      continue;
    }
    const at = tokens[index + 1]?.text === "(" ? index + 2 : index + 1;
    const name = tokens[at]?.value;
    if (token.text !== "require" || name === undefined || !modules.has(name))
      bindings.unknownModules.push(name ?? "a library");
    index = at > index + 1 ? at + 1 : at;
  }
  return out;
}

const vocabulary: Vocabulary = {
  language: "Ruby",
  id: "ruby",
  dialect: {
    lineComments: ["#"],
    blockComments: [["=begin", "=end"]],
    quotes: { plain: "'", computed: '"' },
    interpolation: "#{",
    backquote: "shell",
    sigils: "$@",
    regex: true,
    quoteLike: "ruby",
    heredocs: true,
  },
  keywords,
  dots: new Set([".", "::", "&."]),
  meanings,
  harmless,
  globals: wordSet(`
  File Dir IO FileUtils Kernel Process Open3 Net URI TCPSocket UDPSocket JSON YAML Time Date DateTime Math Digest
  SecureRandom Base64 CSV Random Shellwords ENV Struct Set Array Hash String Object StringIO GC ObjectSpace Gem
  RbConfig Pathname Marshal Regexp ERB OpenStruct Benchmark`),
  imports,
  bareCalls: true,
  sigils: "$@",
  environment: wordSet("ENV"),
  texts: { "Dir.home": "~", 'ENV["HOME"]': "~", "ENV['HOME']": "~" },
  folds: {
    "Base64.decode64": m.base64,
    "Base64.urlsafe_decode64": m.base64,
    "File.join": (parts) => parts.join("/"),
    "Pathname.new": ([path = ""]) => path,
    Pathname: ([path = ""]) => path,
    "File.expand_path": ([path = ""]) => path,
    "Dir.home": () => "~",
    "ENV.fetch": ([name = ""]) => (name === "HOME" ? "~" : `$${name}`),
  },
  forbidden: /^(send|__send__|public_send|const_get|instance_variable_get|method_missing|define_method|binding)$/,
};

export const ruby = (text: string, emit: Emit): void => analyseWith(vocabulary, text, emit);
