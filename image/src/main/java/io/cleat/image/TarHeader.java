package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One block of 512 bytes in front of an entry. */
record TarHeader(byte[] block) {
    private static final byte[] USTAR = "ustar\0".getBytes(StandardCharsets.US_ASCII);
    private static final int SUM_AT = 148;
    private static final int SUM_LENGTH = 8;

    boolean isZero() {
        for (byte each : block) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    int type() {
        return block[156] & 0xff;
    }

    /** Fails unless the block is a header of tar. */
    void requireSum() throws ArtifactTrouble {
        long unsigned = 0;
        long signed = 0;
        for (int i = 0; i < block.length; i++) {
            boolean isSum = i >= SUM_AT && i < SUM_AT + SUM_LENGTH;
            unsigned += isSum ? ' ' : block[i] & 0xff;
            signed += isSum ? ' ' : block[i];
        }
        long said = number(SUM_AT, SUM_LENGTH, "checksum");
        if (said != unsigned && said != signed) {
            throw UnpackMeter.refused("it is no tar archive, or is damaged: a header's checksum is wrong");
        }
    }

    String name() throws ArtifactTrouble {
        String name = text(Arrays.copyOfRange(block, 0, 100));
        boolean hasPrefix = Arrays.equals(USTAR, Arrays.copyOfRange(block, 257, 263));
        String prefix = hasPrefix ? text(Arrays.copyOfRange(block, 345, 500)) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    String link() throws ArtifactTrouble {
        return text(Arrays.copyOfRange(block, 157, 257));
    }

    /** Octal digits; or, where the first bit is set, a number of 63 bits (GNU). */
    long number(int at, int length, String what) throws ArtifactTrouble {
        if ((block[at] & 0x80) != 0) {
            return binary(at, length, what);
        }
        long number = 0;
        boolean begun = false;
        for (int i = at; i < at + length; i++) {
            int digit = block[i] & 0xff;
            if (digit == ' ' && !begun) {
                continue;
            }
            if (digit == ' ' || digit == 0) {
                break;
            }
            if (digit < '0' || digit > '7') {
                throw UnpackMeter.refused("it is no tar archive, or is damaged: a header's " + what + " is no number");
            }
            begun = true;
            number = number * 8 + (digit - '0');
        }
        return number;
    }

    private long binary(int at, int length, String what) throws ArtifactTrouble {
        boolean isNegative = (block[at] & 0x40) != 0;
        long number = isNegative ? -1 : 0;
        for (int i = at; i < at + length; i++) {
            long next = number << 8 | (i == at ? sign(block[i], isNegative) : block[i] & 0xff);
            if ((next < 0) != isNegative || next >> 8 != number) {
                throw UnpackMeter.refused("a header of it has a " + what + " that is too large");
            }
            number = next;
        }
        return number;
    }

    private static int sign(byte first, boolean isNegative) {
        return isNegative ? first & 0xff : first & 0x3f;
    }

    /** Up to the first NUL. A name is UTF-8, or is refused: this program could not make a file of another. */
    static String text(byte[] bytes) throws ArtifactTrouble {
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException other) {
            throw UnpackMeter.refused("a name in it is not UTF-8: "
                    + new String(bytes, 0, Math.min(length, 100), StandardCharsets.ISO_8859_1));
        }
    }
}
