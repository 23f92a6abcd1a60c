package io.cleat.agent.template;

import static io.cleat.agent.template.Arguments.function;

import io.cleat.base.LinearPattern;
import io.cleat.base.MeteredText;
import io.cleat.base.Refused;
import io.cleat.template.Function;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What templates do with texts. */
final class TextFunctions {
    private static final Pattern WORD_START = Pattern.compile("(?<![\\p{L}\\p{Nd}'])\\p{Ll}");

    private TextFunctions() {}

    static void addTo(Map<String, Function> all) {
        all.put(
                "toUpper",
                function(1, 1, "toUpper text", g -> made(g, g.text(0)).toUpperCase(Locale.ROOT)));
        all.put(
                "toLower",
                function(1, 1, "toLower text", g -> made(g, g.text(0)).toLowerCase(Locale.ROOT)));
        all.put(
                "toTitle",
                function(
                        1,
                        1,
                        "toTitle text",
                        g -> WORD_START
                                .matcher(made(g, g.text(0)))
                                .replaceAll(m -> m.group().toUpperCase(Locale.ROOT))));
        all.put(
                "trimSpace",
                function(1, 1, "trimSpace text", g -> made(g, g.text(0)).strip()));
        all.put("trim", function(1, 2, "trim characters text", TextFunctions::trim));
        all.put(
                "trimPrefix",
                function(
                        2,
                        2,
                        "trimPrefix prefix text",
                        g -> made(g, g.text(1)).startsWith(g.text(0))
                                ? g.text(1).substring(g.text(0).length())
                                : g.text(1)));
        all.put(
                "trimSuffix",
                function(
                        2,
                        2,
                        "trimSuffix suffix text",
                        g -> made(g, g.text(1)).endsWith(g.text(0))
                                ? g.text(1)
                                        .substring(
                                                0,
                                                g.text(1).length() - g.text(0).length())
                                : g.text(1)));
        all.put("replaceAll", function(3, 3, "replaceAll old new text", TextFunctions::replaceAll));
        all.put("split", function(2, 2, "split separator text", g -> parts(g, g.text(0), g.text(1))));
        all.put("join", function(2, 2, "join separator list", TextFunctions::join));
        all.put("splitToMap", function(3, 3, "splitToMap \";\" \":\" text", TextFunctions::pairs));
        all.put("indent", function(2, 2, "indent spaces text", TextFunctions::indent));
        all.put("regexMatch", function(2, 2, "regexMatch expression text", TextFunctions::matches));
        all.put("regexReplaceAll", function(3, 3, "regexReplaceAll expression new text", TextFunctions::replace));
        codes(all);
    }

    private static void codes(Map<String, Function> all) {
        all.put(
                "base64Encode",
                function(1, 1, "base64Encode text", g -> Base64.getEncoder().encodeToString(utf8(g, g.text(0)))));
        all.put(
                "base64Decode",
                function(1, 1, "base64Decode text", g -> decoded(Base64.getDecoder(), made(g, g.text(0)))));
        all.put(
                "base64URLEncode",
                function(
                        1,
                        1,
                        "base64URLEncode text",
                        g -> Base64.getUrlEncoder().encodeToString(utf8(g, g.text(0)))));
        all.put(
                "base64URLDecode",
                function(1, 1, "base64URLDecode text", g -> decoded(Base64.getUrlDecoder(), made(g, g.text(0)))));
        all.put("sha256Hex", function(1, 1, "sha256Hex text", g -> digest("SHA-256", utf8(g, g.text(0)))));
        all.put("md5sum", function(1, 1, "md5sum text", g -> digest("MD5", utf8(g, g.text(0)))));
        all.put(
                "hmacSHA256Hex",
                function(2, 2, "hmacSHA256Hex text key", g -> signed(utf8(g, g.text(0)), utf8(g, g.text(1)))));
    }

    private static String trim(Arguments arguments) throws Refused {
        if (arguments.count() == 1) {
            return made(arguments, arguments.text(0)).strip();
        }
        String characters = arguments.text(0);
        String text = made(arguments, arguments.text(1));
        arguments.meter().search(text, characters);
        int from = 0;
        int to = text.length();
        while (from < to && characters.indexOf(text.charAt(from)) >= 0) {
            from++;
        }
        while (to > from && characters.indexOf(text.charAt(to - 1)) >= 0) {
            to--;
        }
        return text.substring(from, to);
    }

    private static String replaceAll(Arguments arguments) throws Refused {
        String old = arguments.text(0);
        String by = arguments.text(1);
        String text = arguments.text(2);
        arguments.meter().search(text, old);
        MeteredText out = new MeteredText(arguments.meter());
        int from = 0;
        int at = text.indexOf(old);
        while (at >= 0) {
            out.add(text, from, at).add(by);
            from = at + old.length();
            // An empty one stands before each character, and at the end.
            at = old.isEmpty() && at == text.length() ? -1 : text.indexOf(old, Math.max(from, at + 1));
        }
        return out.add(text, from, text.length()).toString();
    }

    private static List<String> parts(Arguments arguments, String separator, String text) throws Refused {
        List<String> parts = new ArrayList<>();
        if (text.isEmpty()) {
            return parts;
        }
        arguments.meter().search(text, separator);
        arguments.meter().make(text.length());
        int from = 0;
        int at = separator.isEmpty() ? characterEnd(text, 0) : text.indexOf(separator);
        while (at >= 0 && at < text.length()) {
            arguments.meter().makeElements(1);
            parts.add(text.substring(from, at));
            from = at + separator.length();
            at = separator.isEmpty() ? characterEnd(text, at) : text.indexOf(separator, from);
        }
        arguments.meter().makeElements(1);
        parts.add(text.substring(from));
        return parts;
    }

    private static int characterEnd(String text, int at) {
        return at + Character.charCount(text.codePointAt(at));
    }

    private static String join(Arguments arguments) throws Refused {
        String separator = arguments.text(0);
        MeteredText out = new MeteredText(arguments.meter());
        String before = "";
        for (Object each : arguments.list(1)) {
            Arguments.print(each, out.add(before));
            before = separator;
        }
        return out.toString();
    }

    private static String indent(Arguments arguments) throws Refused {
        int spaces = Math.clamp(arguments.whole(0), 0, 1000);
        String text = arguments.text(1);
        MeteredText out = new MeteredText(arguments.meter());
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf('\n', from);
            int next = end < 0 ? text.length() : end + 1;
            out.repeat(' ', spaces).add(text, from, next);
            from = next;
        }
        return text.isEmpty() ? out.repeat(' ', spaces).toString() : out.toString();
    }

    private static Map<String, Object> pairs(Arguments arguments) throws Refused {
        Map<String, Object> pairs = new TreeMap<>();
        String between = arguments.text(1);
        for (String each : parts(arguments, arguments.text(0), arguments.text(2))) {
            arguments.meter().search(each, between);
            int at = between.isEmpty() ? Math.min(1, each.length()) : each.indexOf(between);
            pairs.put(at < 0 ? each : each.substring(0, at), at < 0 ? "" : each.substring(at + between.length()));
        }
        return pairs;
    }

    private static boolean matches(Arguments arguments) throws Refused {
        return LinearPattern.compile(arguments.text(0)).isFoundIn(arguments.text(1), arguments.meter());
    }

    private static String replace(Arguments arguments) throws Refused {
        return LinearPattern.compile(arguments.text(0))
                .replaceAll(arguments.text(2), arguments.text(1), arguments.meter());
    }

    /** Up to three bytes a character; what they become is no longer than that again. */
    private static byte[] utf8(Arguments arguments, String text) throws Refused {
        arguments.meter().make(3L * text.length());
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A text of which another is made, no longer but by a few letters. */
    private static String made(Arguments arguments, String text) throws Refused {
        arguments.meter().make(text.length());
        return text;
    }

    private static String decoded(Base64.Decoder decoder, String text) throws Refused {
        try {
            return new String(decoder.decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException not) {
            throw Arguments.wrong("this is not base64: " + not.getMessage());
        }
    }

    private static String digest(String algorithm, byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(text));
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }

    private static String signed(byte[] text, byte[] key) throws Refused {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text));
        } catch (NoSuchAlgorithmException | InvalidKeyException never) {
            throw new IllegalStateException(never);
        } catch (IllegalArgumentException empty) {
            throw Arguments.wrong("the key is empty");
        }
    }
}
