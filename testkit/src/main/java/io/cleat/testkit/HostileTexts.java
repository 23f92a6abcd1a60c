package io.cleat.testkit;

import java.util.List;
import java.util.Random;

/** Texts that programs trip over. */
public final class HostileTexts {
    private static final List<String> VALID = List.of(
            "",
            " ",
            "@",
            ".",
            "..",
            "/",
            "../../etc/passwd",
            "a",
            "null",
            "0",
            "-1",
            "true",
            "\u0000",
            "a\u0000b",
            "\n",
            "\r\n\t",
            "\u001b[31mred\u001b[0m",
            "\u007f\u0080\u009f",
            "\u00fc\u00e4\u00f6",
            "e\u0301",
            "\u202egnp.exe",
            "\u200b",
            "\ufeff",
            "\ufffd",
            "\uffff",
            "\ud83d\ude00",
            "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
            "\udbff\udfff",
            "\"quoted\\\"",
            "${attr.unique}",
            "{{ key }}",
            "%s%n",
            "2026-01-31T12:00:00Z",
            "\u0130\u0131");

    private static final List<String> NO_UNICODE =
            List.of("\ud800", "\udc00", "a\ud83d", "\udc00\ud800", "\ud800a\udc00");

    private final Random random;

    public HostileTexts(Random random) {
        this.random = random;
    }

    /** A text of Unicode. */
    public String valid() {
        return switch (random.nextInt(12)) {
            case 0 -> VALID.get(random.nextInt(VALID.size())).repeat(1 + random.nextInt(300));
            case 1 -> VALID.get(random.nextInt(VALID.size())) + random.nextInt();
            case 2 -> ofAny(1 + random.nextInt(100));
            case 3 -> random.nextInt(20) == 0 ? "x".repeat(70_000) : "name";
            default -> VALID.get(random.nextInt(VALID.size()));
        };
    }

    /** A sequence of characters that is no Unicode. */
    public String halved() {
        return NO_UNICODE.get(random.nextInt(NO_UNICODE.size()));
    }

    private String ofAny(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            int point = random.nextInt(Character.MAX_CODE_POINT + 1);
            text.appendCodePoint(point >= 0xd800 && point < 0xe000 ? '?' : point);
        }
        return text.toString();
    }
}
