// Records what runtimes print when a program of theirs crashes, for the tests of the crash line:
// `node record-crashes.mjs` writes `fixtures/crashes.txt`. Each sample says which version printed it. The folder of the
// program is shown as `/app`, its home as `/home/me`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const rust = 'fn main() { let _: u16 = "x".parse().expect("the port is no number"); }\n';
const noNumber = "the port is no number: ParseIntError { kind: InvalidDigit }";
const go = (imports, body) => `package main\n\n${imports}func main() {\n${body}}\n`;
const registry = "https://registry.example";

/**
 * For each runtime: how it prints its version, and programs as `[what, file, source, command, the line that says why]`.
 */
const runtimes = [
  [
    "python3 --version",
    [
      [
        "an error",
        "x.py",
        'def f():\n    raise ValueError("no API key")\nf()\n',
        "python3 x.py",
        "ValueError: no API key",
      ],
      ["two lines", "x.py", 'raise ValueError("no key\\nset API_KEY")\n', "python3 x.py", "ValueError: no key"],
      [
        "a cause",
        "y.py",
        'try:\n    import no_such\nexcept ImportError as e:\n    raise RuntimeError("can\'t start") from e\n',
        "python3 y.py",
        "RuntimeError: can't start",
      ],
    ],
  ],
  [
    "rustc --version",
    [
      ["a panic", "a.rs", rust, "rustc -o a a.rs && ./a", noNumber],
      ["a panic with its backtrace", "a.rs", rust, "rustc -o a a.rs && RUST_BACKTRACE=1 ./a", noNumber],
      [
        "an assertion",
        "b.rs",
        'fn main() { assert_eq!(1, 2, "versions differ"); }\n',
        "rustc -A warnings -o b b.rs && ./b",
        "assertion `left == right` failed: versions differ",
      ],
      ["two lines", "d.rs", 'fn main() { panic!("line one\\nline two"); }\n', "rustc -o d d.rs && ./d", "line one"],
      [
        "an error from main",
        "e.rs",
        'fn main() -> std::io::Result<()> { std::fs::read("none").map(|_| ()) }\n',
        "rustc -o e e.rs && ./e",
        'Error: Os { code: 2, kind: NotFound, message: "No such file or directory" }',
      ],
    ],
  ],
  [
    "go version",
    [
      ["a panic", "x.go", go("", '\tpanic("no API key")\n'), "go run x.go", "panic: no API key"],
      [
        "an index out of range",
        "x.go",
        go(
          "type Server struct{ keys []int }\n\n//go:noinline\nfunc (s *Server) run(at int) int { return s.keys[at] }\n\n",
          "\tprintln((&Server{make([]int, 3)}).run(5))\n",
        ),
        "go run x.go",
        "panic: runtime error: index out of range [5] with length 3",
      ],
      [
        "a nil pointer",
        "x.go",
        go("type T struct{ x int }\n\n", "\tvar t *T\n\tprintln(t.x)\n"),
        "go run x.go",
        "panic: runtime error: invalid memory address or nil pointer dereference",
      ],
      [
        "a deadlock",
        "x.go",
        go("", "\t<-make(chan int)\n"),
        "go run x.go",
        "fatal error: all goroutines are asleep - deadlock!",
      ],
    ],
  ],
  [
    "java --version",
    [
      [
        "a cause",
        "M.java",
        `public class M {
  static void read() throws Exception { throw new java.io.IOException("inner"); }
  public static void main(String[] a) {
    try { read(); } catch (Exception e) { throw new IllegalStateException("no key", e); }
  }
}
`,
        "javac M.java && java M",
        "Caused by: java.io.IOException: inner",
      ],
    ],
  ],
  [
    "ruby --version",
    [
      [
        "an error",
        "x.rb",
        'def f\n  raise "no API key"\nend\nf\n',
        "ruby x.rb",
        "x.rb:2:in `f': no API key (RuntimeError)",
      ],
      [
        "a cause",
        "x.rb",
        'def f\n  raise "inner"\nend\nbegin\n  f\nrescue\n  raise ArgumentError, "no API key"\nend\n',
        "ruby x.rb",
        "x.rb:2:in `f': inner (RuntimeError)",
      ],
    ],
  ],
  [
    "php --version",
    [
      [
        "an exception",
        "x.php",
        '<?php function f() { throw new Exception("no API key"); }\nf();\n',
        "php -d display_errors=0 -d log_errors=1 x.php",
        "PHP Fatal error:  Uncaught Exception: no API key in /app/x.php:1",
      ],
      [
        "an exception, shown and logged",
        "x.php",
        "<?php\nstrlen([]);\n",
        "php -d display_errors=stderr -d log_errors=1 -d html_errors=0 x.php",
        "Fatal error: Uncaught TypeError: strlen(): Argument #1 ($string) must be of type string, array given in /app/x.php:2",
      ],
    ],
  ],
  [
    "g++ --version",
    [
      [
        "an exception",
        "x.cpp",
        '#include <stdexcept>\nint main() { throw std::runtime_error("no API key"); }\n',
        "g++ -o x x.cpp && exec ./x",
        "what():  no API key",
      ],
      [
        "an assertion",
        "x.cpp",
        "#include <cassert>\nint main(int n, char**) { assert(n > 1); }\n",
        "g++ -o x x.cpp && exec ./x",
        "x: x.cpp:2: int main(int, char**): Assertion `n > 1' failed.",
      ],
    ],
  ],
  [
    "deno --version",
    [
      [
        "an error",
        "x.ts",
        'function f() {\n  throw new Error("no API key");\n}\nf();\n',
        "deno run x.ts",
        "error: Uncaught (in promise) Error: no API key",
      ],
      [
        "a rejection",
        "x.ts",
        'await Promise.reject(new TypeError("no API key"));\n',
        "deno run x.ts",
        "error: Uncaught (in promise) TypeError: no API key",
      ],
      [
        "a permission",
        "x.ts",
        'Deno.readTextFileSync("/etc/hostname");\n',
        "deno run --no-prompt x.ts",
        'error: Uncaught (in promise) NotCapable: Requires read access to "/etc/hostname", run again with the --allow-read flag',
      ],
    ],
  ],
  [
    "echo Bun; bun --version",
    [
      [
        "an error",
        "x.js",
        'function f() {\n  throw new Error("no API key");\n}\nf();\n',
        "bun x.js",
        "error: no API key",
      ],
      [
        "a rejection",
        "x.js",
        'await Promise.reject(new TypeError("no API key"));\n',
        "bun x.js",
        "TypeError: no API key",
      ],
    ],
  ],
  ["perl -e 'print \"Perl $^V\"'", [["die", "x.pl", 'die "no key";\n', "perl x.pl", "no key at x.pl line 1."]]],
  [
    "bash --version",
    [
      [
        "a command that is missing",
        "x.sh",
        "no-such-agent\n",
        "bash x.sh",
        "x.sh: line 1: no-such-agent: command not found",
      ],
    ],
  ],
  [
    "echo npm; npm --version",
    [
      [
        "npx without a network",
        ".npmrc",
        `registry=${registry}\n`,
        "npm_config_userconfig= npx --offline --yes no-such",
        `npm error request to ${registry}/no-such failed: cache mode is 'only-if-cached' but no cached response is available.`,
      ],
    ],
  ],
];

const { RUST_BACKTRACE, ...own } = process.env;
const env = { ...own, LC_ALL: "C.UTF-8", NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
const bash = (command, cwd) => spawnSync("bash", ["-c", command], { cwd, env, encoding: "utf8" });

const header = "Written by record-crashes.mjs: each sample is what the version named in its title printed.\n";
const recorded = runtimes.flatMap(([tell, programs]) => {
  const { stdout, status } = bash(tell);
  if (status !== 0) throw new Error(`"${tell}" fails here: every runtime is needed, so that no sample is lost.`);
  const version = stdout
    .trim()
    .split("\n", tell.startsWith("echo ") ? 2 : 1)
    .join(" ");
  return programs.map((program) => record(version, program));
});
writeFileSync(new URL("fixtures/crashes.txt", import.meta.url), header + recorded.join(""));

function record(version, [what, file, source, command, reason]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-crash-")));
  try {
    writeFileSync(join(folder, file), source);
    const { stderr } = bash(command, folder);
    const shown = stderr.replaceAll(folder, "/app").replaceAll(homedir(), "/home/me");
    return `== ${version}: ${what} => ${reason}\n${shown}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
