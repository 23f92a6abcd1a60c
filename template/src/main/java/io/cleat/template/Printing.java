package io.cleat.template;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Values as Go's {@code fmt} prints them. What does not fit its verb is said in the output, as
 * there: {@code %!d(string=x)}.
 */
final class Printing {
    private static final Pattern VERB =
            Pattern.compile("%([-+# 0]*)(\\d*)(?:\\.(\\d*))?(.?)", Pattern.DOTALL);
    private static final int WIDEST = 1_000_000;

    private Printing() {}

    /** With a space between two of which neither is a text. */
    static String print(List<@Nullable Object> values) {
        StringBuilder out = new StringBuilder();
        boolean wasText = true;
        for (Object value : values) {
            boolean isText = value instanceof String;
            if (!out.isEmpty() && !isText && !wasText) {
                out.append(' ');
            }
            out.append(Values.text(value));
            wasText = isText;
        }
        return out.toString();
    }

    static String println(List<@Nullable Object> values) {
        return values.stream().map(Values::text).collect(Collectors.joining(" ", "", "\n"));
    }

    /** The flags, width and precision of a verb. */
    private record Shape(String flags, int width, int precision) {
        boolean has(char flag) {
            return flags.indexOf(flag) >= 0;
        }
    }

    static String printf(String format, List<@Nullable Object> values) {
        StringBuilder out = new StringBuilder();
        Matcher verbs = VERB.matcher(format);
        int at = 0;
        int next = 0;
        while (verbs.find(at)) {
            out.append(format, at, verbs.start());
            at = verbs.end();
            String verb = verbs.group(4);
            if (verb.equals("%")) {
                out.append('%');
            } else if (verb.isEmpty()) {
                out.append("%!(NOVERB)");
            } else if (next >= values.size()) {
                out.append("%!").append(verb).append("(MISSING)");
            } else {
                String precision = verbs.group(3);
                Shape shape =
                        new Shape(
                                verbs.group(1),
                                number(verbs.group(2), 0),
                                precision == null ? -1 : number(precision, 0));
                out.append(one(verb.charAt(0), shape, values.get(next)));
                next++;
            }
        }
        out.append(format, at, format.length());
        if (next < values.size()) {
            out.append(
                    values.subList(next, values.size()).stream()
                            .map(value -> Values.kind(value) + "=" + Values.text(value))
                            .collect(Collectors.joining(", ", "%!(EXTRA ", ")")));
        }
        return out.toString();
    }

    private static int number(String digits, int otherwise) {
        return digits.isEmpty()
                ? otherwise
                : digits.length() > 7 ? WIDEST : Math.min(WIDEST, Integer.parseInt(digits));
    }

    private static String one(char verb, Shape shape, @Nullable Object value) {
        if (verb == 'T') {
            return padded(Values.kind(value), shape, false);
        }
        if (verb != 'v' && value instanceof List<?> list) {
            return list.stream()
                    .map(each -> one(verb, shape, each))
                    .collect(Collectors.joining(" ", "[", "]"));
        }
        if (verb != 'v' && value instanceof Map<?, ?> map) {
            return new TreeMap<Object, @Nullable Object>(map)
                    .entrySet().stream()
                            .map(
                                    each ->
                                            one(verb, shape, each.getKey())
                                                    + ":"
                                                    + one(verb, shape, each.getValue()))
                            .collect(Collectors.joining(" ", "map[", "]"));
        }
        String text =
                switch (value) {
                    case null -> verb == 'v' ? "<nil>" : null;
                    case Boolean bool -> verb == 'v' || verb == 't' ? bool.toString() : null;
                    case String string -> ofText(verb, shape, string);
                    case Number number ->
                            Values.isWhole(number)
                                    ? ofWhole(verb, shape, new BigInteger(number.toString()))
                                    : ofFraction(verb, shape, number.doubleValue());
                    default -> verb == 'v' || verb == 's' ? Values.text(value) : null;
                };
        return text == null
                ? "%!" + verb + "(" + badValue(value) + ")"
                : padded(text, shape, value instanceof Number && verb != 'c' && verb != 'q');
    }

    private static String badValue(@Nullable Object value) {
        return value == null ? "<nil>" : Values.kind(value) + "=" + Values.text(value);
    }

    private static @Nullable String ofText(char verb, Shape shape, String text) {
        return switch (verb) {
            case 'v', 's' -> cut(text, shape.precision());
            case 'q' ->
                    shape.has('#') && text.indexOf('`') < 0
                            ? "`" + text + "`"
                            : quoted(cut(text, shape.precision()), '"');
            case 'x' -> HexFormat.of().formatHex(text.getBytes(UTF_8));
            case 'X' -> HexFormat.of().withUpperCase().formatHex(text.getBytes(UTF_8));
            default -> null;
        };
    }

    private static String cut(String text, int most) {
        return most < 0 || text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most));
    }

    private static @Nullable String ofWhole(char verb, Shape shape, BigInteger value) {
        String digits =
                switch (verb) {
                    case 'v', 'd' -> value.abs().toString();
                    case 'x' -> (shape.has('#') ? "0x" : "") + value.abs().toString(16);
                    case 'X' ->
                            (shape.has('#') ? "0X" : "")
                                    + value.abs().toString(16).toUpperCase(Locale.ROOT);
                    case 'o' -> (shape.has('#') ? "0" : "") + value.abs().toString(8);
                    case 'b' -> value.abs().toString(2);
                    case 'c' -> character(value);
                    case 'q' -> quoted(character(value), '\'');
                    case 'U' -> String.format(Locale.ROOT, "U+%04X", value);
                    default -> null;
                };
        if (digits == null || "cqU".indexOf(verb) >= 0) {
            return digits;
        }
        return sign(value.signum() < 0, shape)
                + "0".repeat(Math.max(0, shape.precision() - digits.length()))
                + digits;
    }

    private static String character(BigInteger value) {
        int code = value.bitLength() < 32 ? value.intValue() : -1;
        return Character.isValidCodePoint(code) ? Character.toString(code) : "\uFFFD";
    }

    private static @Nullable String ofFraction(char verb, Shape shape, double value) {
        double size = Math.abs(value);
        if (Double.isNaN(size) || Double.isInfinite(size)) {
            return "vfFeEgG".indexOf(verb) < 0 ? null : Values.text(value);
        }
        String digits =
                switch (verb) {
                    case 'v' -> Values.text(size);
                    case 'f', 'F' ->
                            new BigDecimal(size)
                                    .setScale(
                                            shape.precision() < 0 ? 6 : shape.precision(),
                                            RoundingMode.HALF_EVEN)
                                    .toPlainString();
                    case 'e', 'E' ->
                            String.format(
                                    Locale.ROOT,
                                    "%." + (shape.precision() < 0 ? 6 : shape.precision()) + verb,
                                    size);
                    case 'g', 'G' -> general(verb, shape, size);
                    default -> null;
                };
        return digits == null
                ? null
                : sign(value < 0 || 1 / value < 0, shape) + digits.replaceFirst("^\\+", "");
    }

    private static String general(char verb, Shape shape, double size) {
        if (Double.isNaN(size) || Double.isInfinite(size)) {
            return Values.text(size);
        }
        boolean isShortest = shape.precision() < 0;
        int digits = Math.max(1, shape.precision());
        BigDecimal rounded =
                isShortest
                        ? new BigDecimal(Double.toString(size))
                        : new BigDecimal(size).round(new MathContext(digits));
        BigDecimal exact = rounded.stripTrailingZeros();
        int whole = exact.precision() - exact.scale();
        boolean isFilled = digits > exact.precision() && exact.precision() >= whole;
        int largest = isShortest ? 6 : isFilled ? exact.precision() : digits;
        String text = Values.general(rounded, largest);
        return verb == 'G' ? text.toUpperCase(Locale.ROOT) : text;
    }

    private static String sign(boolean isNegative, Shape shape) {
        return isNegative ? "-" : shape.has('+') ? "+" : shape.has(' ') ? " " : "";
    }

    private static String padded(String text, Shape shape, boolean isNumber) {
        int missing = shape.width() - text.codePointCount(0, text.length());
        if (missing <= 0) {
            return text;
        }
        if (shape.has('-')) {
            return text + " ".repeat(missing);
        }
        if (!shape.has('0') || (isNumber && shape.precision() >= 0 && text.matches("[+ -]?\\d+"))) {
            return " ".repeat(missing) + text;
        }
        int sign = isNumber && text.matches("[+ -].*") ? 1 : 0;
        return text.substring(0, sign) + "0".repeat(missing) + text.substring(sign);
    }

    private static String quoted(String text, char quote) {
        StringBuilder out = new StringBuilder().append(quote);
        text.codePoints().forEach(code -> quote(out, code, quote));
        return out.append(quote).toString();
    }

    private static void quote(StringBuilder out, int code, char quote) {
        int simple = "\u0007\b\f\n\r\t\u000b\\".indexOf(code);
        if (simple >= 0) {
            out.append('\\').append("abfnrtv\\".charAt(simple));
        } else if (code == quote) {
            out.append('\\').append(quote);
        } else if (code < ' ' || code == 0x7f) {
            out.append(String.format("\\x%02x", code));
        } else {
            out.appendCodePoint(code);
        }
    }
}
