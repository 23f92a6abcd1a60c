package io.cleat.template;

import io.cleat.base.InputLimits;
import io.cleat.base.Refused;
import java.math.BigInteger;

/** Values written out. */
final class Literals {
    private Literals() {}

    static Object value(Source source, Token token) throws Refused {
        return switch (token.kind()) {
            case STRING -> text(source, token);
            case CHARACTER -> character(source, token);
            default -> number(source, token);
        };
    }

    static String text(Source source, Token token) throws Refused {
        String raw = token.text();
        String inner = raw.substring(1, raw.length() - 1);
        return raw.startsWith("`") ? inner.replace("\r", "") : unescaped(source, token, inner);
    }

    private static Object character(Source source, Token token) throws Refused {
        String inner = token.text().substring(1, token.text().length() - 1);
        String one = unescaped(source, token, inner);
        if (one.codePointCount(0, one.length()) != 1) {
            throw source.refused(token.at(), token.text() + " is not one character");
        }
        return (long) one.codePointAt(0);
    }

    private static Object number(Source source, Token token) throws Refused {
        if (token.text().length() > InputLimits.NUMBER_DIGITS) {
            throw source.refused(
                    token.at(), "a number has at most " + InputLimits.NUMBER_DIGITS + " digits: " + token.text());
        }
        String text = token.text().replace("_", "");
        boolean isHex = text.matches("[+-]?0[xX].*");
        if (!isHex && text.matches(".*[.eE].*")) {
            double value = Double.parseDouble(text);
            if (Double.isInfinite(value)) {
                throw source.refused(token.at(), token.text() + " is not a number of 64 bits");
            }
            return value;
        }
        boolean isNegative = text.startsWith("-");
        String digits = text.replaceFirst("^[+-]", "");
        int radix = 10;
        if (digits.length() > 1 && digits.charAt(0) == '0') {
            radix = switch (digits.charAt(1)) {
                case 'x', 'X' -> 16;
                case 'b', 'B' -> 2;
                default -> 8;
            };
            digits = digits.replaceFirst("^0[xXbBoO]?", "");
        }
        try {
            BigInteger value = new BigInteger(digits, radix);
            return (isNegative ? value.negate() : value).longValueExact();
        } catch (ArithmeticException | NumberFormatException unreadable) {
            throw source.refused(token.at(), token.text() + " is not a number of 64 bits");
        }
    }

    private static String unescaped(Source source, Token token, String text) throws Refused {
        StringBuilder out = new StringBuilder(text.length());
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c != '\\') {
                out.append(c);
                i++;
                continue;
            }
            char kind = text.charAt(i + 1);
            int simple = "abfnrtv\\'\"".indexOf(kind);
            if (simple >= 0) {
                out.append("\u0007\b\f\n\r\t\u000b\\'\"".charAt(simple));
                i += 2;
                continue;
            }
            int digits = switch (kind) {
                case 'x' -> 2;
                case 'u' -> 4;
                case 'U' -> 8;
                default -> -1;
            };
            boolean isOctal = kind >= '0' && kind <= '7';
            int from = isOctal ? i + 1 : i + 2;
            int to = from + (isOctal ? 3 : digits);
            if ((digits < 0 && !isOctal) || to > text.length()) {
                throw source.refused(token.at(), "\\" + kind + " in " + token.text());
            }
            try {
                out.appendCodePoint(Integer.parseInt(text.substring(from, to), isOctal ? 8 : 16));
            } catch (IllegalArgumentException notOne) {
                throw source.refused(token.at(), "\\" + kind + " in " + token.text());
            }
            i = to;
        }
        return out.toString();
    }
}
