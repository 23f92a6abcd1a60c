package io.cleat.agent.template;

import static io.cleat.agent.template.Given.function;

import io.cleat.base.Refused;
import io.cleat.template.Function;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What templates do with texts. */
final class TextFunctions {
    private static final Pattern GROUP = Pattern.compile("\\$\\{(\\w+)}");
    private static final Pattern WORD_START = Pattern.compile("(?<![\\p{L}\\p{Nd}'])\\p{Ll}");

    private TextFunctions() {}

    static void addTo(Map<String, Function> all) {
        all.put("toUpper", function(1, 1, "toUpper text", g -> g.text(0).toUpperCase(Locale.ROOT)));
        all.put("toLower", function(1, 1, "toLower text", g -> g.text(0).toLowerCase(Locale.ROOT)));
        all.put(
                "toTitle",
                function(
                        1,
                        1,
                        "toTitle text",
                        g ->
                                WORD_START
                                        .matcher(g.text(0))
                                        .replaceAll(m -> m.group().toUpperCase(Locale.ROOT))));
        all.put("trimSpace", function(1, 1, "trimSpace text", g -> g.text(0).strip()));
        all.put("trim", function(1, 2, "trim characters text", TextFunctions::trim));
        all.put(
                "trimPrefix",
                function(
                        2,
                        2,
                        "trimPrefix prefix text",
                        g ->
                                g.text(1).startsWith(g.text(0))
                                        ? g.text(1).substring(g.text(0).length())
                                        : g.text(1)));
        all.put(
                "trimSuffix",
                function(
                        2,
                        2,
                        "trimSuffix suffix text",
                        g ->
                                g.text(1).endsWith(g.text(0))
                                        ? g.text(1)
                                                .substring(
                                                        0, g.text(1).length() - g.text(0).length())
                                        : g.text(1)));
        all.put(
                "replaceAll",
                function(
                        3,
                        3,
                        "replaceAll old new text",
                        g -> g.text(2).replace(g.text(0), g.text(1))));
        all.put(
                "split",
                function(
                        2,
                        2,
                        "split separator text",
                        g ->
                                g.text(1).isEmpty()
                                        ? List.of()
                                        : List.of(g.text(1).split(Pattern.quote(g.text(0)), -1))));
        all.put(
                "join",
                function(
                        2,
                        2,
                        "join separator list",
                        g ->
                                g.list(1).stream()
                                        .map(Given::printed)
                                        .collect(Collectors.joining(g.text(0)))));
        all.put("splitToMap", function(3, 3, "splitToMap \";\" \":\" text", TextFunctions::pairs));
        all.put(
                "indent",
                function(
                        2,
                        2,
                        "indent spaces text",
                        g ->
                                g.text(1)
                                        .replaceAll(
                                                "(?m)^",
                                                " ".repeat(Math.clamp(g.whole(0), 0, 1000)))));
        all.put("regexMatch", function(2, 2, "regexMatch expression text", TextFunctions::matches));
        all.put(
                "regexReplaceAll",
                function(3, 3, "regexReplaceAll expression new text", TextFunctions::replace));
        codes(all);
    }

    private static void codes(Map<String, Function> all) {
        all.put(
                "base64Encode",
                function(
                        1,
                        1,
                        "base64Encode text",
                        g -> Base64.getEncoder().encodeToString(utf8(g.text(0)))));
        all.put(
                "base64Decode",
                function(1, 1, "base64Decode text", g -> decoded(Base64.getDecoder(), g.text(0))));
        all.put(
                "base64URLEncode",
                function(
                        1,
                        1,
                        "base64URLEncode text",
                        g -> Base64.getUrlEncoder().encodeToString(utf8(g.text(0)))));
        all.put(
                "base64URLDecode",
                function(
                        1,
                        1,
                        "base64URLDecode text",
                        g -> decoded(Base64.getUrlDecoder(), g.text(0))));
        all.put("sha256Hex", function(1, 1, "sha256Hex text", g -> digest("SHA-256", g.text(0))));
        all.put("md5sum", function(1, 1, "md5sum text", g -> digest("MD5", g.text(0))));
        all.put(
                "hmacSHA256Hex",
                function(2, 2, "hmacSHA256Hex text key", g -> signed(g.text(0), g.text(1))));
    }

    private static String trim(Given given) throws Refused {
        if (given.count() == 1) {
            return given.text(0).strip();
        }
        String characters = given.text(0);
        String text = given.text(1);
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

    private static Map<String, Object> pairs(Given given) throws Refused {
        Map<String, Object> pairs = new TreeMap<>();
        if (given.text(2).isEmpty()) {
            return pairs;
        }
        for (String each : given.text(2).split(Pattern.quote(given.text(0)), -1)) {
            String[] pair = each.split(Pattern.quote(given.text(1)), 2);
            pairs.put(pair[0], pair.length == 2 ? pair[1] : "");
        }
        return pairs;
    }

    private static boolean matches(Given given) throws Refused {
        try {
            return regex(given.text(0)).matcher(new Patience(given.text(1))).find();
        } catch (Patience.Lost lost) {
            throw tooLong(given.text(0));
        }
    }

    private static String replace(Given given) throws Refused {
        // Only a group's number or name means something else than itself.
        String by = GROUP.matcher(given.text(1).replace("\\", "\\\\")).replaceAll("\\$$1");
        try {
            Matcher matcher = regex(given.text(0)).matcher(new Patience(given.text(2)));
            return matcher.replaceAll(by);
        } catch (Patience.Lost lost) {
            throw tooLong(given.text(0));
        } catch (IndexOutOfBoundsException | IllegalArgumentException noGroup) {
            throw Given.wrong("\"" + given.text(1) + "\": " + noGroup.getMessage());
        }
    }

    private static Refused tooLong(String expression) {
        return Given.wrong(
                "\"" + expression + "\" takes too long on this text: simplify what it repeats");
    }

    private static Pattern regex(String expression) throws Refused {
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException unreadable) {
            throw Given.wrong(
                    "\"" + expression + "\" is no expression: " + unreadable.getDescription());
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String decoded(Base64.Decoder decoder, String text) throws Refused {
        try {
            return new String(decoder.decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException not) {
            throw Given.wrong("this is not base64: " + not.getMessage());
        }
    }

    private static String digest(String algorithm, String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance(algorithm).digest(utf8(text)));
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }

    private static String signed(String text, String key) throws Refused {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(utf8(key), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(utf8(text)));
        } catch (NoSuchAlgorithmException | InvalidKeyException never) {
            throw new IllegalStateException(never);
        } catch (IllegalArgumentException empty) {
            throw Given.wrong("the key is empty");
        }
    }
}
