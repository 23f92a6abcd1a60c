package io.cleat.fuzz;

import java.util.List;

/** What somebody sends who wants to see a program fall, as the text of JSON values. */
public final class HostileValues {
    private static final int LONG = 70_000;

    /** Names of things: also what is looked up as a path, a header or a pattern. */
    public static final List<String> NAMES = List.of(
            "",
            ".",
            "..",
            "../../../../etc/passwd",
            "/",
            "a/b",
            "a\\b",
            "a\nb",
            "a\u0000b",
            "a\u001b[2Jb",
            " ",
            "-rf",
            "%00",
            "${attr.kernel.name}",
            "a".repeat(256),
            "\u202eab",
            "\ufeffa",
            "\u00e9\u0301",
            "\ud83d\ude00",
            "*",
            "'\"`$(reboot)");

    /** Patterns that a matcher which goes back takes very long, or very deep, to give up. */
    public static final List<String> PATTERNS =
            List.of("^(a|b)*!$", "(([a-z]+)*)*!", "(a{0,1000}){0,1000}", "[", "(?<n>", "\\\\");

    /** Any place in a document may get one of these. */
    public static final List<String> JSON = List.of(
            "null",
            "[null]",
            "{\"a\":null}",
            "[]",
            "{}",
            "[[]]",
            "[{}]",
            "true",
            "0",
            "-1",
            "1",
            "2147483647",
            "2147483648",
            "-2147483649",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "1e400",
            "-0.0",
            "1.5",
            "9".repeat(400),
            "1e-999999999",
            "\"\"",
            "\" \"",
            "\"..\"",
            "\"/\"",
            "\"../../etc/passwd\"",
            "\"a/b\"",
            "\"\\ud800\"",
            "\"\\udc00\\ud800\"",
            "\"a\\u0000b\"",
            "\"a\\nb\"",
            "\"a\\u001b[2Jb\"",
            "\"\\u202eab\"",
            "\"\\ufeff\"",
            "\"${attr.kernel.name}\"",
            "\"{{ range loop 1000000 }}{{ range loop 1000000 }}x{{ end }}{{ end }}\"",
            "\"^(a|b)*!$\"",
            "\"" + "a".repeat(300) + "\"",
            "\"" + "b".repeat(LONG) + "\"",
            "{\"" + "k".repeat(LONG) + "\":\"v\"}",
            "{\"\":\"\"}",
            "{\"\\ud800\":\"x\"}",
            "{\"a\\u0000\":\"x\"}",
            "{\"a\":1,\"a\":2}",
            "[\"a\",\"a\"]",
            nested("[", "]", 60),
            nested("[", "]", 5_000),
            nested("{\"a\":", "}", 3_000),
            "\"1970-01-01T00:00:00Z\"",
            "\"+1000000000-12-31T23:59:59.999999999Z\"",
            "NaN",
            "'a'",
            "\"\\x\"",
            "\"\t\"",
            "\u00ff",
            "");

    private HostileValues() {}

    private static String nested(String open, String close, int depth) {
        String inner = open.equals("[") ? "" : "1";
        return open.repeat(depth) + inner + close.repeat(depth);
    }
}
