package io.cleat.agent.template;

import io.cleat.base.Refused;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Variables as lines of {@code NAME=value}: empty lines and those that begin with {@code #} say nothing; single quotes
 * keep what is in them as it is; in double quotes a backslash makes {@code \n}, {@code \t}, {@code \r}, {@code \"},
 * {@code \\} and <code>&#92;u0000</code>.
 */
final class EnvLines {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

    /** Characters: a process is started with little more. */
    private static final int LONGEST = 256 * 1024;

    private EnvLines() {}

    /** @throws Refused with the number of the line, never with a value */
    static Map<String, String> parse(String text) throws Refused {
        if (text.length() > LONGEST) {
            throw Arguments.wrong(
                    "what it gives has " + text.length() + " characters; the most is " + LONGEST + " where env = true");
        }
        Map<String, String> variables = new TreeMap<>();
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            int equals = line.indexOf('=');
            String name = equals < 0 ? "" : line.substring(0, equals).strip();
            name = name.startsWith("export ")
                    ? name.substring("export ".length()).strip()
                    : name;
            if (!NAME.matcher(name).matches()) {
                throw Arguments.wrong("line "
                        + (i + 1)
                        + " of what it gives is not NAME=value; quote values that go over several lines with toJSON");
            }
            variables.put(name, value(line.substring(equals + 1).strip(), i + 1));
        }
        return variables;
    }

    private static String value(String given, int line) throws Refused {
        if (given.startsWith("'") || given.startsWith("\"")) {
            return quoted(given, line);
        }
        int comment = given.startsWith("#") ? 0 : given.indexOf(" #");
        return comment < 0 ? given : given.substring(0, comment).strip();
    }

    private static String quoted(String given, int line) throws Refused {
        char quote = given.charAt(0);
        StringBuilder value = new StringBuilder();
        int at = 1;
        while (at < given.length() && given.charAt(at) != quote) {
            char c = given.charAt(at);
            if (c == '\\' && quote == '"' && at + 1 < given.length()) {
                at++;
                c = given.charAt(at);
                if (c == 'u') {
                    value.append(unicode(given, at + 1, line));
                    at += 5;
                    continue;
                }
                c = switch (c) {
                    case 'n' -> '\n';
                    case 't' -> '\t';
                    case 'r' -> '\r';
                    case 'b' -> '\b';
                    case 'f' -> '\f';
                    default -> c;
                };
            }
            value.append(c);
            at++;
        }
        String rest = at < given.length() ? given.substring(at + 1).strip() : "x";
        if (!rest.isEmpty() && !rest.startsWith("#")) {
            throw Arguments.wrong("line " + line + " of what it gives has a quote that does not end");
        }
        return value.toString();
    }

    private static char unicode(String given, int at, int line) throws Refused {
        try {
            return (char) Integer.parseInt(given.substring(at, at + 4), 16);
        } catch (NumberFormatException | StringIndexOutOfBoundsException not) {
            throw Arguments.wrong("line " + line + " of what it gives has a \\u without four digits");
        }
    }
}
