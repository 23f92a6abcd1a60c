package io.cleat.base;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * A small text file whose last line is a checksum of the lines before it: {@code sum} and the CRC32C of their bytes,
 * each a character, in 8 hex digits.
 */
public final class SummedText {
    private static final String SUM = "sum ";

    private SummedText() {}

    /** @param lines each with its end, of characters up to U+00FF */
    public static String with(String lines) {
        CRC32C crc = new CRC32C();
        crc.update(lines.getBytes(StandardCharsets.ISO_8859_1));
        return lines + SUM + HexFormat.of().toHexDigits((int) crc.getValue()) + "\n";
    }

    /**
     * Whether a text ends with the checksum of what is before it.
     *
     * @param text read as ISO 8859-1
     */
    public static boolean isWhole(String text) {
        int last = text.lastIndexOf("\n" + SUM) + 1;
        return last > 0 && text.equals(with(text.substring(0, last)));
    }
}
