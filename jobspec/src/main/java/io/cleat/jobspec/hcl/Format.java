package io.cleat.jobspec.hcl;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;

/** {@code format}: verbs as Go has them. Not thread-safe; one for each call. */
final class Format {
    private static final int WIDEST = 1000;

    private final Arguments in;
    private final String spec;
    private int at;
    private int nextArgument = 1;
    private int used = 1;

    /** What stands between the percent sign and the verb; -1 for what is not given. */
    private record Flags(boolean left, boolean zero, boolean plus, boolean space, boolean sharp) {}

    private Format(Arguments in) throws Misuse {
        this.in = in;
        this.spec = in.text(0);
    }

    static Value call(Arguments in) throws Misuse {
        return new Format(in).run();
    }

    private Value run() throws Misuse {
        BoundedText out = new BoundedText();
        while (at < spec.length()) {
            int percent = spec.indexOf('%', at);
            if (percent < 0) {
                break;
            }
            out.add(spec.substring(at, percent));
            at = percent + 1;
            out.add(verb());
        }
        out.add(spec.substring(Math.min(at, spec.length())));
        if (used < in.count()) {
            throw new Misuse("The spec uses " + (used - 1) + " values, given " + (in.count() - 1) + ".");
        }
        return out.value();
    }

    private String verb() throws Misuse {
        Flags flags = flags();
        if (peek() == '[') {
            index();
        }
        int width = number();
        int precision = -1;
        if (peek() == '.') {
            at++;
            precision = Math.max(0, number());
        }
        if (peek() == '[') {
            index();
        }
        char verb = peek();
        at++;
        if (verb == '%') {
            return "%";
        }
        if ("vsqtdboxXeEfFgGc".indexOf(verb) < 0) {
            throw new Misuse("Argument 1: "
                    + (verb == 0 ? "the verb behind % is missing" : "%" + verb + " is no verb")
                    + "; a percent sign is written %%.");
        }
        if (nextArgument >= in.count()) {
            throw new Misuse("There is no value for verb %" + verb + ", number " + nextArgument + ".");
        }
        int argument = nextArgument++;
        used = Math.max(used, nextArgument);
        return pad(text(verb, argument, flags, precision), flags, width, "dboxXeEfFgG".indexOf(verb) >= 0);
    }

    private Flags flags() {
        int start = at;
        while ("-0+ #".indexOf(peek()) >= 0) {
            at++;
        }
        String given = spec.substring(start, at);
        return new Flags(
                given.contains("-"),
                given.contains("0"),
                given.contains("+"),
                given.contains(" "),
                given.contains("#"));
    }

    private char peek() {
        return at < spec.length() ? spec.charAt(at) : 0;
    }

    private int number() throws Misuse {
        int number = -1;
        while (peek() >= '0' && peek() <= '9') {
            number = Math.max(0, number) * 10 + (peek() - '0');
            if (number > WIDEST) {
                throw new Misuse("Argument 1: a width may be " + WIDEST + " at most.");
            }
            at++;
        }
        return number;
    }

    private void index() throws Misuse {
        at++;
        int number = number();
        if (peek() != ']' || number < 1) {
            throw new Misuse("Argument 1: expected the number of a value in %[...].");
        }
        at++;
        nextArgument = number;
    }

    private String text(char verb, int argument, Flags flags, int precision) throws Misuse {
        return switch (verb) {
            case 's' -> cut(in.text(argument), precision);
            case 'q' -> JsonText.of(Value.of(in.text(argument)));
            case 't' -> Boolean.toString(in.bool(argument));
            case 'c' -> character(argument);
            case 'v' -> any(in.value(argument), flags);
            case 'x', 'X' -> hex(verb, argument, flags);
            case 'd' -> signed(whole(argument).toString(), flags);
            case 'b' -> signed(whole(argument).toString(2), flags);
            case 'o' -> signed(whole(argument).toString(8), flags);
            default -> signed(decimal(verb, in.number(argument), precision), flags);
        };
    }

    private static String cut(String text, int precision) {
        return precision < 0 || text.codePointCount(0, text.length()) <= precision
                ? text
                : text.substring(0, text.offsetByCodePoints(0, precision));
    }

    private String character(int argument) throws Misuse {
        int c = in.integer(argument);
        if (!Character.isValidCodePoint(c)) {
            throw new Misuse("Argument " + (argument + 1) + ": " + c + " is no character.");
        }
        return Character.toString(c);
    }

    private static String any(Value value, Flags flags) throws Misuse {
        boolean scalar = value instanceof Value.Str || value instanceof Value.Num || value instanceof Value.Bool;
        return scalar && !flags.sharp ? Convert.text(value) : JsonText.of(value);
    }

    private String hex(char verb, int argument, Flags flags) throws Misuse {
        HexFormat format = verb == 'x' ? HexFormat.of() : HexFormat.of().withUpperCase();
        if (in.value(argument) instanceof Value.Str(String text)) {
            return format.formatHex(text.getBytes(StandardCharsets.UTF_8));
        }
        String digits = whole(argument).toString(16);
        return signed(verb == 'x' ? digits : digits.toUpperCase(Locale.ROOT), flags);
    }

    private BigInteger whole(int argument) throws Misuse {
        BigDecimal number = in.number(argument);
        if (number.remainder(BigDecimal.ONE).signum() != 0) {
            throw new Misuse(
                    "Argument " + (argument + 1) + ": expected a whole number, given " + number.toPlainString() + ".");
        }
        return number.toBigInteger();
    }

    private static String decimal(char verb, BigDecimal number, int precision) {
        return switch (verb) {
            case 'e', 'E' -> {
                String text = String.format(Locale.ROOT, "%." + (precision < 0 ? 6 : precision) + "e", number);
                yield verb == 'e' ? text : text.toUpperCase(Locale.ROOT);
            }
            case 'f', 'F' ->
                number.setScale(precision < 0 ? 6 : precision, RoundingMode.HALF_EVEN)
                        .toPlainString();
            default ->
                precision < 0
                        ? number.toPlainString()
                        : number.round(new java.math.MathContext(Math.max(1, precision)))
                                .stripTrailingZeros()
                                .toPlainString();
        };
    }

    private static String signed(String number, Flags flags) {
        if (number.startsWith("-")) {
            return number;
        }
        return flags.plus ? "+" + number : flags.space ? " " + number : number;
    }

    private static String pad(String text, Flags flags, int width, boolean isNumber) {
        int missing = width - text.codePointCount(0, text.length());
        if (missing <= 0) {
            return text;
        }
        if (flags.left) {
            return text + " ".repeat(missing);
        }
        if (!flags.zero) {
            return " ".repeat(missing) + text;
        }
        // Zeros go behind the sign of a number.
        int sign = isNumber && !text.isEmpty() && "+- ".indexOf(text.charAt(0)) >= 0 ? 1 : 0;
        return text.substring(0, sign) + "0".repeat(missing) + text.substring(sign);
    }
}
