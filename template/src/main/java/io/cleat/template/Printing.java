package io.cleat.template;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.base.Meter;
import io.cleat.base.MeteredText;
import io.cleat.base.Refused;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Values as Go's {@code fmt} prints them. What does not fit its verb is said in the output, as there:
 * {@code %!d(string=x)}.
 */
final class Printing {
    private static final Pattern VERB = Pattern.compile("%([-+# 0]*)(\\d*)(?:\\.(\\d*))?(.?)", Pattern.DOTALL);
    private static final int WIDEST = 1_000_000;

    /** Digits behind the point that a double may have; what follows are zeros. */
    private static final int FINEST = 1_100;

    private Printing() {}

    /** With a space between two of which neither is a text. */
    static String print(List<@Nullable Object> values, Meter meter) throws Refused {
        MeteredText out = new MeteredText(meter);
        boolean wasText = true;
        for (Object value : values) {
            boolean isText = value instanceof String;
            if (!out.isEmpty() && !isText && !wasText) {
                out.add(" ");
            }
            Values.print(value, out);
            wasText = isText;
        }
        return out.toString();
    }

    static String println(List<@Nullable Object> values, Meter meter) throws Refused {
        MeteredText out = new MeteredText(meter);
        String before = "";
        for (Object value : values) {
            Values.print(value, out.add(before));
            before = " ";
        }
        return out.add("\n").toString();
    }

    /** The flags, width and precision of a verb. */
    private record Shape(String flags, int width, int precision) {
        boolean has(char flag) {
            return flags.indexOf(flag) >= 0;
        }
    }

    static String printf(String format, List<@Nullable Object> values, Meter meter) throws Refused {
        MeteredText out = new MeteredText(meter);
        Matcher verbs = VERB.matcher(format);
        int at = 0;
        int next = 0;
        while (verbs.find(at)) {
            out.add(format, at, verbs.start());
            at = verbs.end();
            String verb = verbs.group(4);
            if (verb.equals("%")) {
                out.add("%");
            } else if (verb.isEmpty()) {
                out.add("%!(NOVERB)");
            } else if (next >= values.size()) {
                out.add("%!").add(verb).add("(MISSING)");
            } else {
                String precision = verbs.group(3);
                Shape shape = new Shape(
                        verbs.group(1), number(verbs.group(2), 0), precision == null ? -1 : number(precision, 0));
                one(verb.charAt(0), shape, values.get(next), out);
                next++;
            }
        }
        out.add(format, at, format.length());
        if (next < values.size()) {
            String before = "%!(EXTRA ";
            for (Object value : values.subList(next, values.size())) {
                Values.print(value, out.add(before).add(Values.kind(value)).add("="));
                before = ", ";
            }
            out.add(")");
        }
        return out.toString();
    }

    private static int number(String digits, int otherwise) {
        return digits.isEmpty() ? otherwise : digits.length() > 7 ? WIDEST : Math.min(WIDEST, Integer.parseInt(digits));
    }

    private static void one(char verb, Shape shape, @Nullable Object value, MeteredText out) throws Refused {
        if (verb == 'T') {
            pad(Values.kind(value), shape, false, out);
        } else if (verb != 'v' && value instanceof List<?> list) {
            String before = "[";
            for (Object each : list) {
                one(verb, shape, each, out.add(before));
                before = " ";
            }
            out.add(list.isEmpty() ? "[]" : "]");
        } else if (verb != 'v' && value instanceof Map<?, ?> map) {
            String before = "map[";
            for (Map.Entry<?, ? extends @Nullable Object> each :
                    Values.sorted(map, out.meter()).entrySet()) {
                one(verb, shape, each.getKey(), out.add(before));
                one(verb, shape, each.getValue(), out.add(":"));
                before = " ";
            }
            out.add(map.isEmpty() ? "map[]" : "]");
        } else {
            plain(verb, shape, value, out);
        }
    }

    private static void plain(char verb, Shape shape, @Nullable Object value, MeteredText out) throws Refused {
        String text = switch (value) {
            case null -> verb == 'v' ? "<nil>" : null;
            case Boolean bool -> verb == 'v' || verb == 't' ? bool.toString() : null;
            case String string -> ofText(verb, shape, string, out.meter());
            case Number number ->
                Values.isWhole(number)
                        ? ofWhole(verb, shape, new BigInteger(number.toString()), out.meter())
                        : ofFraction(verb, shape, number.doubleValue(), out.meter());
            default -> verb == 'v' || verb == 's' ? Values.text(value, out.meter()) : null;
        };
        if (text != null) {
            pad(text, shape, value instanceof Number && verb != 'c' && verb != 'q', out);
            return;
        }
        out.add("%!").add(String.valueOf(verb)).add("(");
        if (value != null) {
            out.add(Values.kind(value)).add("=");
        }
        Values.print(value, out);
        out.add(")");
    }

    private static @Nullable String ofText(char verb, Shape shape, String text, Meter meter) throws Refused {
        // Quoted, or in hexadecimal digits, it is longer.
        meter.make("qxX".indexOf(verb) < 0 ? 0 : 6L * text.length());
        return switch (verb) {
            case 'v', 's' -> cut(text, shape.precision());
            case 'q' ->
                shape.has('#') && text.indexOf('`') < 0 ? "`" + text + "`" : quoted(cut(text, shape.precision()), '"');
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

    private static @Nullable String ofWhole(char verb, Shape shape, BigInteger value, Meter meter) throws Refused {
        meter.make(Math.max(0, shape.precision()));
        String digits = switch (verb) {
            case 'v', 'd' -> value.abs().toString();
            case 'x' -> (shape.has('#') ? "0x" : "") + value.abs().toString(16);
            case 'X' -> (shape.has('#') ? "0X" : "") + value.abs().toString(16).toUpperCase(Locale.ROOT);
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
        return sign(value.signum() < 0, shape) + "0".repeat(Math.max(0, shape.precision() - digits.length())) + digits;
    }

    private static String character(BigInteger value) {
        int code = value.bitLength() < 32 ? value.intValue() : -1;
        return Character.isValidCodePoint(code) ? Character.toString(code) : "\uFFFD";
    }

    private static @Nullable String ofFraction(char verb, Shape shape, double value, Meter meter) throws Refused {
        meter.make(Math.max(0, shape.precision()));
        double size = Math.abs(value);
        if (Double.isNaN(size) || Double.isInfinite(size)) {
            return "vfFeEgG".indexOf(verb) < 0 ? null : Values.fraction(value);
        }
        String digits = switch (verb) {
            case 'v' -> Values.fraction(size);
            case 'f', 'F' ->
                new BigDecimal(size)
                                .setScale(digits(shape), RoundingMode.HALF_EVEN)
                                .toPlainString()
                        + zeros(shape);
            case 'e', 'E' -> {
                String text = String.format(Locale.ROOT, "%." + digits(shape) + "e", size);
                int exponent = text.indexOf('e');
                yield text.substring(0, exponent) + zeros(shape) + verb + text.substring(exponent + 1);
            }
            case 'g', 'G' -> general(verb, shape, size);
            default -> null;
        };
        return digits == null ? null : sign(value < 0 || 1 / value < 0, shape) + digits.replaceFirst("^\\+", "");
    }

    private static int digits(Shape shape) {
        return shape.precision() < 0 ? 6 : Math.min(FINEST, shape.precision());
    }

    private static String zeros(Shape shape) {
        return "0".repeat(Math.max(0, shape.precision() - FINEST));
    }

    private static String general(char verb, Shape shape, double size) {
        if (Double.isNaN(size) || Double.isInfinite(size)) {
            return Values.fraction(size);
        }
        boolean isShortest = shape.precision() < 0;
        int digits = Math.clamp(shape.precision(), 1, FINEST);
        BigDecimal rounded = isShortest
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

    private static void pad(String text, Shape shape, boolean isNumber, MeteredText out) throws Refused {
        int missing = shape.width() - text.codePointCount(0, text.length());
        if (missing <= 0) {
            out.add(text);
        } else if (shape.has('-')) {
            out.add(text).repeat(' ', missing);
        } else if (!shape.has('0') || (isNumber && shape.precision() >= 0 && text.matches("[+ -]?\\d+"))) {
            out.repeat(' ', missing).add(text);
        } else {
            int sign = isNumber && !text.isEmpty() && "+ -".indexOf(text.charAt(0)) >= 0 ? 1 : 0;
            out.add(text, 0, sign).repeat('0', missing).add(text, sign, text.length());
        }
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
